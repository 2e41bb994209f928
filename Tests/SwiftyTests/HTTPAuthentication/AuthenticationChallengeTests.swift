// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

/// A handler made of a closure, which records the challenges.
private final class Prompt: AuthenticationChallenge.Handler {
    private let body: @Sendable (AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition
    private let asked = Recording<AuthenticationChallenge>()
    var challenges: [AuthenticationChallenge] { asked.values }

    init(_ body: @escaping @Sendable (AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition) {
        self.body = body
    }

    func respond(to challenge: AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition {
        asked.append(challenge)
        return try await body(challenge)
    }
}

@Suite("An authentication challenge", .timeLimit(.minutes(15)))
struct AuthenticationChallengeTests {
    private func basic(_ password: String, allowsCleartext: Bool = true) -> CredentialStore.Credential {
        .basic(user: "u", password: password, allowsCleartext: allowsCleartext)
    }

    private func load(
        _ path: String,
        _ server: LoopbackServer,
        _ prompt: Prompt,
        store: CredentialStore.Credential? = nil
    ) async
        -> Result<NetworkResponse, SwiftyError>
    {
        do throws(SwiftyError) {
            let swifty: Swifty
            do { swifty = try authenticating(store, at: server.url, handler: prompt) } catch {
                throw .init(.invalidURL, stage: .building)
            }
            return .success(try await BaseResource(server.url, networkInterface: swifty).get(path).load())
        } catch {
            return .failure(error)
        }
    }

    private func error(_ result: Result<NetworkResponse, SwiftyError>) -> SwiftyError? {
        if case .failure(let error) = result { error } else { nil }
    }

    @Test("is passed to the handler, with its details")
    func question() async throws {
        let server = try LoopbackServer()
        let prompt = Prompt { [self] _ in .use(basic("p")) }
        let result = await load("basic-auth/u/p", server, prompt)
        #expect(try result.get().statusCode == 200)
        let challenge = try #require(prompt.challenges.first)
        #expect(prompt.challenges.count == 1)
        #expect(challenge.origin == server.url)
        #expect(challenge.scheme == "basic")
        #expect(challenge.realm == "Fake Realm")
        #expect(challenge.parameters == ["realm": "Fake Realm"])
        #expect(challenge.previousFailureCount == 0)
        #expect(challenge.request.url == "\(server.url)/basic-auth/u/p")
    }

    @Test("is passed to the handler a bounded number of times, even if a server sends thousands")
    func flood() async throws {
        let fields = (0..<15).map { field in
            ("WWW-Authenticate", (0..<500).map { "Digest realm=r\(field)-\($0), nonce=n" }.joined(separator: ", "))
        }
        let server = try LoopbackServer { server in
            server.route("GET", "/flood") { _ in LoopbackResponse(status: 401, headers: fields) }
        }
        let shrug = Prompt { _ in .default }
        #expect(error(await load("flood", server, shrug))?.statusCode == 401)
        #expect(shrug.challenges.map(\.realm) == (0..<16).map { "r0-\($0)" })
        #expect(server.log.count == 1)
        let guess = Prompt { .use(.digest(user: "u", password: "\($0.realm ?? "")\($0.previousFailureCount)")) }
        #expect(error(await load("flood", server, guess))?.statusCode == 401)
        #expect(guess.challenges.count == 5)
        let stubborn = Prompt {
            .use($0.realm == "r0-9" ? .digest(user: "u", password: "\($0.previousFailureCount)") : .bearer("t"))
        }
        #expect(error(await load("flood", server, stubborn))?.statusCode == 401)
        #expect(stubborn.challenges.count == 20)
    }

    @Test("is passed again while the handler has other credentials, but not forever")
    func rounds() async throws {
        let server = try LoopbackServer()
        let third = Prompt { [self] in .use(basic($0.previousFailureCount == 2 ? "p" : "\($0.previousFailureCount)")) }
        #expect(try await load("basic-auth/u/p", server, third).get().statusCode == 200)
        #expect(third.challenges.map(\.previousFailureCount) == [0, 1, 2])
        server.log.clear()
        let endless = Prompt { [self] in .use(basic("\($0.previousFailureCount)")) }
        #expect(error(await load("basic-auth/u/p", server, endless))?.statusCode == 401)
        #expect(endless.challenges.count == 5)
        #expect(server.log.count == 6)
        server.log.clear()
        let same = Prompt { [self] _ in .use(basic("wrong")) }
        #expect(error(await load("basic-auth/u/p", server, same))?.statusCode == 401)
        #expect(server.log.count == 2)
    }

    @Test("is cancelled, left to the store, or fails with the handler's error")
    func dispositions() async throws {
        let server = try LoopbackServer()
        let cancelled = error(await load("basic-auth/u/p", server, Prompt { _ in .cancel(reason: "no terminal") }))
        #expect(cancelled?.code == .authenticationCancelled)
        #expect(cancelled?.reason == "no terminal")
        #expect(cancelled?.statusCode == 401)
        #expect(cancelled?.sent == .responded)
        let left = await load("basic-auth/u/p", server, Prompt { _ in .default }, store: basic("p"))
        #expect(try left.get().statusCode == 200)
        let failed = error(await load("basic-auth/u/p", server, Prompt { _ in throw CocoaError(.fileNoSuchFile) }))
        #expect(failed?.code == .authenticationFailed)
        #expect(failed?.underlying is CocoaError)
        #expect(failed?.statusCode == 401)
        let digest = Prompt { _ in .use(.digest(user: "u", password: "p")) }
        #expect(error(await load("basic-auth/u/p", server, digest))?.statusCode == 401)
        let cleartext = Prompt { [self] _ in .use(basic("p", allowsCleartext: false)) }
        #expect(error(await load("basic-auth/u/p", server, cleartext))?.code == .insecureCredential)
        #expect(server.log.requests.filter { $0["Authorization"] != nil }.count == 1)
    }

    @Test("does not delay the cancellation of the load")
    func cancellation() async throws {
        let server = try LoopbackServer()
        let prompt = Prompt { _ in
            await untilCancelled()
            return .default
        }
        let swifty = try authenticating(nil, at: server.url, handler: prompt)
        let task = Task { try await BaseResource(server.url, networkInterface: swifty).get("bearer").load() }
        try await until { !prompt.challenges.isEmpty }
        task.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test("is not answered with an invalid credential, nor over cleartext")
    func insecure() async throws {
        let server = try LoopbackServer()
        for preemptively in [false, true] {
            server.log.clear()
            for (credential, code) in [
                (basic("p", allowsCleartext: false), SwiftyError.Code.insecureCredential),
                (.basic(user: "a:b", password: "p", allowsCleartext: true), .invalidCredential),
            ] {
                let swifty = try authenticating(credential, at: server.url, preemptively: preemptively)
                let api = BaseResource(server.url, networkInterface: swifty)
                let error = await #expect(throws: SwiftyError.self) { try await api.get("basic-auth/u/p").load() }
                #expect(error?.code == code)
                #expect(error?.sent == (preemptively ? .notSent : .responded))
            }
            #expect(server.log.count == (preemptively ? 0 : 2))
            #expect(server.log.requests.allSatisfy { $0["Authorization"] == nil })
        }
    }

    @Test("is left to the caller if the request has its own Authorization field")
    func ownField() async throws {
        let server = try LoopbackServer()
        let swifty = try authenticating(basic("p"), at: server.url, preemptively: true)
        let api = BaseResource(server.url, networkInterface: swifty)
        let error = await #expect(throws: SwiftyError.self) {
            try await api.get("basic-auth/u/p").basic("u", "x").load()
        }
        #expect(error?.statusCode == 401)
        #expect(server.log.count == 1)
        #expect(try await api.get("basic-auth/u/x").basic("u", "x").load().statusCode == 200)
    }

    @Test("that is malformed ends the load with the 401")
    func hostile() async throws {
        let values = [
            "", ",", "Digest", "Digest realm=\"", #"Digest realm="r", nonce="n", qop="x""#, "Basic realm=\"a", "\u{1}",
            "Digest " + String(repeating: "a=b,", count: 20_000), #"Digest realm="r", realm="r", nonce="n""#,
        ]
        for value in values {
            let stub = StubTransport { _ in
                var headers = HTTPFields()
                headers.append(HTTPField(name: .wwwAuthenticate, lenientValue: value.utf8))
                return TransportResponse(head: ResponseHead(statusCode: 401, headers: headers), content: Data())
            }
            let swifty = try authenticating(
                .digest(user: "u", password: "p"),
                at: "https://api.example.com",
                transport: stub
            )
            let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
            #expect(error?.statusCode == 401, "\(value.prefix(40))")
            #expect(stub.requests.count == 1, "\(value.prefix(40))")
        }
    }
}
