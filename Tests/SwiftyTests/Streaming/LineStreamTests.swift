// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTestServers

@Suite("Lines from a server", .timeLimit(.minutes(15)))
struct LineStreamTests {
    private func resource(_ url: String) -> NetworkResource {
        BaseResource(url, networkInterface: Swifty()).get("lines")
    }

    @Test("arrive before the content is complete, and leaving the loop closes the connection")
    func leaving() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
        let server = try ScriptedServer([.readRequest, .send(head + "a\nb\r"), .send("\nc"), .stall])
        var received: [String] = []
        for try await line in resource(server.url).lines() {
            received.append(line)
            if line == "b" { break }
        }
        #expect(received == ["a", "b"])
        try await until { server.openConnectionCount == 0 }
    }

    @Test("end with the cancellation of the task, which closes the connection")
    func cancellation() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
        let server = try ScriptedServer([.readRequest, .send(head + "a\nb"), .stall])
        let (resource, received) = (resource(server.url), Recording<String>())
        let task = Task { for try await line in resource.lines() { received.append(line) } }
        try await until { received.count == 1 }
        task.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        try await until { server.openConnectionCount == 0 }
    }

    @Test("of a content that was cut off end in an error, without the line that was cut", arguments: 0..<8)
    func cut(offset: Int) async throws {
        let content = "ab\ncd\r\nef"
        let text =
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
            + String(decoding: content.utf8.prefix(offset), as: UTF8.self)
        let server = try ScriptedServer([.readRequest, .send(text), .close])
        var received: [String] = []
        var lines = resource(server.url).lines().makeAsyncIterator()
        let error = await #expect(throws: SwiftyError.self) {
            while let line = try await lines.next() { received.append(line) }
        }
        #expect(error?.code == .connectionLost)
        #expect(received == Array(["ab", "cd"].prefix(offset < 3 ? 0 : offset < 7 ? 1 : 2)))
        #expect(try await lines.next() == nil)
    }

    @Test("that are not read slow the server down")
    func backPressure() async throws {
        let sent = Counter()
        let line = Data(repeating: 0x61, count: 65_535) + Data("\n".utf8)
        let server = try LoopbackServer { server in
            server.route("GET", "/lines") { _ in
                .pieces(
                    LoopbackResponse.PieceSource(count: 8_000, length: nil) { _ in
                        sent.increment()
                        return line
                    }
                )
            }
        }
        var lines = resource(server.url).byteLines().makeAsyncIterator()
        #expect(try await lines.next()?.count == 65_535)
        try await untilStable(for: .milliseconds(500)) { sent.value }
        // Of 500 MB, the buffers of the system take some.
        #expect(sent.value < 800)
        var count = 1
        while try await lines.next() != nil { count += 1 }
        #expect(count == 8_000)
    }

    @Test("without an end are refused at the limit, and the connection is closed")
    func endless() async throws {
        let head = ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
        let part = ScriptedServer.Step.send([UInt8](repeating: 0x61, count: 100_000))
        let server = try ScriptedServer([.readRequest, head] + Array(repeating: part, count: 20) + [.stall])
        let error = await #expect(throws: SwiftyError.self) {
            for try await _ in resource(server.url).lines(limit: 1_000_000) {}
        }
        #expect(error?.code == .elementTooLarge)
        #expect(error?.statusCode == 200)
        try await until { server.openConnectionCount == 0 }
    }

    @Test("of a content that is discarded leave the connection to the next request")
    func discarding() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/lines") { _ in .data(Data(count: 1_000_000)) }
        }
        let base = BaseResource(server.url, networkInterface: Swifty(transport: TransportSettings()))
        var reuses: [Bool?] = []
        for _ in 0..<3 {
            let response = try await base.get("lines").discard()
            #expect(response.statusCode == 200)
            #expect(response.data == nil)
            #expect(response.metrics.transfer?.responseContentBytes == 1_000_000)
            reuses.append(response.metrics.transfer?.isConnectionReused)
        }
        #expect(reuses == [false, true, true])
        #expect(server.connectionCount == 1)
    }

    @Test("and all other forms have the whole content")
    func forms() async throws {
        let rows = (0..<2_000).map { "{\"row\": \($0)}" }
        let server = try LoopbackServer { server in
            server.route("GET", "/lines") { _ in
                .chunks(rows.map { Data("\($0)\n".utf8) }, type: "application/x-ndjson")
            }
        }
        let resource = resource(server.url)
        let content = Data(rows.map { "\($0)\n" }.joined().utf8)
        var lines: [String] = []
        for try await line in resource.lines() { lines.append(line) }
        #expect(lines == rows)
        var bytes: [UInt8] = []
        for try await byte in resource.bytes() { bytes.append(byte) }
        #expect(bytes == Array(content))
        var values: [Int?] = []
        for try await value in resource.jsonLines([String: Int].self) { values.append(value["row"]) }
        #expect(values == Array(0..<2_000))
        var parts = Data()
        let head = try await resource.read { parts += $0 }
        #expect(parts == content)
        #expect(head["Content-Type"] == "application/x-ndjson")
    }
}
