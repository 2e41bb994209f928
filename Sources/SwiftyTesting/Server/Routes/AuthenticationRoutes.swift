// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Routes that ask for credentials.
enum AuthenticationRoutes {
    @Sendable static func basic(_ request: RecordedRequest) -> LoopbackResponse {
        accepted(request) ?? StatusRoutes.response(of: 401)
    }

    /// As `basic`, but without the right credentials there is nothing to see.
    @Sendable static func hiddenBasic(_ request: RecordedRequest) -> LoopbackResponse {
        accepted(request) ?? .status(404)
    }

    @Sendable static func bearer(_ request: RecordedRequest) -> LoopbackResponse {
        guard let token = credentials(of: request, scheme: "Bearer"), !token.isEmpty else {
            return .status(401).header("WWW-Authenticate", "Bearer")
        }
        let answer: EchoValue = ["authenticated": true, "token": .string(token)]
        return .json(answer)
    }

    private static func accepted(_ request: RecordedRequest) -> LoopbackResponse? {
        let user = request.variable("user")
        let expected = "\(user):\(request.variable("password"))"
        guard let sent = credentials(of: request, scheme: "Basic"), let decoded = Data(base64Encoded: sent),
            decoded == Data(expected.utf8)
        else { return nil }
        let answer: EchoValue = ["authenticated": true, "user": .string(user)]
        return .json(answer)
    }

    private static func credentials(of request: RecordedRequest, scheme: String) -> String? {
        let parts = (request["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme.lowercased() else { return nil }
        return parts[1].trimmingBlanks()
    }
}
