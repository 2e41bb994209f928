// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

private struct Always: AuthenticationChallenge.Handler {
    let name: String
    let asked: Recording<String>
    let answer: AuthenticationChallenge.Disposition

    func respond(to challenge: AuthenticationChallenge) -> AuthenticationChallenge.Disposition {
        asked.append(name)
        return answer
    }
}

@Suite("The settings of a request", .timeLimit(.minutes(15)))
struct RequestSettingTests {
    private func status(_ resource: NetworkResource) async throws -> Int? {
        try await resource.validate(status: .any).load().statusCode
    }

    // MARK: Credentials

    @Test("have a credential: Basic and Bearer are sent at once, Digest when the server asks")
    func credentials() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        let basic = CredentialStore.Credential.basic(user: "u", password: "p", allowsCleartext: true)
        let first = try await base.get("basic-auth/u/p").authentication(basic).load()
        #expect(first.metrics.attempts.map(\.challenges) == [0])
        let bearer = CredentialStore.Credential.bearer("t", allowsCleartext: true)
        #expect(try await status(base.get("bearer").authentication(bearer)) == 200)
        let digest = CredentialStore.Credential.digest(user: "u", password: "p")
        let challenged = try await base.get("digest-auth/auth/u/p").authentication(digest).load()
        #expect(challenged.metrics.attempts.map(\.challenges) == [1])
        #expect(try await status(base.get("basic-auth/u/p")) == 401)
        #expect(try await status(base.get("basic-auth/u/p").authentication(basic).authentication(nil)) == 401)
        #expect(try await status(base.get("basic-auth/u/p").authentication(digest)) == 401)
    }

    @Test("have a Digest credential whose nonce a later request uses again")
    func nonces() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        var challenges: [Int] = []
        for _ in 0..<3 {
            let resource = base.get("digest-auth/auth/u/p").authentication(.digest(user: "u", password: "p"))
            challenges += try await resource.load().metrics.attempts.map(\.challenges)
        }
        #expect(challenges == [1, 0, 0])
    }

    @Test("do not send a cleartext credential, and none to another origin")
    func protection() async throws {
        let stub = StubTransport { request in
            let isFirst = request.target.host == "api.example.com"
            let headers: HTTPFields = isFirst ? [.location: "https://other.example.com/"] : [:]
            return TransportResponse(
                head: ResponseHead(statusCode: isFirst ? 302 : 200, headers: headers),
                content: Data()
            )
        }
        let swifty = Swifty(transport: stub)
        try await swifty.api.get("x").authentication(.bearer("t")).load()
        #expect(stub.requests.map { $0.values(of: "Authorization") } == [["Bearer t"], []])
        let cleartext = BaseResource("http://api.example.com", networkInterface: swifty).get("x")
        let error = await #expect(throws: SwiftyError.self) {
            try await cleartext.authentication(.bearer("t")).load()
        }
        #expect(error?.code == .insecureCredential)
        try await swifty.api.get("x").authentication(.bearer("t")).header(.authorization, "Mine").load()
        #expect(stub.requests[2].values(of: "Authorization") == ["Mine"])
    }

    @Test("ask the challenge handlers of the request before those of the Swifty, after its credential")
    func handlers() async throws {
        let server = try LoopbackServer()
        let asked = Recording<String>()
        func handler(_ name: String, _ password: String?) -> Always {
            let credential = password.map {
                CredentialStore.Credential.basic(user: "u", password: $0, allowsCleartext: true)
            }
            return Always(name: name, asked: asked, answer: credential.map { .use($0) } ?? .default)
        }
        let swifty = Swifty { $0.use(handler("swifty", "p")) }
        let base = BaseResource(server.url, networkInterface: swifty)
        let wrong = CredentialStore.Credential.basic(user: "u", password: "wrong", allowsCleartext: true)
        let own = base.get("basic-auth/u/p").authentication(wrong).use(handler("own", nil))
        #expect(try await status(own) == 200)
        #expect(asked.take() == ["own", "swifty"])
        #expect(try await status(base.get("basic-auth/u/p").use(handler("own", "p"))) == 200)
        #expect(asked.take() == ["own"])
    }

    // MARK: Cookies and content

    @Test("have a cookie store, or none")
    func cookies() async throws {
        let stub = StubTransport(headers: [.setCookie: "a=1"])
        let (shared, own) = (CookieJar(), CookieJar())
        let swifty = Swifty(transport: stub) { $0.cookies = shared }
        for _ in 0..<2 { try await swifty.api.get("x").cookies(own).load() }
        for _ in 0..<2 { try await swifty.api.get("x").cookies(nil).load() }
        try await swifty.api.get("x").load()
        #expect(stub.requests.map { $0.values(of: "Cookie") } == [[], ["a=1"], [], [], []])
        let target = try TargetURI("https://api.example.com/x")
        #expect(own.cookies(for: target).count == 1)
        #expect(shared.cookies(for: target).count == 1)
    }

    @Test("limit the content, as it arrives and decoded", arguments: [false, true])
    func contentLimit(isCompressed: Bool) async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        let resource = isCompressed ? base.get("gzip") : base.get("bytes/2000")
        let whole = try await resource.load().data?.count ?? 0
        #expect(try await resource.copy().contentLimit(whole).load().data?.count == whole)
        let error = await #expect(throws: SwiftyError.self) {
            try await resource.copy().contentLimit(whole - 1).load()
        }
        #expect(error?.code == .responseTooLarge)
        if !isCompressed { #expect(error?.reason.contains("1999 bytes, the limit that contentLimit(_:) sets") == true) }
        for limit in [0, -1] {
            let refused = await #expect(throws: SwiftyError.self) {
                try await resource.copy().contentLimit(limit).load()
            }
            #expect(refused?.code == .invalidSettings)
        }
        #expect(try await resource.copy().contentLimit(1).stream().collect(limit: 9000).count == whole)
    }

    @Test("have a decoding of their own")
    func decoding() async throws {
        let stub = StubTransport()
        let swifty = Swifty(transport: stub)
        try await swifty.api.get("x").contentDecoding(.off).load()
        try await swifty.api.get("x").load()
        #expect(stub.requests.map { $0.values(of: "Accept-Encoding").isEmpty } == [true, false])
    }
}
