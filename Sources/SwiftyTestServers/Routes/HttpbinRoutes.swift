// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The routing table of the built-in routes, which respond as httpbin.org does.
enum HttpbinRoutes {
    static let all = [overview] + described

    /// The list of the others, as text.
    private static let overview = Route.get("/") { _ in
        let lines = described.map { "\($0.methods.count == 1 ? $0.methods[0] : "any") \($0.pattern)\n" }
        return .text(lines.joined())
    }

    private static let described =
        echo + status + redirects + authentication + formats + dynamic + cookies + caching

    /// Routes that return the request as JSON.
    private static let echo: [Route] = [
        .get("/get", EchoRoutes.withoutBody),
        .on("POST", path: "/post", EchoRoutes.withBody),
        .on("PUT", path: "/put", EchoRoutes.withBody),
        .on("PATCH", path: "/patch", EchoRoutes.withBody),
        .on("DELETE", path: "/delete", EchoRoutes.withBody),
        .any("/anything", EchoRoutes.anything),
        .any("/anything/*", EchoRoutes.anything),
        .get("/ip", EchoRoutes.origin),
        .get("/headers", EchoRoutes.headers),
        .get("/user-agent", EchoRoutes.userAgent),
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

    /// Routes with generated content, and slow routes.
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
    /// `http://` and the host of the request's `Host` field.
    var hostURL: String { "http://\(self["Host"] ?? "127.0.0.1")" }

    func variable(_ name: String) -> String { pathVariables[name] ?? "" }

    /// A variable of the path as a number in a range.
    ///
    /// - Throws: A ``RequestError``, which becomes a 400, for any other text.
    func number(_ name: String, in range: ClosedRange<Int>) throws(RequestError) -> Int {
        try Self.number(variable(name), name: name, range: range)
    }

    /// A query item as a number in a range, or the default if it is missing.
    ///
    /// - Throws: A ``RequestError``, which becomes a 400, for any other text.
    func queryNumber(_ name: String, in range: ClosedRange<Int>, default value: Int) throws(RequestError) -> Int {
        guard let text = query(name) else { return value }
        return try Self.number(text, name: name, range: range)
    }

    /// A query item as a number of seconds, or the default if it is missing. More than ten count as ten.
    ///
    /// - Throws: A ``RequestError``, which becomes a 400, if it is negative or not a number.
    func queryDuration(_ name: String, default value: Duration) throws(RequestError) -> Duration {
        guard let text = query(name) else { return value }
        return try Self.duration(text, name)
    }

    /// Decimal seconds; more than ten count as ten.
    static func duration(_ text: String, _ name: String) throws(RequestError) -> Duration {
        guard let seconds = Double(text), (0...).contains(seconds) else {
            throw .malformed("\(name) is not a number of seconds")
        }
        return .seconds(min(seconds, 10))
    }

    private static func number(_ text: String, name: String, range: ClosedRange<Int>) throws(RequestError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw .malformed("\(name) is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
