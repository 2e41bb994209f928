// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Routes that redirect, `n` times in a row or to a given place.
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
        guard let url = request.query("url") else { throw RequestFailure.malformed("url is missing") }
        return found(url, status: try request.queryNumber("status_code", in: 300...399, default: 302))
    }

    static func found(_ location: String, status: Int = 302) -> LoopbackResponse {
        .text("See \(location)\n", status: status).header("Location", location)
    }

    private static func next(of request: RecordedRequest, _ path: String) throws(RequestFailure) -> String {
        let count = try request.number("n", in: 1...1_000)
        return count == 1 ? "/get" : "\(path)/\(count - 1)"
    }
}
