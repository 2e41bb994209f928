// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import Synchronization
import TestSupport
import Testing

/// The sample of Docs/Credentials.md, run against a server that issues and revokes tokens.
@Suite("The OAuth sample", .serialized, .timeLimit(.minutes(15)))
struct OAuthSampleTests {
    @Test("is the one that these tests run, and compiles without a prelude")
    func text() async throws {
        let snippets = DocumentationTests.snippets.filter { $0.file == "Docs/Credentials.md" }
        let snippet = try #require(snippets.first { $0.code.contains("class SignedIn") })
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "OAuthSample.swift")
        let sample = try String(contentsOf: file, encoding: .utf8)
        let code = snippet.code.replacing(
            /static let serverURL = "https:\/\/(accounts|shop)\.example\.com"/,
            with: "static var serverURL: String { SampleServer.url }"
        )
        #expect(sample.hasSuffix("\n\n\(code)\n"), "Docs/Credentials.md and OAuthSample.swift differ")
        #expect(try await Compiler.diagnose(["sample.swift": snippet.code]) == "")
    }

    private func signedIn() async throws -> SampleServer {
        let server = try SampleServer.start()
        Session.shared.signIn(try await Accounts.signIn("ada", password: "secret").load())
        return server
    }

    @Test("sends the access token, and replaces one that was revoked without the caller noticing")
    func accessToken() async throws {
        let server = try await signedIn()
        #expect(try await Shop.orders().load().string == "orders of ada")
        #expect(server.tokenRequests == ["password"])
        #expect(server.refusals == 0)
        for round in 1...20 {
            server.revokeAccess()
            let loads = (0..<50).map { _ in Task { try await Shop.orders().load().text() } }
            for load in loads { #expect(try await load.value == "orders of ada") }
            #expect(server.tokenRequests.count == 1 + round)
        }
    }

    @Test("asks the user, and not the server, once the refresh token is revoked, until the user has signed in")
    func refreshToken() async throws {
        let server = try await signedIn()
        server.revokeAll()
        for _ in 0..<3 {
            let error = await #expect(throws: SwiftyError.self) { try await Shop.orders().load() }
            #expect(error?.code == .constraintFailed)
            #expect(error?.underlying is SignInNeeded)
        }
        #expect(server.tokenRequests == ["password", "refresh_token"])
        #expect(server.refusals == 1)
        #expect(Session.shared.accessToken == nil)
        #expect(Session.shared.refreshToken == nil)
        let asked = Mutex(0)
        let text = try await orders {
            asked.withLock { $0 += 1 }
            return ("ada", "secret")
        }
        #expect(text == "orders of ada")
        #expect(asked.withLock { $0 } == 1)
        #expect(try await orders { throw CancellationError() } == "orders of ada")
        #expect(server.tokenRequests == ["password", "refresh_token", "password"])
    }

    @Test("keeps the refresh token when the server fails, and tries again with the next load")
    func trouble() async throws {
        let server = try await signedIn()
        server.revokeAccess()
        server.isInTrouble = true
        let error = await #expect(throws: SwiftyError.self) { try await Shop.orders().load() }
        #expect(error?.code == .constraintFailed)
        #expect((error?.underlying as? SwiftyError)?.statusCode == 500)
        server.isInTrouble = false
        #expect(try await Shop.orders().load().string == "orders of ada")
    }
}

/// A token endpoint, and a resource that needs the latest token.
final class SampleServer: Sendable {
    private struct State {
        var issued = 0
        var access: String?
        var refresh: String?
        var isInTrouble = false
        var refusals = 0
        var tokenRequests: [String] = []
    }

    private static let current = Mutex("")
    static var url: String { current.withLock { $0 } }

    private let server: LoopbackServer
    private let state = Mutex(State())

    /// Starts a server, and points the sample's services at it.
    static func start() throws -> SampleServer {
        let server = try SampleServer()
        current.withLock { $0 = server.server.url }
        return server
    }

    private init() throws {
        server = try LoopbackServer()
        server.route("POST", "/token") { [weak self] in self?.issue($0) ?? .status(500) }
        server.route("GET", "/orders") { [weak self] in self?.serve($0) ?? .status(500) }
    }

    var refusals: Int { state.withLock { $0.refusals } }
    /// The requested grants, in order.
    var tokenRequests: [String] { state.withLock { $0.tokenRequests } }

    var isInTrouble: Bool {
        get { state.withLock { $0.isInTrouble } }
        set { state.withLock { $0.isInTrouble = newValue } }
    }

    func revokeAccess() {
        state.withLock { $0.access = nil }
    }

    func revokeAll() {
        state.withLock { ($0.access, $0.refresh) = (nil, nil) }
    }

    private func issue(_ request: RecordedRequest) -> LoopbackResponse {
        let form = Dictionary(
            uniqueKeysWithValues: String(decoding: request.content, as: UTF8.self).split(separator: "&").map { pair in
                let parts = pair.split(separator: "=").map(String.init)
                return (parts[0], parts[1])
            }
        )
        return state.withLock { state in
            state.tokenRequests.append(form["grant_type"] ?? "")
            if state.isInTrouble { return .status(500) }
            let isKnown = form["password"] == "secret" || state.refresh != nil && form["refresh_token"] == state.refresh
            guard isKnown else { return .json(["error": "invalid_grant"], status: 400) }
            state.issued += 1
            (state.access, state.refresh) = ("access-\(state.issued)", "refresh-\(state.issued)")
            return .json(["access_token": state.access, "refresh_token": state.refresh])
        }
    }

    private func serve(_ request: RecordedRequest) -> LoopbackResponse {
        state.withLock { state in
            if let access = state.access, request["Authorization"] == "Bearer \(access)" {
                return .text("orders of ada")
            }
            state.refusals += 1
            return .status(401)
        }
    }
}
