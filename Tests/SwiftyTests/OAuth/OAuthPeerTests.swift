// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import Swifty

/// Against the authorization server of Python's package authlib, see `Tests/Peers/authorization.py`.
@Suite("OAuth2 with the authlib of PyPI", .timeLimit(.minutes(15)))
struct OAuthPeerTests {
    private let redirect = "http://127.0.0.1:8400/login"
    private let browser = Swifty { $0.redirects = .none }

    private func oauth(
        _ peer: PeerServer,
        client: String = "tool",
        secret: String? = nil,
        storage: (any OAuth2.TokenStorage)? = nil,
        clock: any Clock<Duration> = NotingClock()
    ) -> OAuth2 {
        OAuth2(
            tokenURL: "\(peer.url)/token",
            clientID: client,
            clientSecret: secret,
            grant: .refreshToken(),
            scope: "orders",
            for: peer.url,
            storage: storage,
            through: WaitingInterface(base: Swifty(), clock: clock)
        )
    }

    private func begin(_ oauth: OAuth2, _ peer: PeerServer, deny: Bool = false) throws -> OAuth2.Login {
        try oauth.beginLogin(
            authorizationURL: "\(peer.url)/authorize",
            redirectURI: redirect,
            issuer: peer.url,
            parameters: deny ? ["deny": "1"] : [:]
        )
    }

    /// The URL to which the server leads the browser.
    private func callback(_ url: String) async throws -> String {
        let response = try await BaseResource(url, networkInterface: browser).get().validate(status: .any).load()
        return try #require(response.head?.headers[.location], "\(response.string ?? "")")
    }

    private func orders(_ oauth: OAuth2, _ peer: PeerServer) async throws -> String {
        try await BaseResource(peer.url, networkInterface: Swifty { $0.use(oauth) }).get("orders").load().text()
    }

    private func post(_ path: String, _ fields: [String: String], _ peer: PeerServer) async throws {
        try await BaseResource(peer.url, networkInterface: browser).post("\(raw: path)").fields(fields).load()
    }

