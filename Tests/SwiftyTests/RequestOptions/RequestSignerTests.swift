// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

private let signature = HTTPField.Name("X-Signature") ?? .authorization
private let other = HTTPField.Name("X-Other") ?? .authorization

/// Signs with a closure, and records what it signs.
private struct Signer: RequestSigner {
    let seen = Recording<NetworkRequest>()
    var sign: @Sendable (NetworkRequest) async throws -> HTTPFields = { _ in [:] }

    func fields(signing request: NetworkRequest) async throws -> HTTPFields {
        seen.append(request)
        return try await sign(request)
    }
}

@Suite("A signer", .timeLimit(.minutes(15)))
struct RequestSignerTests {
    struct Mine: Error {}

    @Test("sees the request as it is sent: default fields, cookies, credentials, compressed content")
    func finalRequest() async throws {
        let stub = StubTransport(headers: [.setCookie: "a=1"])
        let signer = Signer { request in
            [signature: try await request.contentDigest() ?? ""]
        }
        let swifty = Swifty(transport: stub) {
            $0.defaultHeaders = [.userAgent: "app/1"]
            $0.cookies = CookieJar()
            $0.requestCompression = RequestCompression(threshold: 1)
            $0.use(signer)
        }
        try await swifty.api.get("x").load()
        try await swifty.api.post("x").text(String(repeating: "text ", count: 100)).authentication(.bearer("t")).load()
        let (sent, seen) = (try #require(stub.requests.last), try #require(signer.seen.values.last))
        for name in ["User-Agent", "Cookie", "Authorization", "Content-Encoding", "Accept-Encoding"] {
            #expect(seen.values(of: name) == sent.values(of: name))
            #expect(seen.values(of: name).count == 1)
        }
        var digest = SHA256Digest()
        digest.update(try #require(sent.content.data))
        #expect(sent.values(of: "X-Signature") == [digest.finalize()])
        #expect(sent.content.data?.starts(with: [0x1f, 0x8b]) == true)
    }

    private func redirect(to location: String) -> TransportResponse {
        TransportResponse(head: ResponseHead(statusCode: 302, headers: [.location: location]), content: Data())
    }

    @Test("signs each attempt and each redirect within the origin anew, and none to another origin")
    func everyRequest() async throws {
        let count = Counter()
        let stub = StubTransport { [self] _ in
            switch count.increment() {
            case 1: TransportResponse(head: ResponseHead(statusCode: 503), content: Data())
            case 2: redirect(to: "/next")
            case 3: redirect(to: "https://other.example.com/")
            default: TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
            }
        }
        let number = Counter()
        let signer = Signer { _ in [signature: "\(number.increment())"] }
        let policy = RetryPolicy(maximumAttempts: 2, backoff: .none)
        try await Swifty(transport: stub).api.get("x").use(signer).retry(policy).load()
        #expect(stub.requests.map { $0.values(of: "X-Signature") } == [["1"], ["2"], ["3"], []])
        #expect(signer.seen.values.allSatisfy { $0.headers[signature] == nil })
    }

    @Test("replaces fields of the same name, after the signers before it")
    func replaced() async throws {
        let stub = StubTransport()
        let first = Signer { _ in [signature: "1", other: "o"] }
        let second = Signer { request in
            [signature: "2" + request.values(of: "X-Signature").joined()]
        }
        let swifty = Swifty(transport: stub) { $0.use(first) }
        try await swifty.api.get("x").header("X-Signature", "0").use(second).load()
        #expect(stub.requests[0].values(of: "X-Signature") == ["21"])
        #expect(stub.requests[0].values(of: "X-Other") == ["o"])
    }

    @Test("hashes content of every kind, and knows where it cannot")
    func digests() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file.txt", "abc").path
        let stub = StubTransport()
        let seen = Recording<String>()
        let signer = Signer { request in
            seen.append(try await request.contentDigest() ?? "none")
            return [:]
        }
        let swifty = Swifty(transport: stub) { $0.use(signer) }
        try await swifty.api.post("x").file(file).load()
        try await swifty.api.post("x").text("abc").load()
        try await swifty.api.post("x").load()
        try await swifty.api.post("x").stream(isReplayable: false) { AsyncStream<Data> { $0.finish() } }.load()
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(seen.values == [abc, abc, empty, "none"])
        #expect(stub.requests[0].content.data == Data("abc".utf8))
    }

    @Test("throws the error of the load, which sends nothing")
    func throwing() async throws {
        let stub = StubTransport()
        let resource = Swifty(transport: stub).api.get("x").use(Signer { _ in throw Mine() })
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.code == .interceptorFailed)
        #expect(error?.underlying is Mine)
        #expect(error?.sent == .notSent)
        #expect(stub.requests.isEmpty)
    }
}
