// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyCurl
import SwiftyTestServers
import Synchronization
import Testing

/// Tests over real sockets, with the requests counted at the server.
@Suite("OAuth2 and API keys over sockets", .timeLimit(.minutes(15)))
struct OAuthServerTests {
    @Test("1,000 loads without a token, or with an expired one, cause one token request")
    func storm() async throws {
        let server = try await AuthorizedServer.start(lifetime: 100)
        let clock = TestTime()
        let oauth = server.oauth(now: { clock.now })
        let swifty = Swifty { $0.use(oauth) }
        for round in 1...2 {
            try await load(1_000, BaseResource(server.url, networkInterface: swifty))
            #expect(server.tokenRequests == round)
            clock.advance(by: 1_000)
        }
        #expect(server.refusals == 0)
    }

    @Test("1,000 loads with a revoked token cause one token request, and all succeed")
    func revoked() async throws {
        let server = try await AuthorizedServer.start()
        let oauth = server.oauth()
        let swifty = Swifty { $0.use(oauth) }
        let base = BaseResource(server.url, networkInterface: swifty)
        try await load(1, base)
        for round in 2...4 {
            server.revoke()
            try await load(1_000, base)
            #expect(server.tokenRequests == round)
        }
    }

    @Test("a server that refuses every token gets a few, and the caller gets the 401")
    func streak() async throws {
        let server = try await AuthorizedServer.start(takesTokens: false)
        // Refusals count for a minute after a token was obtained; this clock stands still.
        let now = Date()
        let oauth = server.oauth(now: { now })
        let swifty = Swifty { $0.use(oauth) }
        let base = BaseResource(server.url, networkInterface: swifty)
        for _ in 0..<20 {
            let error = await #expect(throws: SwiftyError.self) { try await base.get("protected").load() }
            #expect(error?.statusCode == 401)
        }
        #expect(server.tokenRequests == 4)
        // One more attempt for each token that was dropped.
        #expect(server.refusals == 23)
    }

    @Test("the load after a 401 gets a new token, even if the refused request is not repeated")
    func nextLoad() async throws {
        let server = try await AuthorizedServer.start()
        let oauth = server.oauth()
        let swifty = Swifty { $0.use(oauth) }
        let base = BaseResource(server.url, networkInterface: swifty)
        try await load(1, base)
        server.revoke()
        // A `Swifty` without the constraint does not repeat the request.
        let unheld = Swifty(requestInterceptors: [oauth.interceptor])
        let refused = try await BaseResource(server.url, networkInterface: unheld).get("protected")
            .validate(status: .any).load()
        #expect(refused.statusCode == 401)
        #expect(server.refusals == 1)
        #expect(oauth.hasValidToken)
        #expect(await oauth.constraint.invalidate(after: refused))
        #expect(!oauth.hasValidToken)
        #expect(server.tokenRequests == 1)
        // A second call has no effect.
        #expect(await oauth.constraint.invalidate(after: refused))
        try await load(1, base)
        #expect(server.tokenRequests == 2)
        #expect(server.refusals == 1)
        // Nor does a call after the token was replaced.
        #expect(await oauth.constraint.invalidate(after: refused))
        #expect(oauth.hasValidToken)
        let other = try await base.get("protected").load()
        #expect(await !oauth.constraint.invalidate(after: other))
    }

    @Test("a token is never sent to another origin")
    func otherOrigin() async throws {
        let server = try await AuthorizedServer.start()
        let other = try LoopbackServer()
        let oauth = server.oauth()
        let swifty = Swifty { $0.use(oauth) }
        try await load(1, BaseResource(server.url, networkInterface: swifty))
        _ = try await BaseResource(other.url, networkInterface: swifty).get("get").load()
        // Another name of the same server is another origin.
        let byName = BaseResource("http://localhost:\(server.server.port)", networkInterface: swifty)
        _ = try? await byName.get("get").load()
        // A redirect to the other server.
        server.server.route("GET", "/away") { _ in .status(302, headers: [("Location", other.url + "/get")]) }
        _ = try await BaseResource(server.url, networkInterface: swifty).get("away").load()
        #expect(server.server.log.last?["Authorization"]?.hasPrefix("Bearer ") == true)
        #expect(other.log.count == 2)
        #expect(other.log.requests.allSatisfy { $0["Authorization"] == nil })
        #expect(server.server.log.requests(path: "/get").allSatisfy { $0["Authorization"] == nil })
    }

    @Test("an API key is never sent to another origin, not even after a redirect")
    func keyAtOtherOrigin() async throws {
        let server = try LoopbackServer()
        let other = try LoopbackServer()
        server.route("GET", "/away") { _ in .status(302, headers: [("Location", other.url + "/get")]) }
        let key = APIKey("k-1", for: server.url)
        let swifty = Swifty(requestInterceptors: [key.interceptor])
        _ = try await BaseResource(server.url, networkInterface: swifty).get("away").load()
        _ = try await BaseResource(other.url, networkInterface: swifty).get("get").load()
        #expect(server.log.last?["X-API-Key"] == "k-1")
        #expect(other.log.count == 2)
        #expect(other.log.requests.allSatisfy { $0["X-API-Key"] == nil })
    }

    private func load(_ count: Int, _ base: BaseResource) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { _ = try await base.get("protected").load() } }
            try await group.waitForAll()
        }
    }
}

/// A server with a token endpoint, and with a resource that needs the latest token.
private final class AuthorizedServer: Sendable {
    private struct State {
        var issued = 0
        var valid: String?
        var refusals = 0
    }

    let server: LoopbackServer
    private let state = Mutex(State())
    private let lifetime: Int
    private let takesTokens: Bool

    static func start(lifetime: Int = 3600, takesTokens: Bool = true) async throws -> AuthorizedServer {
        let server = try AuthorizedServer(lifetime, takesTokens)
        server.server.route("POST", "/token") { [weak server] _ in server?.issue() ?? .status(500) }
        server.server.route("GET", "/protected") { [weak server] in server?.serve($0) ?? .status(500) }
        return server
    }

    private init(_ lifetime: Int, _ takesTokens: Bool) throws {
        server = try LoopbackServer()
        self.lifetime = lifetime
        self.takesTokens = takesTokens
    }

    var url: String { server.url }
    var tokenRequests: Int { server.log.count(path: "/token") }
    var refusals: Int { state.withLock { $0.refusals } }

    func revoke() {
        state.withLock { $0.valid = nil }
    }

    func oauth(now: @escaping @Sendable () -> Date = { Date() }) -> OAuth2 {
        OAuth2(tokenURL: url + "/token", clientID: "id", clientSecret: "s", for: url, now: now)
    }

    private func issue() -> LoopbackResponse {
        let token = state.withLock { state in
            state.issued += 1
            state.valid = "token-\(state.issued)"
            return "token-\(state.issued)"
        }
        return .text(#"{"access_token":"\#(token)","token_type":"bearer","expires_in":\#(lifetime)}"#)
    }

    private func serve(_ request: RecordedRequest) -> LoopbackResponse {
        state.withLock { state in
            if takesTokens, let valid = state.valid, request["Authorization"] == "Bearer \(valid)" {
                return .text("ok")
            }
            state.refusals += 1
            return .status(401, headers: [("WWW-Authenticate", "Bearer")])
        }
    }
}
