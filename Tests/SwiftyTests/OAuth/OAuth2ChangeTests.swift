// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SwiftySupport
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import Swifty

@Suite("OAuth2: a login or a logout during a token request", .timeLimit(.minutes(15)))
struct OAuth2ChangeTests {
    private let gate = Gate()
    private let stub = StubTransport()

    private func oauth(_ issuer: TokenIssuer, storage: (any OAuth2.TokenStorage)? = nil) -> OAuth2 {
        OAuth2(
            tokenURL: "https://auth.example.com/token",
            clientID: "id",
            grant: .refreshToken("r-0"),
            for: "https://api.example.com",
            storage: storage,
            through: issuer.swifty
        )
    }

    /// A load that waits for a token request, to which the server does not respond while the gate is closed.
    private func waitingLoad(_ oauth: OAuth2, _ issuer: TokenIssuer) async throws -> Task<NetworkResponse, any Error> {
        let swifty = Swifty(transport: stub) { $0.use(oauth) }
        let load = Task { try await swifty.api.get("x").load() }
        try await until { issuer.requests.count == 1 }
        return load
    }

    private func token(_ name: String, isExpired: Bool = false) -> OAuth2.Token {
        let expiry = Date(timeIntervalSinceNow: isExpired ? -5 : 3600)
        return OAuth2.Token(accessToken: name, refreshToken: "r-\(name)", expiresAt: expiry)
    }

    @Test("a login lets the waiting loads continue with its token")
    func login() async throws {
        let issuer = TokenIssuer(gate: gate)
        let oauth = oauth(issuer)
        let load = try await waitingLoad(oauth, issuer)
        await oauth.logIn(with: token("login"))
        _ = try await load.value
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer login"])
        gate.open()
    }

    @Test("a login whose access token has expired renews it for the waiting loads")
    func expiredLogin() async throws {
        let issuer = TokenIssuer(gate: gate)
        let oauth = oauth(issuer)
        let load = try await waitingLoad(oauth, issuer)
        await oauth.logIn(with: token("login", isExpired: true))
        try await until { issuer.requests.count == 2 }
        #expect(issuer.forms.map { $0["refresh_token"] } == ["r-0", "r-login"])
        gate.open()
        _ = try await load.value
        #expect(oauth.hasValidToken)
        // The token of the first request is discarded, in whichever order the responses come.
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer access-2"])
    }

    @Test("a token request of an earlier login fails no load")
    func lateFailure() async throws {
        let issuer = TokenIssuer(gate: gate, status: 400)
        let oauth = oauth(issuer)
        let load = try await waitingLoad(oauth, issuer)
        await oauth.logIn(with: token("login"))
        gate.open()
        _ = try await load.value
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer login"])
    }

    @Test("a token request that has failed just before a login fails no load that has not heard of it")
    func failureBeforeLogin() async throws {
        let issuer = TokenIssuer(gate: gate, status: 400)
        let session = oauth(issuer).session
        let queue = DispatchQueue(label: "held")
        let load = Task(executorPreference: QueueExecutor(queue)) { try await session.renewCredential() }
        try await until { issuer.requests.count == 1 }
        queue.suspend()
        let other = Task { try await session.renewCredential() }
        gate.open()
        await #expect(throws: (any Error).self) { try await other.value }
        await session.logIn(with: token("login"))
        queue.resume()
        try await load.value
        #expect(session.useAccessToken() == "login")
    }

    @Test("a logout fails the waiting loads at once")
    func logout() async throws {
        let issuer = TokenIssuer(gate: gate)
        let oauth = oauth(issuer)
        let load = try await waitingLoad(oauth, issuer)
        await oauth.logOut()
        let error = await #expect(throws: SwiftyError.self) { try await load.value }
        #expect(error?.code == .constraintFailed)
        #expect(error?.underlying as? OAuth2.TokenError == .loggedOut)
        #expect(stub.requests.isEmpty)
        gate.open()
    }

    @Test("a renewal that began before a login does not send the login's refresh token")
    func earlierRenewal() async throws {
        let issuer = TokenIssuer()
        let storage = HeldStorage(gate)
        let oauth = oauth(issuer, storage: storage)
        let first = Task { try await oauth.session.renewCredential() }
        try await until { storage.isAsked }
        await oauth.logIn(with: token("login", isExpired: true))
        try await oauth.session.renewCredential()
        try await first.value
        gate.open()
        try await until { storage.hasResponded }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(issuer.forms.map { $0["refresh_token"] } == ["r-login"])
    }

    @Test("a cancelled wait ends at once, and the token request continues")
    func cancelledWait() async throws {
        let issuer = TokenIssuer(gate: gate)
        let oauth = oauth(issuer)
        let load = try await waitingLoad(oauth, issuer)
        let wait = Task { try await oauth.session.renewCredential() }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        gate.open()
        _ = try await load.value
        #expect(issuer.requests.count == 1)
    }
}

/// A storage without tokens that responds when its gate is open.
private final class HeldStorage: OAuth2.TokenStorage {
    private let gate: Gate
    private let progress = Mutex((isAsked: false, hasResponded: false))

    init(_ gate: Gate) {
        self.gate = gate
    }

    var isAsked: Bool { progress.withLock { $0.isAsked } }
    var hasResponded: Bool { progress.withLock { $0.hasResponded } }

    func load() async -> OAuth2.Token? {
        progress.withLock { $0.isAsked = true }
        await gate.wait()
        progress.withLock { $0.hasResponded = true }
        return nil
    }

    func save(_ token: OAuth2.Token?) async {}
}
