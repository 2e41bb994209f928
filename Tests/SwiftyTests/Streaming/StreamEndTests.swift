// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTransport
import Synchronization
import TestSupport
import Testing

@testable import SwiftyCurl

/// The ways in which a stream ends, seen at the server and in the counts of the `Swifty`.
@Suite("The end of a streamed load", .timeLimit(.minutes(15)))
struct StreamEndTests {
    /// A response without end.
    private func endless() throws -> ScriptedServer {
        let head = ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
        let part = ScriptedServer.Step.send([UInt8](repeating: 1, count: 100_000))
        return try ScriptedServer([.readRequest, head] + Array(repeating: part, count: 20) + [.stall])
    }

    private func open(_ server: ScriptedServer, _ swifty: Swifty) async throws -> ResponseStream {
        let stream = try await BaseResource(server.url, networkInterface: swifty).get().tag("endless").stream()
        #expect(try await stream.next() != nil)
        #expect(swifty.statistics.inFlight == 1)
        return stream
    }

    @Test("by release closes the connection")
    func release() async throws {
        let (server, swifty) = (try endless(), Swifty())
        var stream: ResponseStream? = try await open(server, swifty)
        #expect(stream != nil)
        stream = nil
        try await until { server.openConnectionCount == 0 }
        #expect(swifty.statistics.inFlight == 0)
        #expect(swifty.statistics.cancelled == 1)
    }

    @Test("by cancel() closes the connection, and every further read throws the same error")
    func cancel() async throws {
        let (server, swifty) = (try endless(), Swifty())
        let stream = try await open(server, swifty)
        stream.cancel()
        stream.cancel()
        for _ in 0..<2 {
            let error = await #expect(throws: SwiftyError.self) { try await stream.next() }
            #expect(error?.code == .cancelled)
            #expect(error?.stage == .content)
        }
        try await until { server.openConnectionCount == 0 }
        #expect(swifty.statistics.cancelled == 1)
    }

