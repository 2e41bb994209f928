// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("OAuth2 over time", .timeLimit(.minutes(15)))
struct OAuth2LifetimeTests {
    private let api = "https://api.example.com"
    private let tokenURL = "https://auth.example.com/oauth/token"

    @Test("does not use an invalid refresh token again, and needs a login")
    func invalidGrant() async throws {
        let endpoint = StubTransport(status: 400, content: #"{"error":"invalid_grant"}"#)
        let storage = MemoryStorage(OAuth2.Token(accessToken: "old", refreshToken: "r", expiresAt: .distantPast))
        let oauth = OAuth2(
            tokenURL: tokenURL,
            clientID: "id",
            grant: .refreshToken(),
            for: api,
            storage: storage,
            through: Swifty(transport: endpoint)
        )
        let stub = StubTransport()
        let swifty = swifty(oauth, stub)
        for expected in [OAuth2.TokenError.refused(code: "invalid_grant", message: nil), .notLoggedIn, .notLoggedIn] {
            let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
            #expect(error?.underlying as? OAuth2.TokenError == expected)
        }
        #expect(endpoint.requests.count == 1)
        #expect(storage.token == nil)
        await oauth.logIn(with: OAuth2.Token(accessToken: "new", refreshToken: "r2"))
        _ = try await swifty.api.get("x").load()
        #expect(stub.requests.last?.headers[.authorization] == "Bearer new")
        #expect(storage.token?.accessToken == "new")
    }

    @Test("discards the token of a request that a logout has overtaken")
    func logOut() async throws {
        for _ in 0..<20 {
            let gate = Gate()
            let issuer = TokenIssuer(gate: gate)
            let storage = MemoryStorage(nil)
            let oauth = OAuth2(
                tokenURL: tokenURL,
                clientID: "id",
                grant: .refreshToken("r"),
                for: api,
                storage: storage,
                through: issuer.swifty
            )
            let stub = StubTransport()
            let swifty = swifty(oauth, stub)
            let load = Task { try await swifty.api.get("x").load() }
            try await until { issuer.requests.count == 1 }
            await oauth.logOut()
            gate.open()
            let error = await #expect(throws: SwiftyError.self) { try await load.value }
            #expect(error?.underlying as? OAuth2.TokenError == .loggedOut)
            #expect(!oauth.hasValidToken)
            #expect(storage.token == nil)
            #expect(stub.requests.isEmpty)
            let later = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
            #expect(later?.underlying as? OAuth2.TokenError == .notLoggedIn)
        }
    }

    @Test("keeps a refreshed token even if no load waits for it any more")
    func abandoned() async throws {
        let gate = Gate()
        let issuer = TokenIssuer(gate: gate)
        let oauth = OAuth2(
            tokenURL: tokenURL,
            clientID: "id",
            grant: .refreshToken("r"),
            for: api,
            through: issuer.swifty
        )
        let stub = StubTransport()
        let swifty = swifty(oauth, stub)
        let load = Task { try await swifty.api.get("x").load() }
        try await until { issuer.requests.count == 1 }
        load.cancel()
        _ = await load.result
        let next = Task { try await swifty.api.get("x").load() }
        gate.open()
        _ = try await next.value
        #expect(issuer.requests.count == 1)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer access-1"])
    }

    @Test("starts with the stored token, and stores every new one")
    func storage() async throws {
        let clock = TestTime()
        let stored = OAuth2.Token(accessToken: "stored", refreshToken: "r", expiresAt: clock.now + 100)
        let storage = MemoryStorage(stored)
        let issuer = TokenIssuer()
        let oauth = OAuth2(
            tokenURL: tokenURL,
            clientID: "id",
            grant: .refreshToken(),
            for: api,
            storage: storage,
            through: issuer.swifty,
            now: { clock.now }
        )
        let stub = StubTransport()
        let swifty = swifty(oauth, stub)
        _ = try await swifty.api.get("x").load()
        clock.advance(by: 100)
        _ = try await swifty.api.get("x").load()
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer stored", "Bearer access-1"])
        #expect(issuer.forms.map { $0["refresh_token"] } == ["r"])
        #expect(storage.token?.accessToken == "access-1")
        #expect(storage.token?.refreshToken == "refresh-1")
        await oauth.logOut()
        #expect(storage.token == nil)
    }

    private func swifty(_ oauth: OAuth2, _ transport: any Transport = StubTransport()) -> Swifty {
        Swifty(transport: transport) {
            $0.use(oauth)
        }
    }
}
