// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import Synchronization

/// Routes that require credentials.
enum AuthenticationRoutes {
    @Sendable static func basic(_ request: RecordedRequest) -> LoopbackResponse {
        accepted(request) ?? StatusRoutes.response(of: 401)
    }

    /// Like `basic`, but 404 without the right credentials.
    @Sendable static func hiddenBasic(_ request: RecordedRequest) -> LoopbackResponse {
        accepted(request) ?? .status(404)
    }

    @Sendable static func bearer(_ request: RecordedRequest) -> LoopbackResponse {
        guard let token = credentials(of: request, scheme: "Bearer"), !token.isEmpty else {
            return .status(401).header("WWW-Authenticate", "Bearer")
        }
        let content: EchoValue = ["authenticated": true, "token": .string(token)]
        return .json(content)
    }

    /// Like httpbin's route, but strict, and with SHA-512-256 instead of SHA-512, which RFC 7616 does not define.
    @Sendable static func digest(_ request: RecordedRequest) throws -> LoopbackResponse {
        let names = ["qop", "user", "password", "algorithm"].map(request.variable)
        let protection = try protections.withLock { protections in
            if let known = protections[names] { return known }
            let made = try makeProtection(qop: names[0], user: names[1], password: names[2], algorithm: names[3])
            protections[names] = made
            return made
        }
        return protection.respond(to: request)
    }

    /// One for each path that was requested: routes are constant, but a protection remembers its nonces.
    private static let protections = Mutex<[[String]: DigestProtection]>([:])

    private static func makeProtection(
        qop: String,
        user: String,
        password: String,
        algorithm: String
    ) throws(RequestError) -> DigestProtection {
        let digests = ["", "MD5", "SHA-256", "SHA-512-256"]
        guard digests.contains(algorithm.replacing("-sess", with: "")) else { throw .malformed("unknown algorithm") }
        var rules = DigestProtection.Rules()
        rules.realm = "Fake Realm"
        rules.algorithms = [algorithm.isEmpty ? "MD5" : algorithm]
        rules.protections = ["auth", "auth-int"].contains(qop) ? qop : "auth,auth-int"
        return DigestProtection(user: user, password: password, rules: rules)
    }

    private static func accepted(_ request: RecordedRequest) -> LoopbackResponse? {
        let user = request.variable("user")
        let expected = "\(user):\(request.variable("password"))"
        guard let sent = credentials(of: request, scheme: "Basic"), let decoded = Data(base64Encoded: sent),
            decoded == Data(expected.utf8)
        else { return nil }
        let content: EchoValue = ["authenticated": true, "user": .string(user)]
        return .json(content)
    }

    private static func credentials(of request: RecordedRequest, scheme: String) -> String? {
        let parts = (request["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme.lowercased() else { return nil }
        return String(parts[1].trimmingSpacesAndTabs())
    }
}

/// Routes that show, set and delete cookies.
enum CookieRoutes {
    @Sendable static func list(_ request: RecordedRequest) -> LoopbackResponse {
        var cookies: [String: String] = [:]
        for pair in request.values(of: "Cookie").flatMap({ $0.split(separator: ";") }) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            cookies[String(parts[0].trimmingSpacesAndTabs())] = String(parts[1].trimmingSpacesAndTabs())
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