    @Test("by the cancellation of the reading task")
    func taskCancellation() async throws {
        let (server, swifty) = (try endless(), Swifty())
        let stream = try await open(server, swifty)
        let task = Task { () -> SwiftyError.Code? in
            do throws(SwiftyError) {
                while try await stream.next() != nil {}
                return nil
            } catch {
                return error.code
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        try await until { server.openConnectionCount == 0 }
        #expect(swifty.statistics.inFlight == 0)
    }

    @Test("by a tag, with the canceller's reason")
    func tag() async throws {
        let (server, swifty) = (try endless(), Swifty())
        let stream = try await open(server, swifty)
        #expect(swifty.cancelLoads(withTag: "endless", reason: "not needed") == 1)
        let error = await #expect(throws: SwiftyError.self) { while try await stream.next() != nil {} }
        #expect(error?.code == .cancelled)
        #expect(error?.reason == "not needed")
    }

    @Test("by shutdown, which waits for it")
    func shutdown() async throws {
        let (server, swifty) = (try endless(), Swifty(transport: CurlTransport()))
        let stream = try await open(server, swifty)
        async let end: Void = swifty.shutdown()
        let error = await #expect(throws: SwiftyError.self) { while try await stream.next() != nil {} }
        #expect(error?.code == .shutdown)
        await end
        #expect(swifty.statistics.inFlight == 0)
    }

    @Test("by the limit of the whole load, which lasts until the end of the content")
    func timeout() async throws {
        let (server, swifty) = (try endless(), Swifty())
        let stream = try await BaseResource(server.url, networkInterface: swifty).get().timeout(.seconds(5)).stream()
        let error = await #expect(throws: SwiftyError.self) { while try await stream.next() != nil {} }
        #expect(error?.code == .timedOut)
        #expect(error?.stage == .content)
        #expect(error?.transfer?.responseContentBytes ?? 0 > 0)
        #expect(stream.metrics.attempts.map(\.errorCode) == [.timedOut])
    }

    @Test("by the limit for silence, which does not count the pauses of the reader")
    func idle() async throws {
        let (server, swifty) = (try endless(), Swifty())
        let stream = try await withGrowing { idle in
            let stream = try await BaseResource(server.url, networkInterface: swifty).get()
                .timeout(total: .seconds(600), idle: idle).stream()
            try await Task.sleep(for: idle * 2)
            #expect(try await stream.next() != nil)
            return stream
        }
        let error = await #expect(throws: SwiftyError.self) { while try await stream.next() != nil {} }
        #expect(error?.code == .timedOut)
    }

    @Test("by a cut is an error at every offset, and never a short success", arguments: 0..<20)
    func cut(offset: Int) async throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n" + String(repeating: "x", count: offset)
        let server = try ScriptedServer([.readRequest, .send(text), .close])
        let stream = try await BaseResource(server.url, networkInterface: Swifty()).get().stream()
        var count = 0
        do throws(SwiftyError) {
            while let part = try await stream.next() { count += part.count }
            Issue.record("no error")
        } catch {
            #expect(error.code == .connectionLost)
            #expect(error.sent == .responded)
        }
        #expect(count == offset)
    }

    @Test("releases the admission of its request, and not before")
    func admission() async throws {
        let server = try LoopbackServer { server in
            // More than may wait for a reader: the transfer ends with the reading.
            server.route("GET", "/content") { _ in .data(Data(count: 30_000_000)) }
        }
        let swifty = Swifty { $0.admission.maximumLoadsPerHost = 1 }
        let base = BaseResource(server.url, networkInterface: swifty)
        let first = try await base.get("content").stream()
        let second = Task { try await base.get("content").load() }
        try await until { swifty.admissionStatistics.waiting == 1 }
        #expect(server.log.count == 1)
        #expect(try await first.count() == 30_000_000)
        #expect(try await second.value.data?.count == 30_000_000)
        #expect(swifty.admissionStatistics.inFlight == 0)
    }

    @Test("is the end of the load for observers")
    func events() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/content") { _ in .data(Data(count: 100_000)) }
        }
        let names = EventNames { event, _ in
            switch event {
            case .attemptEnded: "attemptEnded"
            case .finished: "finished"
            default: nil
            }
        }
        let swifty = Swifty { $0.use(names) }
        let stream = try await BaseResource(server.url, networkInterface: swifty).get("content").stream()
        #expect(names.all.isEmpty)
        _ = try await stream.count()
        #expect(names.all == ["attemptEnded", "finished"])
    }
}

@Suite("Response interceptors of a streamed load", .timeLimit(.minutes(15)))
struct StreamInterceptorTests {
    private func stream(_ change: @escaping @Sendable (NetworkResponse) throws -> Void) async throws -> ResponseStream {
        let server = try LoopbackServer { server in
            server.route("GET", "/content") { _ in .data(Data(count: 1_000_000)) }
        }
        let swifty = Swifty {
            $0.use(
                ResponseHook { response in
                    try change(response)
                    return response
                }
            )
        }
        return try await BaseResource(server.url, networkInterface: swifty).get("content").stream()
    }

    @Test("get the head without the content")
    func head() async throws {
        let seen = Mutex<(status: Int?, data: Data?)?>(nil)
        let stream = try await stream { response in
            seen.withLock { $0 = (response.statusCode, response.data) }
        }
        #expect(seen.withLock { $0?.status } == 200)
        #expect(seen.withLock { $0?.data } == nil)
        #expect(try await stream.count() == 1_000_000)
    }

    @Test("can put a content in its place")
    func replacement() async throws {
        let stream = try await stream { $0.succeed(data: Data("other".utf8)) }
        #expect(try await stream.text() == "other")
        #expect(stream.metrics.attempts.count == 1)
    }

    @Test("can fail it")
    func failure() async throws {
        struct Refusal: Error {}
        let error = await #expect(throws: SwiftyError.self) { try await stream { _ in throw Refusal() } }
        #expect(error?.code == .interceptorFailed)
        #expect(error?.head?.statusCode == 200)
        #expect(error?.attempts.count == 1)
    }
}
