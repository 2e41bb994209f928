// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Swifty

@Suite("The state of OAuth2 tokens", .timeLimit(.minutes(15)))
struct OAuth2StateTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)

    private func state(_ grant: OAuth2.Grant = .clientCredentials, leeway: Duration = .seconds(30)) -> OAuth2State {
        OAuth2State(grant: grant, leeway: leeway, rejectionLimit: 3)
    }

    private func token(_ name: String, refresh: String? = nil, lifetime: TimeInterval? = 3600) -> OAuth2.Token {
        OAuth2.Token(accessToken: name, refreshToken: refresh, expiresAt: lifetime.map { start + $0 })
    }

    @Test("a token is valid until shortly before its expiry")
    func expiry() throws {
        var state = state()
        let plan = try #require(try state.plan(at: start))
        #expect(plan.refreshToken == nil)
        let isKept = state.obtain(token("a"), by: plan, at: start)
        #expect(isKept)
        #expect(state.isValid(at: start + 3569) && !state.isValid(at: start + 3571))
        #expect(try state.plan(at: start + 10) == nil)
        #expect(try state.plan(at: start + 3571) != nil)
    }

    @Test("a lifetime shorter than the leeway, or none, does not cause a token request for every load")
    func shortLifetime() throws {
        var state = state()
        let plan = try #require(try state.plan(at: start))
        _ = state.obtain(token("a", lifetime: 10), by: plan, at: start)
        #expect(state.isValid(at: start + 4) && !state.isValid(at: start + 6))
        _ = state.obtain(token("b", lifetime: nil), by: plan, at: start)
        #expect(state.isValid(at: .distantFuture))
    }

    @Test("a refresh token rotates, and stays if the server sends no new one")
    func rotation() throws {
        var state = state(.refreshToken("r0"))
        var plan = try #require(try state.plan(at: start))
        #expect(plan.refreshToken == "r0")
        _ = state.obtain(token("a", refresh: "r1", lifetime: 100), by: plan, at: start)
        plan = try #require(try state.plan(at: start + 100))
        #expect(plan.refreshToken == "r1")
        _ = state.obtain(token("b", lifetime: 200), by: plan, at: start + 100)
        #expect(state.token?.refreshToken == "r1")
    }

    @Test("an invalid refresh token is not used again")
    func lostRefreshToken() throws {
        var state = state(.refreshToken("r0"))
        let plan = try #require(try state.plan(at: start))
        state.loseRefreshToken(by: plan)
        #expect(throws: OAuth2.Failure.notLoggedIn) { try state.plan(at: start) }
        state.logIn(with: token("a", refresh: "r1"), at: start)
        #expect(state.accessToken == "a")
        // A late error of the old refresh token does not affect the new one.
        state.loseRefreshToken(by: plan)
        #expect(state.accessToken == "a")
    }

    @Test("a token that was requested before a login or logout is discarded")
    func logOut() throws {
        var state = state()
        let plan = try #require(try state.plan(at: start))
        state.logOut()
        let isKept = state.obtain(token("a"), by: plan, at: start)
        #expect(!isKept)
        #expect(state.accessToken == nil && state.token == nil)
        state.restore(token("stored"), at: start)
        #expect(state.accessToken == nil)
    }

    @Test("stored tokens are used only if there are none")
    func restore() {
        var state = state()
        state.restore(token("stored"), at: start)
        #expect(state.accessToken == "stored")
        state.restore(token("other"), at: start)
        #expect(state.accessToken == "stored")
    }

    @Test("a refused credential is dropped once; older ones are known, others are not")
    func rejection() {
        var credential = CredentialState(limit: 3)
        credential.obtain("a", at: start)
        #expect(credential.reject("x", at: start) == .foreign)
        #expect(credential.reject("a", at: start) == .dropped && credential.current == nil)
        #expect(credential.reject("a", at: start) == .outdated)
        credential.obtain("b", at: start)
        #expect(credential.reject("a", at: start) == .outdated && credential.current == "b")
        credential.obtain("c", at: start)
        #expect(credential.reject("b", at: start) == .outdated)
        credential.forget()
        #expect(credential.reject("c", at: start) == .foreign)
    }

    @Test("three refused credentials in a row are dropped, further ones only after a minute")
    func streak() {
        var credential = CredentialState(limit: 3)
        credential.obtain("old", at: start - 3600)
        #expect(credential.reject("old", at: start) == .dropped)
        for name in ["a", "b"] {
            credential.obtain(name, at: start)
            #expect(credential.reject(name, at: start + 1) == .dropped)
        }
        credential.obtain("c", at: start)
        #expect(credential.reject("c", at: start + 1) == .givenUp)
        #expect(credential.reject("c", at: start + 2) == .givenUp && credential.current == "c")
        #expect(credential.reject("c", at: start + 61) == .dropped)
        credential.obtain("d", at: start + 61)
        #expect(credential.reject("d", at: start + 62) == .dropped)
    }

    @Test("a credential that cannot be replaced is never dropped")
    func fixed() {
        var credential = CredentialState(limit: 0)
        credential.obtain("k", at: start)
        #expect(credential.reject("k", at: start + 3600) == .givenUp && credential.current == "k")
    }

    @Test("an origin is scheme, host and port")
    func origins() throws {
        let origins = AllowedOrigins(of: ["https://api.example.com/v1?x=1", "http://127.0.0.1:8080"])
        for same in ["https://api.example.com/other", "https://API.example.com:443", "http://127.0.0.1:8080/x"] {
            #expect(origins.contains(try TargetURI(same)))
        }
        for other in [
            "http://api.example.com", "https://api.example.com:8443", "https://api.example.com.evil.org",
            "https://example.com", "http://127.0.0.1", "https://127.0.0.1:8080",
        ] { #expect(!origins.contains(try TargetURI(other))) }
        #expect(AllowedOrigins(of: ["ftp://x"]).validationError?.code == .invalidBaseURL)
    }
}
