// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import Swifty

@Suite("OAuth2: renewal while the token is valid", .timeLimit(.minutes(15)))
struct OAuth2RenewalTests {
    private let clock = TestTime()
    private let stub = StubTransport()

    private func oauth(_ endpoint: StubTransport, storage: (any OAuth2.TokenStorage)? = nil) -> OAuth2 {
        OAuth2(
            tokenURL: "https://auth.example.com/token",
            clientID: "id",
            grant: .refreshToken("r-0"),
            for: "https://api.example.com",
            leeway: .seconds(1800),
            storage: storage,
            through: Swifty(transport: endpoint),
            now: { [clock] in clock.now }
        )
    }

    private func swifty(_ oauth: OAuth2) -> Swifty {
        Swifty(transport: stub) {
            $0.use(oauth)
        }
    }

    /// An endpoint that issues one token, and then responds as the closure says.
    private func endpoint(
        then respond: @escaping @Sendable (Int) async -> TransportResponse
    ) -> StubTransport {
        let count = Counter()
        return StubTransport { _ in
            let number = count.increment()
            return number == 1 ? Self.token("access-1") : await respond(number)
        }
    }

    private static func token(_ name: String) -> TransportResponse {
        let body = #"{"access_token":"\#(name)","expires_in":3600,"refresh_token":"refresh-\#(name)"}"#
        return TransportResponse(head: ResponseHead(statusCode: 200), content: Data(body.utf8))
    }

    private static func failure(_ status: Int, _ body: String = "") -> TransportResponse {
        TransportResponse(head: ResponseHead(statusCode: status), content: Data(body.utf8))
    }

    private func load(_ count: Int, _ swifty: Swifty) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { _ = try await swifty.api.get("x").load() } }
            try await group.waitForAll()
        }
    }

    @Test("an endpoint that is down fails no load while the token is valid, and is asked with pauses")
    func down() async throws {
        let endpoint = endpoint { _ in Self.failure(503) }
        let oauth = oauth(endpoint)
        let swifty = swifty(oauth)
        try await load(1, swifty)
        clock.advance(by: 1810)
        try await load(50, swifty)
        #expect(endpoint.requests.count <= 2)
        for requests in 2...4 {
            while endpoint.requests.count < requests {
                clock.advance(by: 0.5)
                try await load(5, swifty)
            }
        }
        #expect(stub.requests.allSatisfy { $0.headers[.authorization] == "Bearer access-1" })
        #expect(oauth.hasValidToken)
        clock.advance(by: 3600)
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        #expect(
            error?.underlying as? OAuth2.TokenError
                == .unexpectedResponse(statusCode: 503, reason: "without an OAuth error")
        )
    }

    @Test("an endpoint that hangs is asked once, and no load waits for it; then the new token is used")
    func hanging() async throws {
        let gate = Gate()
        let endpoint = endpoint { number in
            await gate.wait()
            return Self.token("access-\(number)")
        }
        let swifty = swifty(oauth(endpoint))
        try await load(1, swifty)
        clock.advance(by: 3310)
        try await load(50, swifty)
        #expect(endpoint.requests.count <= 2)
        // The token expires while the request is in progress: loads wait for that one.
        clock.advance(by: 300)
        let waiting = Task { try await load(20, swifty) }
        try await until { endpoint.requests.count == 2 }
        gate.open()
        try await waiting.value
        #expect(endpoint.requests.count == 2)
        #expect(stub.requests.prefix(51).allSatisfy { $0.headers[.authorization] == "Bearer access-1" })
        #expect(stub.requests.suffix(20).allSatisfy { $0.headers[.authorization] == "Bearer access-2" })
    }

    @Test("a refresh token that is revoked ends the login when the access token expires")
    func revoked() async throws {
        let endpoint = endpoint { _ in Self.failure(400, #"{"error":"invalid_grant"}"#) }
        let storage = MemoryStorage(nil)
        let swifty = swifty(oauth(endpoint, storage: storage))
        try await load(1, swifty)
        clock.advance(by: 3310)
        try await load(5, swifty)
        try await until { storage.token?.refreshToken == nil }
        #expect(storage.token?.accessToken == "access-1")
        clock.advance(by: 100)
        try await load(5, swifty)
        clock.advance(by: 3600)
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        #expect(error?.underlying as? OAuth2.TokenError == .notLoggedIn)
        #expect(endpoint.requests.count == 2)
    }

    @Test("invalid_grant with a server error keeps the refresh token", arguments: [500, 503, 429])
    func serverError(status: Int) async throws {
        let count = Counter()
        let endpoint = StubTransport { _ in
            count.increment() == 1
                ? Self.failure(status, #"{"error":"invalid_grant"}"#) : Self.token("access-2")
        }
        let swifty = swifty(oauth(endpoint))
        await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        try await load(1, swifty)
        #expect(stub.requests.last?.headers[.authorization] == "Bearer access-2")
    }

    @Test("a token that is refused while it is stored is replaced")
    func refusedWhileStored() async throws {
        let gate = Gate()
        let endpoint = endpoint { number in Self.token("access-\(number)") }
        let storage = SlowStorage(gate)
        let session = oauth(endpoint, storage: storage).session
        let first = Task { try await session.renewCredential() }
        try await until { storage.isStoring }
        #expect(session.invalidate("access-1"))
        let second = Task { try await session.renewCredential() }
        // The second call joins the run that stores the token.
        for _ in 0..<1_000 { await Task.yield() }
        gate.open()
        try await first.value
        try await second.value
        #expect(session.hasValidCredential)
        #expect(session.useAccessToken() == "access-2")
        #expect(endpoint.requests.count == 2)
    }

    @Test("a stored token that is due is used at once, and replaced in the background")
    func stored() async throws {
        let gate = Gate()
        let stored = OAuth2.Token(accessToken: "stored", refreshToken: "r", expiresAt: clock.now + 3600)
        let endpoint = StubTransport { _ in
            await gate.wait()
            return Self.token("new")
        }
        let swifty = swifty(oauth(endpoint, storage: MemoryStorage(stored)))
        clock.advance(by: 3500)
        try await load(5, swifty)
        // Of a stored token only the rest of its lifetime is known, and half of that is the most that the leeway takes.
        clock.advance(by: 60)
        try await load(5, swifty)
        #expect(stub.requests.allSatisfy { $0.headers[.authorization] == "Bearer stored" })
        gate.open()
        while stub.requests.last?.headers[.authorization] != "Bearer new" { try await load(1, swifty) }
        #expect(endpoint.requests.count == 1)
    }
}

/// A storage without tokens whose writes last until its gate is open.
private final class SlowStorage: OAuth2.TokenStorage {
    private let gate: Gate
    private let saveCount = Counter()

    init(_ gate: Gate) {
        self.gate = gate
    }

    var isStoring: Bool { saveCount.value > 0 }

    func load() async -> OAuth2.Token? { nil }

    func save(_ token: OAuth2.Token?) async {
        saveCount.increment()
        await gate.wait()
    }
}
