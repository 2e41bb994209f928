// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Swifty

@Suite("The authentication of an exchange", .timeLimit(.minutes(15)))
struct AuthenticationExchangeTests {
    private func exchange(
        _ credential: CredentialStore.Credential,
        preemptively: Bool = false
    ) throws -> AuthenticationExchange {
        let store = CredentialStore()
        try store.set(credential, for: "https://a.test", preemptively: preemptively)
        let authenticator = try #require(Authenticator(credentials: store, handlers: []))
        return AuthenticationExchange(authenticator, for: try request("https://a.test"))
    }

    private func request(_ url: String) throws -> NetworkRequest { NetworkRequest(target: try TargetURI(url)) }

    private func response(_ status: Int, _ challenge: String? = nil) -> TransportResponse {
        var headers = HTTPFields()
        headers[.wwwAuthenticate] = challenge
        return TransportResponse(head: ResponseHead(statusCode: status, headers: headers), content: Data())
    }

    private let challenge = #"Digest realm="r", nonce="n", qop="auth""#

    /// A request that was challenged, authorized and then redirected.
    private func redirected(to url: String, _ exchange: AuthenticationExchange) async throws -> NetworkRequest {
        let original = try request("https://a.test/one")
        var first = original
        try exchange.authorize(&first)
        #expect(first.headers[.authorization] == nil)
        #expect(try await exchange.answerChallenge(of: response(401, challenge), to: first, hooks: { .unlimited }))
        var second = original
        try exchange.authorize(&second)
        #expect(second.headers[.authorization]?.contains("nc=00000001") == true)
        let isAsked = try await exchange.answerChallenge(of: response(302), to: second, hooks: { .unlimited })
        #expect(!isAsked)
        var next = original
        next.target = try TargetURI(url)
        try exchange.authorize(&next)
        return next
    }

    @Test("makes a new answer for the target of a redirect within the origin")
    func sameOrigin() async throws {
        let exchange = try exchange(.digest(user: "u", password: "p"))
        let field = try await redirected(to: "https://a.test/two?x", exchange).headers[.authorization]
        #expect(field?.contains(#"uri="/two?x""#) == true)
        #expect(field?.contains("nc=00000002") == true)
    }

    @Test("neither authorizes a request to another origin after a redirect, nor answers its challenge")
    func otherOrigin() async throws {
        for url in ["https://b.test/", "http://a.test/", "https://a.test:8443/"] {
            let exchange = try exchange(.digest(user: "u", password: "p"))
            let request = try await redirected(to: url, exchange)
            #expect(request.headers[.authorization] == nil)
            let answer = try await exchange.answerChallenge(
                of: response(401, challenge),
                to: request,
                hooks: { .unlimited }
            )
            #expect(!answer)
        }
    }

    @Test("sends Basic and Bearer preemptively only as configured, and not again after a refusal")
    func preemptive() async throws {
        for credential in [CredentialStore.Credential.basic(user: "u", password: "p"), .bearer("t")] {
            let exchange = try exchange(credential, preemptively: true)
            var first = try request("https://a.test/one")
            try exchange.authorize(&first)
            #expect(first.headers[.authorization] != nil)
            let answer = try await exchange.answerChallenge(
                of: response(401, #"Bearer realm="r", Basic realm="r""#),
                to: first,
                hooks: { .unlimited }
            )
            #expect(!answer)
            var other = try request("https://b.test/one")
            try exchange.authorize(&other)
            #expect(other.headers[.authorization] == nil)
        }
    }

    @Test("does not change the caller's own field")
    func ownField() async throws {
        let exchange = try exchange(.basic(user: "u", password: "p"), preemptively: true)
        var request = try request("https://a.test/one")
        request.headers[.authorization] = "Own x"
        try exchange.authorize(&request)
        #expect(request.headers[.authorization] == "Own x")
        let answer = try await exchange.answerChallenge(
            of: response(401, "Basic realm=r"),
            to: request,
            hooks: { .unlimited }
        )
        #expect(!answer)
    }
}

extension LoadHooks {
    fileprivate static let unlimited = LoadHooks(
        cancellation: LoadCancellation(),
        deadline: nil,
        watchdog: HookWatchdog(LoadClock(ContinuousClock()), patience: nil),
        load: Swifty.ObservedLoad(id: 0, draft: Swifty.shared.api.get().draft)
    )
}
