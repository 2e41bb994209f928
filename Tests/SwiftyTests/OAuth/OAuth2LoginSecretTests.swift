// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import TestSupport
import Testing

@testable import Swifty

@Suite("OAuth2: secrets of a login", .timeLimit(.minutes(15)))
struct OAuth2LoginSecretTests {
    private static let secrets = ["code-secret", "device-secret", "access-secret", "refresh-secret", "top-secret"]

    private func check(_ transcript: Transcript, _ more: [String] = []) {
        let printed = transcript.all
        for secret in Self.secrets + more {
            #expect(SecretSearch.spelling(of: secret, in: printed) == nil, "\(secret)")
        }
    }

    @Test("has the challenge of RFC 7636, appendix B")
    func proofKey() {
        let key = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        let verifiers = Set((0..<100).map { _ in ProofKey().verifier })
        #expect(verifiers.count == 100)
        #expect(verifiers.allSatisfy { (43...128).contains($0.utf8.count) })
    }

    @Test("are in nothing that is printed of a login with a code, even if the server repeats them")
    func code() async throws {
        let message = "code-secret top-secret \(Data("top-secret".utf8).base64EncodedString())"
        for step in [ScriptedAuthorizer.Step.token, .error("invalid_grant", message: message), .failure(.timedOut)] {
            let server = ScriptedAuthorizer(step)
            let oauth = server.oauth(secret: "top-secret")
            let login = try oauth.beginLogin(
                authorizationURL: "https://auth.example.com/authorize",
                redirectURI: "https://a.example/login"
            )
            let state = try #require(QueryParameters(query: login.url)["state"])
            server.logs.print(login)
            server.logs.print(oauth)
            for rest in [
                "code=x&state=\(state)0", "code=code-secret&state=\(state)", "code=code-secret&state=\(state)",
            ] {
                do {
                    try await login.finish(with: "https://a.example/login?\(rest)")
                } catch {
                    server.logs.print(error)
                    server.logs.print(error.underlying as Any)
                    server.logs.print(error.reason)
                }
            }
            let verifier = try #require(server.forms.first?["code_verifier"])
            check(server.logs, [state, verifier])
            #expect(server.logs.logLineCount + server.logs.eventCount > 0)
            #expect("\(login)" == "OAuth2.Login(https://auth.example.com/authorize)")
        }
    }

    @Test("are in no error that repeats the callback")
    func callback() async throws {
        let server = ScriptedAuthorizer(.token)
        let login = try server.oauth(secret: "top-secret").beginLogin(
            authorizationURL: "https://auth.example.com/authorize",
            redirectURI: "https://a.example/login"
        )
        let state = try #require(QueryParameters(query: login.url)["state"])
        let error = await #expect(throws: SwiftyError.self) {
            let error = "error=x\(state)&error_description=for+\(state)+top-secret"
            try await login.finish(with: "https://a.example/login?state=\(state)&\(error)")
        }
        server.logs.print(error as Any)
        check(server.logs, [state])
        #expect(
            error?.underlying as? OAuth2.TokenError == .refused(code: "xREDACTED", message: "for REDACTED REDACTED")
        )
    }

    @Test("are in nothing that is printed of a login with a device code, even if the server repeats them")
    func device() async throws {
        let message = "device-secret top-secret"
        for step in [ScriptedAuthorizer.Step.token, .error("access_denied", message: message), .failure(.tlsFailed)] {
            let server = ScriptedAuthorizer(.device(), .error("authorization_pending", message: message), step)
            let oauth = server.oauth(secret: "top-secret")
            do {
                try await oauth.logInWithDevice(authorizationURL: "https://auth.example.com/device") { prompt in
                    server.logs.print(prompt)
                }
            } catch {
                server.logs.print(error)
                server.logs.print(error.underlying as Any)
            }
            check(server.logs)
            #expect(server.logs.all.contains("WDJB-MJHT"))
        }
    }

    @Test("are not in a recording, even if the server repeats them")
    func recording() async throws {
        let folder = try TemporaryFolder()
        let server = ScriptedAuthorizer(
            .error("invalid_grant", message: "not code-secret"),
            .token,
            .device(),
            .error("authorization_pending", message: "not device-secret"),
            .token
        )
        let oauth = server.oauth(secret: "top-secret")
        let login = try oauth.beginLogin(
            authorizationURL: "https://auth.example.com/authorize",
            redirectURI: "https://a.example/login"
        )
        let other = try oauth.beginLogin(
            authorizationURL: "https://auth.example.com/authorize",
            redirectURI: "https://a.example/login"
        )
        let states = [login, other].map { QueryParameters(query: $0.url)["state"] ?? "none" }
        let callbacks = states.map { "https://a.example/login?code=code-secret&state=\($0)" }
        try await withCassette(folder.path("login.har"), mode: .all) {
            await #expect(throws: SwiftyError.self) { try await login.finish(with: callbacks[0]) }
            try await other.finish(with: callbacks[1])
            try await oauth.logInWithDevice(authorizationURL: "https://auth.example.com/device") { _ in }
        }
        server.logs.add(String(decoding: try folder.data("login.har"), as: UTF8.self))
        check(server.logs, states + server.forms.compactMap { $0["code_verifier"] })
        #expect(server.logs.all.contains("code_verifier") && server.logs.all.contains("device_code"))
    }
}
