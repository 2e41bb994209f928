// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
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

    @Test("a token is due shortly before its expiry, and valid until then")
    func expiry() throws {
        var state = state()
        let request = try #require(try state.tokenRequest(in: state.generation, at: start))
        #expect(request.refreshToken == nil)
        let isKept = state.obtain(token("a"), for: request, at: start)
        #expect(isKept)
        #expect(!state.isDue(at: start + 3569))
        #expect(state.isDue(at: start + 3571))
        #expect(state.isValid(at: start + 3599))
        #expect(!state.isValid(at: start + 3600))
        #expect(!state.isDue(at: start + 3600))
        #expect(try state.tokenRequest(in: state.generation, at: start + 10) == nil)
        #expect(try state.tokenRequest(in: state.generation, at: start + 3571) != nil)
    }

    @Test("a lifetime shorter than the leeway, or none, does not cause a token request for every load")
    func shortLifetime() throws {
        var state = state()
        let request = try #require(try state.tokenRequest(in: state.generation, at: start))
        _ = state.obtain(token("a", lifetime: 10), for: request, at: start)
        #expect(!state.isDue(at: start + 4))
        #expect(state.isDue(at: start + 6))
        #expect(state.isValid(at: start + 6))
        #expect(!state.isValid(at: start + 10))
        _ = state.obtain(token("b", lifetime: nil), for: request, at: start)
        #expect(state.isValid(at: .distantFuture))
    }

    @Test("a refresh token rotates, and stays if the server sends no new one")
    func rotation() throws {
        var state = state(.refreshToken("r0"))
        var request = try #require(try state.tokenRequest(in: state.generation, at: start))
        #expect(request.refreshToken == "r0")
        _ = state.obtain(token("a", refresh: "r1", lifetime: 100), for: request, at: start)
        request = try #require(try state.tokenRequest(in: state.generation, at: start + 100))
        #expect(request.refreshToken == "r1")
        _ = state.obtain(token("b", lifetime: 200), for: request, at: start + 100)
        #expect(state.token?.refreshToken == "r1")
    }

    @Test("an invalid refresh token is not used again")
    func lostRefreshToken() throws {
        var state = state(.refreshToken("r0"))
        let request = try #require(try state.tokenRequest(in: state.generation, at: start))
        var isDropped = state.dropRefreshToken(of: request, at: start)
        #expect(isDropped)
        #expect(throws: OAuth2.TokenError.notLoggedIn) { try state.tokenRequest(in: state.generation, at: start) }
        state.logIn(with: token("a", refresh: "r1"), at: start)
        #expect(state.accessToken == "a")
        // A late error of the old refresh token does not affect the new one.
        isDropped = state.dropRefreshToken(of: request, at: start)
        #expect(!isDropped)
        #expect(state.accessToken == "a")
    }

    @Test("a valid access token stays in use when its refresh token is lost, and is not due again")
    func lostWhileValid() throws {
        var state = state(.refreshToken("r0"))
        var request = try #require(try state.tokenRequest(in: state.generation, at: start))
        _ = state.obtain(token("a", refresh: "r1"), for: request, at: start)
        request = try #require(try state.tokenRequest(in: state.generation, at: start + 3580))
        let isDropped = state.dropRefreshToken(of: request, at: start + 3581)
        #expect(isDropped)
        #expect(state.isValid(at: start + 3590))
        #expect(!state.isDue(at: start + 3590))
        #expect(state.token == token("a"))
        let end = start + 3600
        #expect(throws: OAuth2.TokenError.notLoggedIn) { try state.tokenRequest(in: state.generation, at: end) }
    }

    @Test("after a failure the endpoint is not asked for 1 s, then 2 s, up to a minute, while the token is valid")
    func backoff() throws {
        var state = state(leeway: .seconds(1000))
        let request = try #require(try state.tokenRequest(in: state.generation, at: start))
        _ = state.obtain(token("a"), for: request, at: start)
        var now = start + 2600
        for pause in [1.0, 2, 4, 8, 16, 32, 60, 60] {
            #expect(state.isDue(at: now))
            state.fail(request, at: now)
            #expect(!state.isDue(at: now))
            #expect(!state.isDue(at: now + pause - 0.5))
            now += pause
        }
        state.fail(request, at: now)
        #expect(try state.tokenRequest(in: state.generation, at: now + 1) == nil)
        #expect(try state.tokenRequest(in: state.generation, at: start + 3600) != nil)
        _ = state.obtain(token("b", lifetime: 7200), for: request, at: start + 3600)
        #expect(state.isDue(at: start + 7000))
        state.fail(request, at: start + 7000)
        // A clock that is set back does not prolong the pause.
        #expect(state.isDue(at: start + 6900))
    }

    @Test("an access token that cannot be sent is not used", arguments: ["", "a b", "tok\n", "tökén", "\u{7F}"])
    func unusable(accessToken: String) throws {
        var state = state(.refreshToken())
        state.restore(token(accessToken, refresh: "r"), at: start)
        #expect(!state.isValid(at: start))
        #expect(try state.tokenRequest(in: state.generation, at: start)?.refreshToken == "r")
        state.logIn(with: token(accessToken, refresh: "s"), at: start)
        #expect(state.accessToken == nil)
        #expect(try state.tokenRequest(in: state.generation, at: start)?.refreshToken == "s")
    }

    @Test("a token that was requested before a login or logout is discarded")
    func logOut() throws {
        var state = state()
        let request = try #require(try state.tokenRequest(in: state.generation, at: start))
        state.logOut()
        #expect(state.isLoggedOut)
        #expect(try state.tokenRequest(in: request.generation, at: start) == nil)
        let isKept = state.obtain(token("a"), for: request, at: start)
        #expect(!isKept)
        #expect(state.accessToken == nil)
        #expect(state.token == nil)
        state.restore(token("stored"), at: start)
        #expect(state.accessToken == nil)
    }

    @Test("a stored token is restored only while no other token is held")
    func restore() {
        var state = state()
        state.restore(token("stored"), at: start)
        #expect(state.accessToken == "stored")
        state.restore(token("other"), at: start)
        #expect(state.accessToken == "stored")
    }

    @Test("a refused credential is dropped once; older ones are known, others are not")
    func rejection() {
        var secret = RotatingSecret(limit: 3)
        secret.obtain("a", at: start)
        #expect(secret.reject("x", at: start) == .foreign)
        #expect(secret.reject("a", at: start) == .dropped)
        #expect(secret.current == nil)
        #expect(secret.reject("a", at: start) == .outdated)
        secret.obtain("b", at: start)
        #expect(secret.reject("a", at: start) == .outdated)
        #expect(secret.current == "b")
        secret.obtain("c", at: start)
        #expect(secret.reject("b", at: start) == .outdated)
        secret.forget()
        #expect(secret.reject("c", at: start) == .foreign)
    }

    @Test("three refused credentials in a row are dropped, further ones only after a minute")
    func streak() {
        var secret = RotatingSecret(limit: 3)
        secret.obtain("old", at: start - 3600)
        #expect(secret.reject("old", at: start) == .dropped)
        for name in ["a", "b"] {
            secret.obtain(name, at: start)
            #expect(secret.reject(name, at: start + 1) == .dropped)
        }
        secret.obtain("c", at: start)
        #expect(secret.reject("c", at: start + 1) == .givenUp)
        #expect(secret.reject("c", at: start + 2) == .givenUp)
        #expect(secret.current == "c")
        #expect(secret.reject("c", at: start + 61) == .dropped)
        secret.obtain("d", at: start + 61)
        #expect(secret.reject("d", at: start + 62) == .dropped)
    }

    @Test("a credential that cannot be replaced is never dropped")
    func fixed() {
        var secret = RotatingSecret(limit: 0)
        secret.obtain("k", at: start)
        #expect(secret.reject("k", at: start + 3600) == .givenUp)
        #expect(secret.current == "k")
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
