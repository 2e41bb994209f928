// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl
@testable import SwiftyTestServers
@testable import SwiftyTesting

@Suite("A streamed load", .timeLimit(.minutes(15)))
struct StreamedLoadTests {
    // Made once, and not for each test.
    private static let content = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
    private let content = Self.content

    private func server() throws -> LoopbackServer {
        try LoopbackServer { [content] server in
            server.route("GET", "/content") { _ in .data(content) }
            server.route("GET", "/missing") { _ in .text("not here", status: 404) }
            server.route("GET", "/moved") { _ in .text("moved", status: 302).header("Location", "/content") }
        }
    }

    @Test("gives the head first, and then the content in parts")
    func parts() async throws {
        let server = try server()
        let stream = try await BaseResource(server.url, networkInterface: Swifty()).get("content").stream()
        #expect(stream.statusCode == 200)
        #expect(stream.head["Content-Length"] == "1000000")
        #expect(stream.request?.target.path == "/content")
        #expect(stream.metrics.attempts.isEmpty)
        var (received, parts) = (Data(), 0)
        for try await part in stream {
            received += part
            parts += 1
        }
        #expect(received == content)
        #expect(parts > 1)
        #expect(try await stream.next() == nil)
        #expect(stream.metrics.attempts.map(\.statusCode) == [200])
        #expect(stream.metrics.transfer?.responseContentBytes == content.count)
        #expect(stream.metrics.decodedContentBytes == content.count)
    }

    @Test("continues in a second loop after the first was left")
    func secondLoop() async throws {
        let server = try server()
        let stream = try await BaseResource(server.url, networkInterface: Swifty()).get("content").stream()
        var received = Data()
        for try await part in stream {
            received += part
            break
        }
        for try await part in stream { received += part }
        #expect(received == content)
    }

    @Test("decodes the content as it is read, in parts of at most 64 KiB", arguments: ["gzip", "deflate"])
    func decoding(coding: String) async throws {
        let zeros = Data(count: 3 << 20)
        let coded = try #require((coding == "gzip" ? Compression.gzip : .deflate).compress(zeros))
        let server = try LoopbackServer { server in
            server.route("GET", "/") { _ in .data(coded).header("Content-Encoding", coding) }
        }
        let stream = try await BaseResource(server.url, networkInterface: Swifty()).get().stream()
        var count = 0
        for try await part in stream {
            #expect(part.count <= 64 << 10)
            #expect(part.allSatisfy { $0 == 0 })
            count += part.count
        }
        #expect(count == zeros.count)
        #expect(stream.metrics.decodedContentBytes == zeros.count)
        #expect(stream.metrics.transfer?.responseContentBytes == coded.count)
    }

    @Test("fails on a content that decodes to too much, is cut off, or damaged")
    func decodingFailures() async throws {
        let bomb = try #require(Compression.gzip.compress(Data(count: 64 << 20)))
        let small = try #require(Compression.gzip.compress(Data(count: 100_000)))
        let server = try LoopbackServer { server in
            server.route("GET", "/bomb") { _ in .data(bomb).header("Content-Encoding", "gzip") }
            server.route("GET", "/cut") { _ in .data(small.dropLast(5)).header("Content-Encoding", "gzip") }
            server.route("GET", "/damaged") { _ in .data(small + small).header("Content-Encoding", "deflate, gzip") }
            server.route("GET", "/many") { _ in
                .data(small).header("Content-Encoding", "gzip, gzip, gzip, gzip, gzip, gzip")
            }
            server.route("GET", "/limit") { _ in .data(small).header("Content-Encoding", "gzip") }
        }
        let swifty = Swifty()
        for (path, code) in [
            ("bomb", SwiftyError.Code.responseTooLarge), ("cut", .malformedResponse), ("damaged", .malformedResponse),
            ("many", .malformedResponse),
        ] {
            let stream = try await BaseResource(server.url, networkInterface: swifty).get(path).stream()
            let error = await #expect(throws: SwiftyError.self) { for try await _ in stream {} }
            #expect(error?.code == code, "\(path)")
            #expect(error?.head?.statusCode == 200)
            #expect(error?.request?.url.hasSuffix(path) == true)
        }
        let limited = Swifty { $0.contentDecoding.maximumStreamedBytes = 99_999 }
        let stream = try await BaseResource(server.url, networkInterface: limited).get("limit").stream()
        let error = await #expect(throws: SwiftyError.self) { for try await _ in stream {} }
        #expect(error?.code == .responseTooLarge)
        #expect(error?.reason.contains("maximumStreamedBytes") == true)
        #expect(swifty.statistics.inFlight == 0)
    }

