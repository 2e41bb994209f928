// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import SwiftyTransport
import Synchronization
import TestSupport
import Testing

@testable import WebServiceDSL

@Suite("The progress of a load", .timeLimit(.minutes(15)))
struct ProgressTests {
    private final class Reports: Sendable {
        private let state = Mutex<[TransferProgress]>([])
        var all: [TransferProgress] { state.withLock { $0 } }

        func add(_ progress: TransferProgress) {
            state.withLock { $0.append(progress) }
        }
    }

    @Test("of a response never decreases, and ends with all of it", arguments: [Duration.zero, .seconds(600)])
    func download(interval: Duration) async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/content") { _ in .data(Data(count: 5_000_000)) }
            server.route("GET", "/moved") { _ in
                .data(Data(count: 100_000), status: 302).header("Location", "/content")
            }
        }
        let reports = Reports()
        let stream = try await BaseResource(server.url, networkInterface: Swifty()).get("moved")
            .onProgress(every: interval) { reports.add($0) }.stream()
        _ = try await stream.count()
        let all = reports.all
        #expect(all.last == TransferProgress(sent: 0, bytesToSend: 0, received: 5_000_000, bytesToReceive: 5_000_000))
        #expect(all.last?.fraction == 1)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.received <= $1.received })
        #expect(interval == .zero ? all.count > 5 : all.count == 2)
    }

    @Test("of a request counts its content, also in a load that holds the response in memory")
    func upload() async throws {
        let server = try LoopbackServer()
        let reports = Reports()
        try await BaseResource(server.url, networkInterface: Swifty()).post("post").data(Data(count: 300_000))
            .onProgress(every: .zero) { reports.add($0) }.load()
        #expect(reports.all.last?.sent == 300_000)
        #expect(reports.all.last?.bytesToSend == 300_000)
        #expect(reports.all.last?.fraction == 1)
    }

    @Test("has no fraction while the number of bytes is unknown")
    func unknownLength() {
        let progress = TransferProgress(sent: 5, bytesToSend: nil, received: 0, bytesToReceive: nil)
        #expect(progress.fraction == nil)
        #expect(TransferProgress(sent: 0, bytesToSend: 0, received: 5, bytesToReceive: nil).fraction == nil)
        #expect(TransferProgress(sent: 0, bytesToSend: 0, received: 5, bytesToReceive: 10).fraction == 0.5)
        #expect(TransferProgress(sent: 3, bytesToSend: 4, received: 0, bytesToReceive: 10).fraction == 0.75)
        #expect(TransferProgress(sent: 0, bytesToSend: 0, received: 0, bytesToReceive: 0).fraction == 1)
    }

    @Test("and its events: early hints, the head, the trailers")
    func events() async throws {
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"),
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 5\r\n\r\n"),
        ])
        let events = Mutex<[TransferEvent]>([])
        let stream = try await BaseResource(server.url, networkInterface: Swifty()).get()
            .onEvent { event in events.withLock { $0.append(event) } }.stream()
        #expect(try await stream.text() == "hi")
        #expect(stream.trailers == [try #require(HTTPField.Name("X-Sum")): "5"])
        let all = events.withLock { $0 }
        #expect(all.contains { if case .informational(103, let fields) = $0 { !fields.isEmpty } else { false } })
        #expect(all.contains(.responseHead(statusCode: 200, contentLength: nil)))
        #expect(all.contains { if case .trailers = $0 { true } else { false } })
    }
}

@Suite("A rate", .timeLimit(.minutes(15)))
struct BandwidthTests {
    @Test("gives each transfer its turn, and saves nothing up")
    func turns() async {
        let time = TestClock()
        let clock = LoadClock(time)
        let bandwidth = Bandwidth(bytesPerSecond: 100)
        let delay = { (count: Int) in bandwidth.reserve(count, clock: clock).0 }
        #expect(delay(50) == .zero)
        #expect(delay(100) == .milliseconds(500))
        #expect(delay(1) == .milliseconds(1500))
        await time.advance(by: .seconds(100))
        #expect(delay(200) == .zero)
        #expect(delay(1) == .seconds(2))
        #expect(bandwidth.sliceSize == 10)
        #expect(Bandwidth(bytesPerSecond: -5).bytesPerSecond == 1)
    }

