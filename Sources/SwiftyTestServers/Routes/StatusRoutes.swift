// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Routes that respond with the status in the path.
enum StatusRoutes {
    /// One status, or one of several chosen at random: `503`, `200,500`, or with weights `200:3,500:1`.
    @Sendable static func status(_ request: RecordedRequest) throws -> LoopbackResponse {
        response(of: try choice(from: request.variable("codes")))
    }

    private static func choice(from text: String) throws(RequestError) -> Int {
        var choices: [(status: Int, weight: Double)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pieces = part.split(separator: ":", maxSplits: 1)
            guard let first = pieces.first, let status = Int(first), (200...999).contains(status),
                let weight = pieces.count > 1 ? Double(pieces[1]) : 1, weight >= 0, weight.isFinite
            else { throw .malformed("Invalid status code") }
            choices.append((status, weight))
        }
        var left = Double.random(in: 0...1) * choices.reduce(0) { $0 + $1.weight }
        for choice in choices where choice.weight > 0 {
            left -= choice.weight
            if left <= 0 { return choice.status }
        }
        return choices.last?.status ?? 400
    }

    /// A response of a status with the header fields that belong to it.
    static func response(of status: Int) -> LoopbackResponse {
        let response = LoopbackResponse.status(status)
        return switch status {
        case 301, 302, 303, 305, 307, 308: response.header("Location", "/redirect/1")
        case 401: response.header("WWW-Authenticate", #"Basic realm="Fake Realm""#)
        case 407: response.header("Proxy-Authenticate", #"Basic realm="Fake Realm""#)
        case 418: .text("Short, stout, and not made for coffee.\n", status: 418)
        default: response
        }
    }
}

/// Routes that redirect, `n` times in succession or to a given URL.
enum RedirectRoutes {
    @Sendable static func redirect(_ request: RecordedRequest) throws -> LoopbackResponse {
        request.query("absolute")?.lowercased() == "true" ? try absolute(request) : try relative(request)
    }

    @Sendable static func relative(_ request: RecordedRequest) throws -> LoopbackResponse {
        found(try next(of: request, "/relative-redirect"))
    }

    @Sendable static func absolute(_ request: RecordedRequest) throws -> LoopbackResponse {
        found(request.hostURL + (try next(of: request, "/absolute-redirect")))
    }

    /// To `url`, with `status_code` from 300 to 399 (302 by default).
    @Sendable static func redirectTo(_ request: RecordedRequest) throws -> LoopbackResponse {
        guard let url = request.query("url") else { throw RequestError.malformed("url is missing") }
        return found(url, status: try request.queryNumber("status_code", in: 300...399, default: 302))
    }

    static func found(_ location: String, status: Int = 302) -> LoopbackResponse {
        .text("See \(location)\n", status: status).header("Location", location)
    }

    private static func next(of request: RecordedRequest, _ path: String) throws(RequestError) -> String {
        let count = try request.number("n", in: 1...1_000)
        return count == 1 ? "/get" : "\(path)/\(count - 1)"
    }
}
