// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyTestServers
import SwiftyTesting

extension LoopbackServer {
    /// A server whose only answers are the given ones. A request without one gets a 404 with the reason as text, one
    /// whose answer cannot be read a 500.
    ///
    /// - Parameters:
    ///   - answers: The answers.
    ///   - port: The port, 0 for a free one.
    ///   - onUnanswered: Called with the reason, for each request without an answer.
    /// - Throws: The failed system call if the port cannot be opened.
    convenience init(
        _ answers: any ServedAnswers,
        port: UInt16 = 0,
        onUnanswered: @escaping @Sendable (String) -> Void
    ) throws {
        try self.init(port: port) { server in
            server.route("*", "*") { request in
                let (reason, status): (String, Int)
                do throws(SwiftyError) {
                    switch try await answers.answer(to: ServedRequest(request)) {
                    case .answer(let answer): return LoopbackResponse(answer)
                    case .missing(let text): (reason, status) = (text, 404)
                    }
                } catch {
                    (reason, status) = (error.reason, 500)
                }
                onUnanswered(reason)
                return .text("\(reason)\n", status: status)
            }
        }
    }
}

extension ServedRequest {
    init(_ request: RecordedRequest) {
        self.init(
            method: request.method,
            target: request.target,
            path: request.path,
            queryItems: request.queryItems,
            headers: request.headers,
            content: request.content
        )
    }
}