    @Test("limits what is received, streamed or in memory, and what is sent")
    func limits() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/content") { _ in .data(Data(count: 300_000)) }
            server.route("POST", "/length") { .text("\($0.content.count)") }
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let clock = ContinuousClock()
        let streamed = try await clock.measure {
            let stream = try await base.get("content").limitRate(download: 200_000).stream()
            #expect(try await stream.count() == 300_000)
        }
        #expect(streamed >= .seconds(1))
        let buffered = try await clock.measure {
            let response = try await base.get("content").limitRate(download: 200_000).load()
            #expect(response.data?.count == 300_000)
        }
        #expect(buffered >= .seconds(1))
        let sent = try await clock.measure {
            let response = try await base.post("length").data(Data(count: 300_000)).limitRate(upload: 200_000).load()
            #expect(response.string == "300000")
        }
        #expect(sent >= .seconds(1))
    }

    @Test("does not outlast the limits of the load, although its content has arrived")
    func timeLimit() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/content") { _ in .data(Data(count: 10_000)) }
            server.route("POST", "/length") { .text("\($0.content.count)") }
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let get = base.get("content").limitRate(download: 10)
        let upload = base.post("length").data(Data(count: 10_000)).limitRate(upload: 10)
        for resource in [get, upload] {
            let error = await #expect(throws: SwiftyError.self) { try await resource.timeout(.seconds(1)).load() }
            #expect(error?.timeLimit == .total)
        }
        let stream = try await base.get("content").limitRate(download: 10).timeout(.seconds(1)).stream()
        for _ in 0..<2 {
            let error = await #expect(throws: SwiftyError.self) { try await stream.count() }
            #expect(error?.timeLimit == .total)
        }
    }

    @Test("does not outlast the cancellation of the load, although its content has arrived", arguments: [true, false])
    func cancellation(isStreamed: Bool) async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/content") { _ in .data(Data(count: 10_000)) }
        }
        let swifty = Swifty()
        let resource = BaseResource(server.url, networkInterface: swifty).get("content").limitRate(download: 10)
        for cancelsTask in [true, false] {
            let (begun, begin) = AsyncStream<Void>.makeStream()
            let task = Task {
                guard isStreamed else {
                    let observed = resource.onEvent { if case .responseHead = $0 { begin.yield() } }
                    return try await observed.load().data?.count ?? 0
                }
                let stream = try await resource.stream()
                begin.yield()
                return try await stream.count()
            }
            var iterator = begun.makeAsyncIterator()
            await iterator.next()
            if cancelsTask { task.cancel() } else { swifty.cancelAllLoads() }
            let error = await #expect(throws: SwiftyError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
    }

    @Test(
        "holds no other load back when its transfer has ended",
        arguments: [true, false],
        [PacedEnd.complete, .cut]
    )
    func admission(isStreamed: Bool, end: PacedEnd) async throws {
        let swifty = Swifty { $0.admission.maximumLoads = 1 }
        let server = try ScriptedServer(end.steps)
        let resource = BaseResource(server.url, networkInterface: swifty).get().limitRate(download: 1)
        let paced = Task {
            if isStreamed { return try await resource.stream().count() }
            return try await resource.load().data?.count ?? 0
        }
        _ = try await server.takeRequest()
        let other = try ScriptedServer([.readRequest, .respond(content: "ok")])
        let response = try await BaseResource(other.url, networkInterface: swifty).get().timeout(.seconds(60)).load()
        #expect(response.string == "ok")
        paced.cancel()
        await #expect(throws: SwiftyError.self) { try await paced.value }
    }

    /// How the transfer of content ends whose reader has got one byte of it.
    enum PacedEnd: Sendable {
        case complete, cut

        fileprivate var steps: [ScriptedServer.Step] {
            let content = ScriptedServer.Step.send([UInt8](repeating: 1, count: 1_000))
            let length = self == .complete ? 1_000 : 2_000
            return [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n"), content]
        }
    }

    @Test("that two transfers share limits them together")
    func shared() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/content") { _ in .data(Data(count: 200_000)) }
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let bandwidth = Bandwidth(bytesPerSecond: 200_000)
        let duration = try await ContinuousClock().measure {
            async let one = base.get("content").limitRate(download: bandwidth).stream().count()
            async let two = base.get("content").limitRate(download: bandwidth).stream().count()
            let total = try await one + two
            #expect(total == 400_000)
        }
        #expect(duration >= .milliseconds(1500))
    }

    @Test("limits the response in memory to the size of a decoded one")
    func memory() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/content") { _ in .data(Data(count: 300_000)) }
        }
        let swifty = Swifty { $0.contentDecoding.maximumBytes = 100_000 }
        let error = await #expect(throws: SwiftyError.self) {
            try await BaseResource(server.url, networkInterface: swifty).get("content")
                .limitRate(download: 100_000_000).load()
        }
        #expect(error?.code == .responseTooLarge)
    }

    @Test("of zero is refused")
    func zero() async throws {
        let error = await #expect(throws: SwiftyError.self) {
            try await BaseResource("http://127.0.0.1:1", networkInterface: Swifty()).get().limitRate(upload: 0).load()
        }
        #expect(error?.code == .invalidSettings)
    }
}
