// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

/// Streams without TLS, whose content is received into the reader's memory while its end is far away.
@Suite("Streamed content that is gathered", .timeLimit(.minutes(15)))
struct GatheringTests {
    enum Framing: CaseIterable {
        case length, chunks, close
    }

    private static let evil = Data("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL".utf8)

    /// A content of which each 64 bytes begin with their place.
    private static func content(_ count: Int) -> Data {
        var content = Data(count: count)
        for place in stride(from: 0, to: count - 4, by: 64) {
            withUnsafeBytes(of: UInt32(place)) { content.replaceSubrange(place..<place + 4, with: $0) }
        }
        return content
    }

    private static func response(_ content: Data, _ framing: Framing, _ generator: inout SplitMix) -> Data {
        switch framing {
        case .length: return Data("HTTP/1.1 200 OK\r\nContent-Length: \(content.count)\r\n\r\n".utf8) + content
        case .close: return Data("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8) + content
        case .chunks:
            var result = Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
            var rest = content[...]
            while !rest.isEmpty {
                let chunk = rest.prefix(Int.random(in: 1...300_000, using: &generator))
                result += Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8)
                rest = rest.dropFirst(chunk.count)
            }
            return result + Data("0\r\n\r\n".utf8)
        }
    }

    /// The bytes in pieces, with a pause now and then.
    private static func steps(_ bytes: Data, _ generator: inout SplitMix) -> [ScriptedServer.Step] {
        var steps: [ScriptedServer.Step] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...400_000, using: &generator))
            steps.append(.send([UInt8](piece)))
            if Int.random(in: 0..<6, using: &generator) == 0 { steps.append(.pause(.milliseconds(3))) }
            rest = rest.dropFirst(piece.count)
        }
        return steps
    }

    @Test("arrives whole, and the connection serves the next load", arguments: Framing.allCases, 0..<4)
    func whole(framing: Framing, seed: UInt64) async throws {
        var generator = SplitMix(seed: seed)
        let sizes = [131_071, 131_072, 131_073, Int.random(in: 200_000...3_000_000, using: &generator)]
        let contents = sizes.map(Self.content)
        let steps = contents.map { content -> [ScriptedServer.Step] in
            [.readRequest] + Self.steps(Self.response(content, framing, &generator), &generator)
        }
        let server = try ScriptedServer { connection in
            framing == .close ? steps[connection % steps.count] + [.close] : steps.flatMap { $0 } + [.stall]
        }
        let transport = CurlTransport()
        for content in contents {
            let response = try await transport.stream(.to(server.url), cancellation: LoadCancellation())
            var received = Data()
            while let part = try await response.content.next() {
                received += part
                if Int.random(in: 0..<4, using: &generator) == 0 { try await Task.sleep(for: .milliseconds(2)) }
            }
            #expect(received == content)
            #expect(response.content.metrics.responseContentBytes == content.count)
        }
        #expect(server.connectionCount == (framing == .close ? contents.count : 1))
        await transport.shutdown()
    }

    @Test("bytes behind it are not content, and the connection is not used again")
    func excess() async throws {
        var generator = SplitMix(seed: 1)
        let content = Self.content(700_000)
        let bytes = Self.response(content, .length, &generator) + Self.evil
        let server = try ScriptedServer { connection in
            [.readRequest, connection == 0 ? .send([UInt8](bytes)) : .respond(content: "fresh"), .stall]
        }
        let transport = CurlTransport()
        let response = try await transport.stream(.to(server.url), cancellation: LoadCancellation())
        #expect(try await response.content.collect() == content)
        #expect(try await transport.get(server.url).text == "fresh")
    }

    /// A server that announces more than it sends.
    private static func server(sending content: Data, then last: ScriptedServer.Step) throws -> ScriptedServer {
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n".utf8)
        return try ScriptedServer([.readRequest, .send([UInt8](head + content)), last])
    }

    @Test("that is cut off is delivered up to the cut, and ends in an error", arguments: [70_000, 131_073, 900_001])
    func cut(count: Int) async throws {
        let content = Self.content(count)
        let server = try Self.server(sending: content, then: .close)
        let response = try await CurlTransport().stream(.to(server.url), cancellation: LoadCancellation())
        var received = Data()
        let error = await failure { () throws(SwiftyError) in
            while let part = try await response.content.next() { received += part }
        }
        #expect(error?.code == .connectionLost)
        #expect(received == content)
    }

    @Test("that stands still is delivered as far as it has come", arguments: [1, 5_000, 100_000, 200_000])
    func stall(count: Int) async throws {
        let content = Self.content(count)
        let server = try Self.server(sending: content, then: .stall)
        let response = try await CurlTransport().stream(.to(server.url), cancellation: LoadCancellation())
        var received = Data()
        while received.count < count { received += try await response.content.next() ?? Data() }
        #expect(received == content)
        response.content.cancel()
    }
}
