// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

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

    /// As httpbin's, and strict; SHA-512-256 instead of its SHA-512, which is no algorithm of RFC 7616.
    @Sendable static func digest(_ request: RecordedRequest) throws -> LoopbackResponse {
        let names = ["qop", "user", "password", "algorithm"].map(request.variable)
        let gate = try gates.withLock { gates in
            if let gate = gates[names] { return gate }
            let gate = try makeGate(qop: names[0], user: names[1], password: names[2], algorithm: names[3])
            gates[names] = gate
            return gate
        }
        return gate.answer(request)
    }

    /// Gates remember their nonces, and routes are constant: one gate for each of the paths that were asked for.
    private static let gates = Mutex<[[String]: DigestGate]>([:])

    private static func makeGate(
        qop: String,
        user: String,
        password: String,
        algorithm: String
    ) throws(RequestFailure) -> DigestGate {
        let digests = ["", "MD5", "SHA-256", "SHA-512-256"]
        guard digests.contains(algorithm.replacing("-sess", with: "")) else { throw .malformed("unknown algorithm") }
        var rules = DigestGate.Rules()
        rules.realm = "Fake Realm"
        rules.algorithms = [algorithm.isEmpty ? "MD5" : algorithm]
        rules.protections = ["auth", "auth-int"].contains(qop) ? qop : "auth,auth-int"
        return DigestGate(user: user, password: password, rules: rules)
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
