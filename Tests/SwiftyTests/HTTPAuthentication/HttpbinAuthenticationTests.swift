// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyCurl
import TestSupport
import Testing

/// A client with one credential for one server.
func authenticating(
    _ credential: CredentialStore.Credential?,
    at url: String,
    preemptively: Bool = false,
    handler: (any AuthenticationChallenge.Handler)? = nil,
    transport: (any Transport)? = nil
) throws -> Swifty {
    let store = CredentialStore()
    if let credential { try store.set(credential, for: url, preemptively: preemptively) }
    var configuration = Swifty.Configuration()
    configuration.credentials = store
    if let handler { configuration.use(handler) }
    guard let transport else { return Swifty(configuration: configuration) }
    return Swifty(configuration: configuration, transport: transport)
}

@Suite("Authentication with the httpbin of PyPI", .timeLimit(.minutes(15)))
struct HttpbinAuthenticationTests {
    private struct Answer: Codable, Sendable {
        var authenticated: Bool
    }

    /// The status, and the number of requests.
    private func outcome(
        _ path: String,
        _ swifty: Swifty,
        _ server: PeerServer,
        cookie: String? = nil
    ) async throws
        -> [Int]
    {
        let resource = BaseResource(server.url, networkInterface: swifty).get(path).header("Cookie", cookie)
        do {
            let response = try await resource.load()
            #expect(try response.decode(Answer.self).authenticated)
            return [200, requests(response.metrics.attempts)]
        } catch {
            return [error.statusCode ?? 0, requests(error.attempts)]
        }
    }

    private func requests(_ attempts: [LoadMetrics.Attempt]) -> Int {
        attempts.reduce(0) { $0 + 1 + $1.challenges }
    }

    @Test("answers Basic, Bearer and Digest challenges of their own scheme")
    func all() async throws {
        let server = try await PeerServer.httpbin()
        let basic = CredentialStore.Credential.basic(user: "user", password: "passwd", allowsCleartext: true)
        let wrong = CredentialStore.Credential.basic(user: "user", password: "other", allowsCleartext: true)
        let bearer = CredentialStore.Credential.bearer("t0k3n", allowsCleartext: true)
        func check(
            _ path: String,
            _ credential: CredentialStore.Credential?,
            preemptively: Bool = false,
            _ expected: [Int]
        ) async throws {
            let swifty = try authenticating(credential, at: server.url, preemptively: preemptively)
            let outcome = try await outcome(path, swifty, server)
            #expect(outcome == expected, "\(path)")
        }
        try await check("basic-auth/user/passwd", basic, [200, 2])
        try await check("basic-auth/user/passwd", basic, preemptively: true, [200, 1])
        try await check("basic-auth/user/passwd", wrong, [401, 2])
        try await check("basic-auth/user/passwd", wrong, preemptively: true, [401, 1])
        try await check("basic-auth/user/passwd", .digest(user: "user", password: "passwd"), [401, 1])
        try await check("basic-auth/user/passwd", nil, [401, 1])
        try await check("hidden-basic-auth/user/passwd", basic, [404, 1])
        try await check("hidden-basic-auth/user/passwd", basic, preemptively: true, [200, 1])
        try await check("bearer", bearer, [200, 2])
        try await check("bearer", bearer, preemptively: true, [200, 1])
        let digest = CredentialStore.Credential.digest(user: "user", password: "passwd")
        for qop in ["auth", "auth-int", "any"] {
            for algorithm in ["MD5", "SHA-256"] {
                try await check("digest-auth/\(qop)/user/passwd/\(algorithm)", digest, [200, 2])
            }
        }
        try await check("digest-auth/auth/user/passwd", .digest(user: "user", password: "other"), [401, 2])
        try await check("digest-auth/auth/user/passwd", basic, [401, 1])
        // SHA-512 is not an algorithm of RFC 7616, so it is not answered.
        try await check("digest-auth/auth/user/passwd/SHA-512", digest, [401, 1])
    }

    @Test("reuses a nonce, and replaces a stale one twice")
    func stale() async throws {
        let server = try await PeerServer.httpbin()
        let swifty = try authenticating(.digest(user: "user", password: "passwd"), at: server.url)
        let path = "digest-auth/auth/user/passwd/SHA-256/never"
        #expect(try await outcome(path, swifty, server) == [200, 2])
        for _ in 0..<5 { #expect(try await outcome(path, swifty, server) == [200, 1]) }
        // This cookie makes httpbin treat every nonce as stale.
        #expect(try await outcome(path, swifty, server, cookie: "stale_after=0") == [401, 3])
    }
}
