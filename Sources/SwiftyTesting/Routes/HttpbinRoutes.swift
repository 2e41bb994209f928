// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The routing table of the built-in routes, which answer as httpbin.org does.
enum HttpbinRoutes {
    static let all = echo + status + redirects + authentication + formats + dynamic + cookies + caching

    /// What was sent comes back as JSON.
    private static let echo: [Route] = [
        .get("/get", Echo.withoutBody),
        .on("POST", path: "/post", Echo.withBody),
        .on("PUT", path: "/put", Echo.withBody),
        .on("PATCH", path: "/patch", Echo.withBody),
        .on("DELETE", path: "/delete", Echo.withBody),
        .any("/anything", Echo.anything),
        .any("/anything/*", Echo.anything),
        .get("/ip", Echo.origin),
        .get("/headers", Echo.headers),
        .get("/user-agent", Echo.userAgent),
    ]

    private static let status: [Route] = [
        .any("/status/{codes}", StatusRoutes.status)
    ]

    private static let redirects: [Route] = [
        .get("/redirect/{n}", RedirectRoutes.redirect),
        .get("/relative-redirect/{n}", RedirectRoutes.relative),
        .get("/absolute-redirect/{n}", RedirectRoutes.absolute),
        .any("/redirect-to", RedirectRoutes.redirectTo),
    ]

    private static let authentication: [Route] = [
        .get("/basic-auth/{user}/{password}", AuthenticationRoutes.basic),
        .get("/hidden-basic-auth/{user}/{password}", AuthenticationRoutes.hiddenBasic),
        .get("/bearer", AuthenticationRoutes.bearer),
        .any("/digest-auth/{qop}/{user}/{password}", AuthenticationRoutes.digest),
        .any("/digest-auth/{qop}/{user}/{password}/{algorithm}", AuthenticationRoutes.digest),
    ]

    /// Fixed documents in several formats and encodings.
    private static let formats: [Route] = [
        .get("/json", FormatRoutes.json),
        .get("/html", FormatRoutes.html),
        .get("/encoding/utf8", FormatRoutes.utf8),
        .get("/gzip", FormatRoutes.gzip),
        .get("/deflate", FormatRoutes.deflate),
    ]

    /// Bodies that are made on demand, and slow ones.
    private static let dynamic: [Route] = [
        .get("/uuid", DynamicRoutes.uuid),
        .get("/base64/{value}", DynamicRoutes.base64),
        .any("/delay/{seconds}", DynamicRoutes.delay),
        .get("/drip", DynamicRoutes.drip),
        .get("/bytes/{n}", BytesRoutes.bytes),
        .get("/stream-bytes/{n}", BytesRoutes.streamedBytes),
        .get("/stream/{n}", BytesRoutes.streamedLines),
        .get("/range/{n}", BytesRoutes.range),
    ]

    private static let cookies: [Route] = [
        .get("/cookies", CookieRoutes.list),
        .get("/cookies/set", CookieRoutes.set),
        .get("/cookies/set/{name}/{value}", CookieRoutes.setOne),
        .get("/cookies/delete", CookieRoutes.delete),
    ]

    private static let caching: [Route] = [
        .get("/cache", CachingRoutes.cache),
        .get("/cache/{seconds}", CachingRoutes.cacheFor),
        .get("/etag/{etag}", CachingRoutes.entityTag),
        .on("GET", "POST", path: "/response-headers", CachingRoutes.responseHeaders),
    ]
}

extension RecordedRequest {
    /// `http://` and the host that the client asked for.
    var hostURL: String { "http://\(self["Host"] ?? "127.0.0.1")" }

    /// A variable of the path.
    func variable(_ name: String) -> String { pathVariables[name] ?? "" }

    /// A variable of the path that must be a number in a range; 400 otherwise.
    func number(_ name: String, in range: ClosedRange<Int>) throws(RequestFailure) -> Int {
        try Self.number(variable(name), name, range)
    }

    /// A query item that must be a number in a range if it is there; 400 otherwise.
    func queryNumber(_ name: String, in range: ClosedRange<Int>, default value: Int) throws(RequestFailure) -> Int {
        guard let text = query(name) else { return value }
        return try Self.number(text, name, range)
    }

    /// A query item of seconds, at most ten, if it is there; 400 otherwise.
    func queryDuration(_ name: String, default value: Duration) throws(RequestFailure) -> Duration {
        guard let text = query(name) else { return value }
        return try Self.duration(text, name)
    }

    /// Decimal seconds between 0 and 10.
    static func duration(_ text: String, _ name: String) throws(RequestFailure) -> Duration {
        guard let seconds = Double(text), (0...).contains(seconds) else {
            throw .malformed("\(name) is not a number of seconds")
        }
        return .seconds(min(seconds, 10))
    }

    private static func number(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws(RequestFailure) -> Int
    {
        guard let number = Int(text), range.contains(number) else {
            throw .malformed("\(name) is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