    @Test("exchanges a code, and rotates the refresh token", arguments: [("tool", nil), ("web", "web-secret")])
    func code(client: String, secret: String?) async throws {
        let peer = try await PeerServer.authorization()
        let storage = MemoryStorage(nil)
        let oauth = oauth(peer, client: client, secret: secret, storage: storage)
        let login = try begin(oauth, peer)
        let callback = try await callback(login.url)
        try await login.finish(with: callback)
        #expect(try await orders(oauth, peer) == "orders of ada")
        var refreshTokens = [try #require(storage.token?.refreshToken)]
        for _ in 0..<3 {
            try await post("revoke", [:], peer)
            let loads = (0..<20).map { _ in Task { try await orders(oauth, peer) } }
            for load in loads { #expect(try await load.value == "orders of ada") }
            refreshTokens.append(try #require(storage.token?.refreshToken))
        }
        #expect(Set(refreshTokens).count == 4)
        // A refresh token that was replaced is worth nothing, so that these loads have used the new ones.
        let stale = self.oauth(peer, client: client, secret: secret)
        await stale.logIn(with: OAuth2.Token(accessToken: "x", refreshToken: refreshTokens[2], expiresAt: .distantPast))
        let error = await #expect(throws: SwiftyError.self) { try await orders(stale, peer) }
        #expect((error?.underlying as? OAuth2.TokenError)?.description.contains("invalid_grant") == true)
        // Nor is a code that was exchanged.
        await #expect(throws: SwiftyError.self) { try await login.finish(with: callback) }
    }

    @Test("has a wrong verifier refused by the server, and one of another method")
    func verifier() async throws {
        let peer = try await PeerServer.authorization()
        let oauth = oauth(peer)
        let redirectURI = try RedirectURI(redirect)
        let sent = AuthorizationRequest(redirectURI: redirectURI, issuer: peer.url)
        func login(_ request: AuthorizationRequest, _ url: String) -> OAuth2.Login {
            OAuth2.Login(url: url, description: "", session: oauth.session, request: request)
        }
        let endpoint = try TargetURI("\(peer.url)/authorize")
        let url = sent.url(at: endpoint, clientID: "tool", scope: nil, parameters: [:])
        let callback = try await callback(url)
        // The same request with another key: everything but the verifier is right.
        let forged = AuthorizationRequest(redirectURI: redirectURI, issuer: peer.url, state: sent.state)
        let error = await #expect(throws: SwiftyError.self) { try await login(forged, url).finish(with: callback) }
        let expected = OAuth2.TokenError.refused(code: "invalid_grant", message: "Code challenge failed.")
        #expect(error?.underlying as? OAuth2.TokenError == expected)
        #expect(!oauth.hasValidToken)
        try await login(sent, url).finish(with: callback)
        #expect(oauth.hasValidToken)
        let plain = url.replacing("code_challenge_method=S256", with: "code_challenge_method=plain")
        let refused = try await BaseResource(plain, networkInterface: browser).get().validate(status: .any).load()
        #expect(refused.statusCode == 400)
    }

    @Test("fails when the user denies the request, or the issuer is another one")
    func denied() async throws {
        let peer = try await PeerServer.authorization()
        let login = try begin(oauth(peer), peer, deny: true)
        let callback = try await callback(login.url)
        let error = await #expect(throws: SwiftyError.self) { try await login.finish(with: callback) }
        let message = "The resource owner or authorization server denied the request"
        #expect(error?.underlying as? OAuth2.LoginError == .denied(message: message))
        let other = try oauth(peer).beginLogin(
            authorizationURL: "\(peer.url)/authorize",
            redirectURI: redirect,
            issuer: "https://other.example"
        )
        let response = try await self.callback(other.url)
        let mixed = await #expect(throws: SwiftyError.self) { try await other.finish(with: response) }
        #expect(mixed?.underlying as? OAuth2.LoginError == .wrongIssuer)
    }

    @Test(
        "polls for a device code until the user has decided",
        arguments: [("tool", nil, true), ("tool", nil, false), ("web", "web-secret", true)]
    )
    func device(client: String, secret: String?, isApproved: Bool) async throws {
        let peer = try await PeerServer.authorization()
        let code = Mutex("")
        // The user decides while the program waits for the fourth time.
        let clock = NotingClock { number in
            guard number == 4 else { return }
            let fields = ["user_code": code.withLock { $0 }, "approved": isApproved ? "1" : "0"]
            try await post("decide", fields, peer)
        }
        let storage = MemoryStorage(nil)
        let oauth = oauth(peer, client: client, secret: secret, storage: storage, clock: clock)
        func logIn() async throws {
            try await oauth.logInWithDevice(authorizationURL: "\(peer.url)/device") { prompt in
                #expect(prompt.verificationURI == "\(peer.url)/decide")
                #expect(prompt.verificationURIComplete == "\(peer.url)/decide?user_code=\(prompt.userCode)")
                code.withLock { $0 = prompt.userCode }
            }
        }
        if isApproved {
            try await logIn()
            #expect(try await orders(oauth, peer) == "orders of ada")
            try await post("revoke", [:], peer)
            #expect(try await orders(oauth, peer) == "orders of ada")
        } else {
            let error = await #expect(throws: SwiftyError.self) { try await logIn() }
            let message = "The resource owner or authorization server denied the request"
            #expect(error?.underlying as? OAuth2.LoginError == .denied(message: message))
            #expect(storage.token == nil)
        }
        // The server finds the second request too fast.
        #expect(clock.waits == [5, 5, 10, 10])
    }

    @Test("leaves no secret in a recording")
    func recording() async throws {
        let peer = try await PeerServer.authorization()
        let folder = try TemporaryFolder()
        let storage = MemoryStorage(nil)
        let devices = MemoryStorage(nil)
        let code = Mutex("")
        let clock = NotingClock { number in
            let fields = ["user_code": code.withLock { $0 }, "approved": "1"]
            if number == 2 { try await post("decide", fields, peer) }
        }
        let login = try begin(oauth(peer, client: "web", secret: "web-secret", storage: storage), peer)
        let callback = try await callback(login.url)
        try await withCassette(folder.path("login.har"), mode: .all) {
            try await login.finish(with: callback)
            try await oauth(peer, storage: devices, clock: clock)
                .logInWithDevice(authorizationURL: "\(peer.url)/device") { prompt in
                    code.withLock { $0 = prompt.userCode }
                }
        }
        let recorded = String(decoding: try folder.data("login.har"), as: UTF8.self)
        #expect(recorded.contains("urn") && recorded.contains("device_code") && recorded.contains("code_verifier"))
        let query = QueryParameters(query: String(callback.drop { $0 != "?" }.dropFirst()))
        let tokens = [storage, devices].flatMap { [$0.token?.accessToken, $0.token?.refreshToken] }
        for secret in tokens + [query["code"], query["state"], "web-secret"] {
            let secret = try #require(secret)
            #expect(SecretSearch.spelling(of: secret, in: recorded) == nil)
        }
    }
}

extension PeerServer {
    /// PyPI's authlib.
    fileprivate static func authorization() async throws -> PeerServer {
        let folder = URL(filePath: ExternalProgram.peer("authorization.py")).deletingLastPathComponent().path
        return try await start(ExternalProgram.python) { ports, _ in
            [
                "-m", "gunicorn", "authorization:app", "--chdir", folder, "-b", "127.0.0.1:\(ports[0])",
                "--log-level", "error",
            ]
        }
    }
}
