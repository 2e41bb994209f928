// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Routes that show, set and delete cookies.
enum CookieRoutes {
    @Sendable static func list(_ request: RecordedRequest) -> LoopbackResponse {
        var cookies: [String: String] = [:]
        for pair in request.values(of: "Cookie").flatMap({ $0.split(separator: ";") }) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            cookies[parts[0].trimmingBlanks()] = parts[1].trimmingBlanks()
        }
        return .json(["cookies": cookies])
    }

    /// Sets a cookie for each query item and redirects to the list.
    @Sendable static func set(_ request: RecordedRequest) -> LoopbackResponse {
        redirect(setting: request.queryItems.map { "\($0.name)=\($0.value); Path=/" })
    }

    @Sendable static func setOne(_ request: RecordedRequest) -> LoopbackResponse {
        redirect(setting: ["\(request.variable("name"))=\(request.variable("value")); Path=/"])
    }

    /// Deletes the cookies that the query names and redirects to the list.
    @Sendable static func delete(_ request: RecordedRequest) -> LoopbackResponse {
        redirect(
            setting: request.queryItems.map {
                "\($0.name)=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/"
            }
        )
    }

    private static func redirect(setting cookies: [String]) -> LoopbackResponse {
        cookies.reduce(RedirectRoutes.found("/cookies")) { $0.header("Set-Cookie", $1) }
    }
}
