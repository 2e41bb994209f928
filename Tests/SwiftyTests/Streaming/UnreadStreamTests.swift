// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTransport
import Synchronization
import TestSupport
import Testing

@testable import SwiftyCurl
@testable import SwiftyTestServers
@testable import SwiftyTesting

/// Streams that are held while no task reads them.
@Suite("A stream that is held and not read", .timeLimit(.minutes(15)))
struct UnreadStreamTests {
    /// The response, and what its reader has got of it when it is left.
    enum Content: String, CaseIterable, CustomTestStringConvertible {
        case endless, endlessBegun, complete, completeBegun, encoded, paced

        var testDescription: String { rawValue }
        var isBegun: Bool { self == .endlessBegun || self == .completeBegun }
        var isEndless: Bool { self == .endless || self == .endlessBegun }

        func server() throws -> ScriptedServer {
            if isEndless {
                let head = ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
                let part = ScriptedServer.Step.send([UInt8](repeating: 1, count: 10_000))
                return try ScriptedServer([.readRequest, head, part, .stall])
            }
            let text = Data("a small response".utf8)
            let content = try self == .encoded ? #require(Compression.gzip.compress(text)) : text
            let coding = self == .encoded ? "Content-Encoding: gzip\r\n" : ""
            let head = "HTTP/1.1 200 OK\r\n\(coding)Content-Length: \(content.count)\r\n\r\n"
            return try ScriptedServer([.readRequest, .send(head), .send([UInt8](content)), .stall])
        }

        func open(_ server: ScriptedServer, _ swifty: Swifty) async throws -> ResponseStream {
            let resource = BaseResource(server.url, networkInterface: swifty).get()
            if self == .paced { resource.limitRate(download: Bandwidth(bytesPerSecond: 1_000_000)) }
            let stream = try await resource.stream()
            if isBegun { #expect(try await stream.next() != nil) }
            return stream
        }
    }

    enum End: String, CaseIterable, CustomTestStringConvertible {
        case shutdown, graceful, twice, cancelAll

        var testDescription: String { rawValue }
        var code: SwiftyError.Code { self == .cancelAll ? .cancelled : .shutdown }

        func callAsFunction(_ swifty: Swifty) async {
            switch self {
            case .shutdown: await swifty.shutdown()
            case .graceful: await swifty.shutdown(graceful: .milliseconds(100))
            case .twice:
                async let first: Void = swifty.shutdown(graceful: .seconds(3_600))
                try? await until { await Self.refusesLoads(swifty) }
                await swifty.shutdown()
                await first
            case .cancelAll: swifty.cancelAllLoads()
            }
        }

        /// Whether a shutdown has begun.
        private static func refusesLoads(_ swifty: Swifty) async -> Bool {
            let resource = BaseResource("http://a.test", networkInterface: swifty).get("trial").mock(data: Data())
            do throws(SwiftyError) {
                _ = try await resource.load()
                return false
            } catch {
                return error.code == .shutdown
            }
        }
    }

    @Test(
        "delays no end, and its reader gets what has arrived, and then the error",
        arguments: Content.allCases,
        End.allCases
    )
    func ends(_ content: Content, by end: End) async throws {
        let finished = Recording<SwiftyError.Code?>()
        let swifty = Swifty(transport: CurlTransport()) { $0.use(FinishObserver(finished: finished)) }
        let server = try content.server()
        let stream = try await content.open(server, swifty)
        await end(swifty)
        try await until { swifty.statistics.inFlight == 0 && finished.values.count == 1 }
        #expect(swifty.admissionStatistics.inFlight == 0)
        #expect(finished.values == [end.code])
        for _ in 0..<2 {
            let error = await #expect(throws: SwiftyError.self) { while try await stream.next() != nil {} }
            #expect(error?.code == end.code)
            #expect(error?.stage == .content)
        }
        #expect(finished.values == [end.code])
        #expect(stream.metrics.attempts.map(\.errorCode) == [end.code])
        withExtendedLifetime(server) {}
    }

