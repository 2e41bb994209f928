// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import Swifty

@Suite("Streams at a graceful shutdown", .timeLimit(.minutes(15)))
struct StreamShutdownTests {
    /// A server that sends the parts, each after the gate before it was opened, and then stays silent.
    private static func script(_ type: String, _ first: String, _ rest: String?) -> [ScriptedServer.Step] {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n"
        let parts = [first] + (rest.map { [$0] } ?? [])
        let chunks = parts.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }
        var steps: [ScriptedServer.Step] = [.readRequest, .send(head + chunks[0])]
        if chunks.count > 1 { steps += [.pause(.milliseconds(300)), .send(chunks[1])] }
        return steps + [.stall]
    }

    private func base(_ server: ScriptedServer, _ swifty: Swifty) -> BaseResource {
        BaseResource(server.url, networkInterface: swifty)
    }

    @Test("of events end between two events, at once and with the reason, and are not opened again")
    func events() async throws {
        let server = try ScriptedServer(Self.script("text/event-stream", "data: 1\n\ndata: 2\n\n", nil))
        let swifty = Swifty()
        var events = base(server, swifty).get("x").events().makeAsyncIterator()
        #expect(try await events.next()?.data == "1")
        #expect(try await events.next()?.data == "2")
        // The reader works on the event while the load ends.
        await swifty.shutdown(graceful: .seconds(600))
        #expect(swifty.statistics.inFlight == 0)
        let error = await #expect(throws: SwiftyError.self) { try await events.next() }
        #expect(error?.code == .shutdown)
        #expect(error?.reason.contains("between two elements") == true)
        #expect(server.connectionCount == 1)
    }

    @Test("of events end while their reader waits for the next one")
    func waitingReader() async throws {
        let server = try ScriptedServer(Self.script("text/event-stream", "data: 1\n\n", nil))
        let swifty = Swifty()
        let first = Gate()
        let reading = Task {
            for try await _ in base(server, swifty).get("x").events() { first.open() }
        }
        await first.wait()
        await swifty.shutdown(graceful: .seconds(600))
        let error = await #expect(throws: SwiftyError.self) { try await reading.value }
        #expect(error?.code == .shutdown)
    }

    @Test("of lines go on until the line is complete, also in the middle of a part")
    func lines() async throws {
        let server = try ScriptedServer(Self.script("application/x-ndjson", "{\"a\":1}\n{\"a\":", "2}\n{\"a\":3"))
        let swifty = Swifty()
        var lines = base(server, swifty).get("x").lines().makeAsyncIterator()
        #expect(try await lines.next() == "{\"a\":1}")
        let shutdown = Task { await swifty.shutdown(graceful: .seconds(600)) }
        try await until { swifty.isShutDown }
        #expect(try await lines.next() == "{\"a\":2}")
        let error = await #expect(throws: SwiftyError.self) { try await lines.next() }
        #expect(error?.code == .shutdown)
        await shutdown.value
    }

    @Test("read nothing more after the element at which they end, though more has arrived")
    func arrivedRest() async throws {
        let parts = ["data: 1\n\ndat", "a: 2\n\ndata:", " 3\n\ndata: 4\n\n"]
        let swifty = Swifty(transport: PartsTransport(parts: parts))
        var events = swifty.api.get("x").events().makeAsyncIterator()
        #expect(try await events.next()?.data == "1")
        let shutdown = Task { await swifty.shutdown(graceful: .seconds(600)) }
        try await until { swifty.isShutDown }
        #expect(try await events.next()?.data == "2")
        let error = await #expect(throws: SwiftyError.self) { try await events.next() }
        #expect(error?.code == .shutdown)
        await shutdown.value
    }

    @Test("are not cut after their transfer has failed: the reader gets all that has arrived")
    func failedTransfer() {
        var progress = ContentProgress()
        progress.boundary = Self.boundary("text/event-stream")
        _ = progress.beginReading()
        _ = progress.endReading(Data("data: 1\n\ndata:".utf8))
        let endsAtOnce = progress.close()
        #expect(!endsAtOnce)
        let part = Data(" 2\n\ndata: 3".utf8)
        #expect(progress.cut(part).count == 4)
        let error = progress.endTransfer(with: SwiftyError(.connectionLost, stage: .content, sent: .responded))
        #expect(error?.code == .connectionLost)
        #expect(progress.cut(part) == part)
    }

    @Test("give the reader all that arrived before their connection was lost")
    func lostConnection() async throws {
        let (first, rest) = ("data: 1\n\ndata:", " 2\n\ndata: 3")
        let server = try ScriptedServer(Self.script("text/event-stream", first, rest).dropLast() + [.close])
        let swifty = Swifty()
        let stream = try await base(server, swifty).get("x").stream()
        var content = try #require(try await stream.next())
        // Ends with the load, whose content is not read yet.
        await swifty.shutdown(graceful: .seconds(600))
        do throws(SwiftyError) {
            while let part = try await stream.next() { content += part }
            Issue.record("the end of the connection is no error")
        } catch {
            #expect(error.code == .connectionLost)
        }
        #expect(String(decoding: content, as: UTF8.self) == first + rest)
    }

    @Test("of lines that have an end, or have arrived, reach it")
    func complete() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 8\r\n\r\n"
        let server = try ScriptedServer([.readRequest, .send(head + "1\n2\n3\n4\n")])
        let swifty = Swifty()
        var lines = base(server, swifty).get("x").lines().makeAsyncIterator()
        #expect(try await lines.next() == "1")
        let shutdown = Task { await swifty.shutdown(graceful: .seconds(600)) }
        try await until { swifty.isShutDown }
        for expected in ["2", "3", "4"] { #expect(try await lines.next() == expected) }
        #expect(try await lines.next() == nil)
        await shutdown.value
    }

    @Test("of other content are given time to reach their end")
    func bytes() async throws {
        let content = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"
        let steps: [ScriptedServer.Step] = [.readRequest, .send(content), .pause(.milliseconds(300)), .send("cd")]
        let server = try ScriptedServer(steps)
        let swifty = Swifty()
        let stream = try await base(server, swifty).get("x").stream()
        let shutdown = Task { await swifty.shutdown(graceful: .seconds(600)) }
        try await until { swifty.isShutDown }
        #expect(try await stream.collect(limit: 10) == Data("abcd".utf8))
        await shutdown.value
    }

    @Test("that nobody reads end as well")
    func unread() async throws {
        let server = try ScriptedServer(Self.script("text/event-stream", "data: 1\n\n", nil))
        let swifty = Swifty()
        let stream = try await base(server, swifty).get("x").stream()
        await swifty.shutdown(graceful: .seconds(600))
        #expect(swifty.statistics.inFlight == 0)
        let error = await #expect(throws: SwiftyError.self) { try await stream.collect(limit: 100) }
        #expect(error?.code == .shutdown)
    }

    @Test("have a boundary after an empty line, or after a line")
    func boundaries() throws {
        func isReached(_ type: String, _ parts: String...) -> Bool? {
            var boundary = Self.boundary(type)
            for part in parts { boundary?.append(Data(part.utf8)) }
            return boundary?.isReached
        }
        for end in ["\n\n", "\r\n\r\n", "\r\r", "\n\r\n"] {
            #expect(isReached("text/event-stream; charset=utf-8", "data: 1", end) == true)
            for character in end.unicodeScalars.dropLast() {
                #expect(isReached("text/event-stream", "data: 1", "\(character)") == false)
            }
        }
        #expect(isReached("text/event-stream", "data: 1\n", "\n") == true)
        #expect(isReached("text/event-stream", "data: 1\n\ndata: 2\n") == false)
        #expect(isReached("text/event-stream") == true)
        #expect(isReached("application/x-ndjson", "1\n") == true)
        #expect(isReached("application/x-ndjson", "1\n2") == false)
        #expect(isReached("application/octet-stream", "1\n") == nil)
        var boundary = Self.boundary("text/event-stream")
        boundary?.append(Data("data: 1\n".utf8))
        #expect(boundary?.lastEnd(in: Data("\ndata: 2\n\ndata: 3".utf8)) == 10)
        #expect(boundary?.lastEnd(in: Data("\n".utf8)) == 1)
        #expect(boundary?.lastEnd(in: Data("data: 2\n".utf8)) == nil)
    }

    private static func boundary(_ type: String, of resource: NetworkResource? = nil) -> StreamBoundary? {
        let resource = resource ?? Swifty.shared.api.get("x")
        return StreamBoundary(ResponseHead(statusCode: 200, headers: [.contentType: type]), of: resource.draft)
    }

    @Test("have none if a request has a result, or if a part of the content is of no use")
    func noBoundary() {
        #expect(Self.boundary("text/event-stream", of: Swifty.shared.api.get("x")) != nil)
        for method in ["POST", "PUT", "DELETE"] {
            #expect(Self.boundary("text/event-stream", of: Swifty.shared.api.request(method, "x")) == nil)
        }
        #expect(Self.boundary("application/x-ndjson", of: Swifty.shared.api.get("x").forDownload()) == nil)
    }

    @Test("have a boundary after comments that follow one")
    func comments() {
        func isReached(_ parts: String...) -> Bool? {
            var boundary = Self.boundary("text/event-stream")
            for part in parts { boundary?.append(Data(part.utf8)) }
            return boundary?.isReached
        }
        #expect(isReached(":\n") == true)
        #expect(isReached("data: 1\n\n", ": ping\n", ":\r\n:\r") == true)
        #expect(isReached("data: 1\n\n: ping") == false)
        #expect(isReached("data: 1\n: ping\n") == false)
        #expect(isReached("data: 1\n\ndata: 2\n:\n") == false)
        #expect(isReached(":" + String(repeating: "x", count: 300), "\n") == true)
        var boundary = Self.boundary("text/event-stream")
        #expect(boundary?.lastEnd(in: Data(String(repeating: ":\n", count: 1_000).utf8)) == 2_000)
        #expect(boundary?.lastEnd(in: Data("data: 1\n\n:\n:\ndata".utf8)) == 13)
        boundary?.append(Data("data: 1\n".utf8))
        #expect(boundary?.lastEnd(in: Data(":\n".utf8)) == nil)
    }

    @Test("of events that answer a POST, and downloads of lines, are given time to reach their end")
    func results() async throws {
        let server = try ScriptedServer(
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")]
                + [.send("data: 1\n\n"), .pause(.milliseconds(300)), .send("data: 2\n\n")]
        )
        let swifty = Swifty()
        var events = base(server, swifty).post("x").events().makeAsyncIterator()
        #expect(try await events.next()?.data == "1")
        let shutdown = Task { await swifty.shutdown(graceful: .seconds(600)) }
        try await until { swifty.isShutDown }
        #expect(try await events.next()?.data == "2")
        #expect(try await events.next() == nil)
        await shutdown.value
        let lines = try ScriptedServer(
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n")]
                + [.send("1\n"), .pause(.milliseconds(300)), .send("2\n")]
        )
        let (folder, other, begun) = (try TemporaryFolder(), Swifty(), Gate())
        let download = Task {
            try await base(lines, other).get("x").onProgress { _ in begun.open() }.download(to: folder.path("lines"))
        }
        try await until { begun.isOpen }
        await other.shutdown(graceful: .seconds(600))
        _ = try await download.value
        #expect(try String(contentsOfFile: folder.path("lines"), encoding: .utf8) == "1\n2\n")
    }
}

/// Answers with events in parts that have all arrived, whether or not the stream is cancelled.
private struct PartsTransport: Transport {
    private final class Content: StreamedContent {
        let rest: Mutex<[String]>
        var trailers: HTTPFields { [:] }
        var metrics: TransferMetrics { TransferMetrics() }

        init(_ parts: [String]) {
            rest = Mutex(parts)
        }

        nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
            rest.withLock { $0.isEmpty ? nil : Data($0.removeFirst().utf8) }
        }

        func cancel() {}
    }

    let parts: [String]

    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        throw SwiftyError(.transportFailed, stage: .queue, reason: "streams only")
    }

    func stream(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse {
        let head = ResponseHead(statusCode: 200, headers: [.contentType: "text/event-stream"])
        return StreamedResponse(head: head, content: Content(parts))
    }

    func shutdown() async {}
}