    @Test("of a status that is not accepted throws, with the content")
    func unacceptedStatus() async throws {
        let server = try server()
        let swifty = Swifty()
        let error = await #expect(throws: SwiftyError.self) {
            try await BaseResource(server.url, networkInterface: swifty).get("missing").stream()
        }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.content == Data("not here".utf8))
        #expect(swifty.statistics.failed == 1)
        let stream = try await BaseResource(server.url, networkInterface: swifty).get("missing")
            .validate(status: .any).stream()
        #expect(stream.statusCode == 404)
        #expect(try await stream.next() == Data("not here".utf8))
    }

    @Test("keeps 1 MiB of a longer content of such a status, and ends its transfer and its admission")
    func longError() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/") { _ in .data(Data(count: 3 << 20), status: 500) }
            server.route("GET", "/other") { _ in .text("admitted") }
        }
        let base = BaseResource(server.url, networkInterface: Swifty { $0.admission.maximumLoads = 1 })
        let error = await #expect(throws: SwiftyError.self) { try await base.get().stream() }
        #expect(error?.statusCode == 500)
        #expect(error?.content?.count == 1 << 20)
        try await until { server.openConnectionCount == 0 }
        #expect(try await base.get("other").timeout(.seconds(60)).load().string == "admitted")
    }

    @Test("follows redirects, also where every status is accepted, and uses the connection again")
    func redirects() async throws {
        let server = try server()
        let base = BaseResource(server.url, networkInterface: Swifty(transport: CurlTransport()))
        for accepted in [RequestDraft.AcceptedStatuses.successful, .any] {
            let stream = try await base.get("moved").validate(status: accepted).stream()
            #expect(stream.statusCode == 200)
            #expect(try await stream.count() == content.count)
            #expect(stream.metrics.redirects.count == 1)
            #expect(stream.metrics.attempts.count == 1)
        }
        #expect(server.log.connectionCount == 1)
    }

    @Test("answers a challenge and retries before its content")
    func challengesAndRetries() async throws {
        let attempts = Counter()
        let server = try LoopbackServer { server in
            server.route("GET", "/busy") { _ in attempts.increment() < 3 ? .status(503) : .text("served") }
        }
        let credentials = CredentialStore()
        try credentials.set(.basic(user: "user", password: "secret", allowsCleartext: true), for: server.url)
        let swifty = Swifty {
            $0.credentials = credentials
            $0.retry = RetryPolicy(maximumAttempts: 3, backoff: .none)
        }
        let base = BaseResource(server.url, networkInterface: swifty)
        let basic = try await base.get("basic-auth/user/secret").stream()
        #expect(basic.statusCode == 200)
        #expect(try await basic.count() > 0)
        let busy = try await base.get("busy").stream()
        #expect(try await busy.text() == "served")
        #expect(busy.metrics.attempts.map(\.statusCode) == [503, 503, 200])
    }

    @Test("of a mock comes from memory")
    func mock() async throws {
        let resource = BaseResource("https://example.com", networkInterface: Swifty()).get("x")
        let stream = try await resource.mock(data: Data("mocked".utf8)).stream()
        #expect(try await stream.text() == "mocked")
        #expect(stream.metrics.isMocked)
        #expect(stream.request == nil)
    }

    @Test("through another interface comes from memory")
    func otherInterface() async throws {
        let stub = StubTransport(headers: [.contentType: "text/plain"], content: "stubbed")
        let stream = try await BaseResource("https://example.com", networkInterface: Swifty(transport: stub)).get()
            .stream()
        #expect(stream.head["Content-Type"] == "text/plain")
        #expect(try await stream.text() == "stubbed")
    }
}

extension ResponseStream {
    /// Reads the content and counts its bytes.
    func count() async throws(SwiftyError) -> Int {
        var count = 0
        while let part = try await next() { count += part.count }
        return count
    }

    /// Reads the content as text.
    func text() async throws(SwiftyError) -> String {
        var bytes = Data()
        while let part = try await next() { bytes += part }
        return String(decoding: bytes, as: UTF8.self)
    }
}