    @Test(
        "leaves its place to another load when its transfer has ended",
        arguments: [Content.endless, .complete, .encoded]
    )
    func admission(of content: Content) async throws {
        let swifty = Swifty { $0.admission.maximumLoads = 1 }
        let server = try content.server()
        let resource = BaseResource(server.url, networkInterface: swifty).get()
        let stream = try await resource.timeout(.seconds(1)).stream()
        let other = try ScriptedServer([.readRequest, .respond(content: "ok")])
        let response = try await BaseResource(other.url, networkInterface: swifty).get().timeout(.seconds(60)).load()
        #expect(response.string == "ok")
        // The load of a complete response lasts until it is read; one that has failed ends.
        if !content.isEndless { #expect(swifty.statistics.inFlight == 1) }
        if content.isEndless {
            try await until { swifty.statistics.inFlight == 0 }
            let error = await #expect(throws: SwiftyError.self) { while try await stream.next() != nil {} }
            #expect(error?.code == .timedOut)
            #expect(error?.transfer?.responseContentBytes ?? 0 > 0)
        } else {
            let part = try await stream.next()
            #expect(part.map { String(decoding: $0, as: UTF8.self) } == "a small response")
            #expect(try await stream.next() == nil)
        }
        #expect(swifty.statistics.inFlight == 0)
    }

    @Test("is ended by a cancellation also behind an interceptor that has waited")
    func interceptor() async throws {
        let swifty = Swifty { $0.use(WaitingInterceptor()) }
        let server = try Content.endless.server()
        let stream = try await BaseResource(server.url, networkInterface: swifty).get().stream()
        swifty.cancelAllLoads(reason: "not needed")
        try await until { swifty.statistics.inFlight == 0 && server.openConnectionCount == 0 }
        let error = await #expect(throws: SwiftyError.self) { while try await stream.next() != nil {} }
        #expect(error?.reason == "not needed")
    }

    @Test("and another load are ended by one cancellation that both were given")
    func sharedCancellation() async throws {
        let (swifty, cancellation) = (Swifty(transport: CurlTransport()), LoadCancellation())
        let servers = try (0..<3).map { _ in try ScriptedServer([.readRequest, .stall]) }
        let (streaming, others) = (try Content.endless.server(), servers)
        let stream = try await swifty.stream(
            BaseResource(streaming.url, networkInterface: swifty).get().draft,
            cancellation: cancellation
        )
        try await withThrowingTaskGroup(of: SwiftyError.Code?.self) { group in
            for server in others {
                let draft = BaseResource(server.url, networkInterface: swifty).get().draft
                group.addTask { await swifty.load(draft, cancellation: cancellation).error?.code }
            }
            for server in others { _ = try await server.takeRequest() }
            cancellation.cancel()
            for try await code in group { #expect(code == .cancelled) }
        }
        try await until { swifty.statistics.inFlight == 0 }
        #expect(swifty.statistics.cancelled == 4)
        withExtendedLifetime(stream) {}
    }

    @Test("over a transport that holds content in memory delays no shutdown")
    func buffered() async throws {
        let response = TransportResponse(head: ResponseHead(statusCode: 200), content: Data("x".utf8))
        let swifty = Swifty(transport: StubTransport { _ in response })
        let stream = try await BaseResource("http://a.test", networkInterface: swifty).get().stream()
        await swifty.shutdown()
        #expect(swifty.statistics.inFlight == 0)
        let error = await #expect(throws: SwiftyError.self) { while try await stream.next() != nil {} }
        #expect(error?.code == .shutdown)
    }

    @Test("over a mock at a limited rate delays no shutdown")
    func mocked() async throws {
        let mock = MockTransport([.get("slow"): .data(Data(count: 100_000), type: "image/png").slow(bytesPerSecond: 1)])
        let swifty = Swifty(transport: mock)
        let stream = try await BaseResource("http://a.test", networkInterface: swifty).get("slow").stream()
        await swifty.shutdown()
        #expect(swifty.statistics.inFlight == 0)
        withExtendedLifetime(stream) {}
    }

    @Test("whose content turns out to be damaged has failed for that reason, whichever end is known first")
    func damaged() async throws {
        var random = SplitMix(seed: 1)
        let bytes = Data((0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        var content = try #require(Compression.gzip.compress(bytes))
        content[content.count / 2] ^= 0xFF
        content[content.count / 2 + 1] ^= 0xFF
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(content.count + 1)\r\n\r\n"
        for _ in 0..<20 {
            let server = try ScriptedServer([.readRequest, .send(head), .send([UInt8](content)), .stall])
            let stream = try await BaseResource(server.url, networkInterface: Swifty()).get().stream()
            let error = await #expect(throws: SwiftyError.self) { while try await stream.next() != nil {} }
            #expect(error?.code == .malformedResponse)
            #expect(stream.metrics.attempts.map(\.errorCode) == [.malformedResponse])
        }
    }
}

/// Records the ends of loads, except for those that try whether a shutdown has begun.
private struct FinishObserver: Swifty.Observer {
    let finished: Recording<SwiftyError.Code?>

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        guard case .finished(let response) = event, load.draft.template != "trial" else { return }
        finished.append(response.error?.code)
    }
}

private struct WaitingInterceptor: ResponseInterceptor {
    func intercept(response: NetworkResponse) async throws -> NetworkResponse {
        try await onOwnThread {}
        return response
    }
}
