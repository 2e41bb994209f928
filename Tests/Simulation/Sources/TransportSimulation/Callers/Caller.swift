// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore
import SwiftyCurl
import SwiftyTransport

import struct Foundation.Data

// Safety: one thread uses it.
/// One load, and what its caller has seen of it.
final class Caller: @unchecked Sendable {
    enum Outcome {
        case success(ResponseHead, [UInt8], TransferMetrics)
        case failure(SwiftyError)
        /// The reader has left.
        case left
        /// It has only opened a connection.
        case prewarmed
    }

    struct Sources {
        var live = 0
        var busy = 0
        var cancelled = 0
        var lastAnswer: Int64 = 0
        /// How many there were.
        var count = 0
        /// The last time at which one answered that nothing but this answer was waited for.
        var lastAwaitedAnswer: Int64 = 0
        /// The times at which a source was asked.
        var asked: [Int64] = []
    }

    let number: Int
    let plan: LoadPlan
    let world: World
    var sources = Sources()
    /// Starts the next load; returns it if it is to run in the same task.
    var whenEnded: (() -> Caller?)?
    private let host: HostPlan
    private let cancellation = LoadCancellation()
    private(set) var started: Int64 = 0
    /// The time at which the caller knew of the end.
    private(set) var ended: Int64?
    /// The time at which the transfer of a streamed response ended.
    private(set) var transferEnded: Int64?
    private(set) var transferEndCount = 0
    private(set) var outcome: Outcome?
    private(set) var outcomeCount = 0
    private(set) var isCancelled = false
    /// Whether it only opens a connection. By its number, so that the plans of other histories stay as they are.
    var prewarms: Bool {
        guard case .collected = plan.reader, case .none = plan.content, plan.method == .get else { return false }
        return number % 9 == 4
    }
    /// Whether the caller has the head.
    private(set) var hasHead = false
    /// The time at which the reader took a part, and whether it is busy with something else.
    private(set) var lastPart: Int64 = 0
    private(set) var isReaderBusy = false
    /// The trailers that the transport reported, and those of a content that was read to its end.
    private(set) var reportedTrailers: [String]?
    private(set) var readTrailers: [String]?
    /// The number of bytes that the reader has taken.
    private(set) var readCount = 0
    /// Whether a reader takes the response, part by part.
    var isReading: Bool {
        if case .streamed = plan.reader { outcome == nil } else { false }
    }
    /// Since when the caller has been waiting for content; `nil` while it is busy.
    var waitingSince: Int64? { isReaderBusy ? nil : max(started, lastPart) }
    private var reportedStage = 0
    /// The last connection that carries it and speaks HTTP/1.1.
    weak var line: Line?
    /// Whether the connection may be waiting for the reader: little may be ahead of it beside many others.
    var mayHoldBack: Bool { isReaderBusy }

    /// Whether the transfer has ended, as far as is known.
    var isTransferOver: Bool { ended != nil || transferEnded != nil }

    init(_ number: Int, _ plan: LoadPlan, _ host: HostPlan, in world: World) {
        self.number = number
        self.plan = plan
        self.host = host
        self.world = world
    }

    /// The transport is gone before the load could start.
    func skip() {
        (started, ended, outcome, outcomeCount) = (world.now, world.now, .left, 1)
        _ = takeNext()
    }

    private func takeNext() -> Caller? {
        defer { whenEnded = nil }
        return whenEnded?()
    }

    func start(on transport: CurlTransport) {
        begin()
        if plan.runsOnLoop {
            Task(executorPreference: transport.executor) { await self.run(on: transport) }
        } else {
            Task { await self.run(on: transport) }
        }
    }

    private func begin() {
        world.note(.loadStarted, number, plan.host, "load \(number) starts")
        if let time = plan.cancelled { world.after(time - plan.start) { self.cancel() } }
    }

    private func cancel() {
        if ended != nil { return }
        isCancelled = true
        world.note(.loadCancelled, number, 0, "load \(number) is cancelled")
        cancellation.cancel()
    }

    private func end(_ outcome: Outcome) {
        ended = world.now
        outcomeCount += 1
        self.outcome = outcome
        switch outcome {
        case .success(let head, let body, _):
            let text = "load \(number) succeeds: \(head.statusCode), \(body.count) bytes"
            world.note(.loadSucceeded, number, head.statusCode * 1_000_000 + body.count, text)
        case .failure(let error):
            if let limit = error.timeLimit { world.note(.limitReached, number, 0, "load \(number): \(limit)") }
            let text = "load \(number) fails: \(error.code), \(error.stage), \(error.sent): \(error.reason)"
            world.note(.loadFailed, number, Self.digest(error), text)
        case .left: world.note(.readerLeft, number, 0, "load \(number): the reader leaves")
        case .prewarmed: world.note(.prewarmed, number, 0, "load \(number) has opened a connection")
        }
    }

    private static func digest(_ error: SwiftyError) -> Int {
        var hash = StableHash()
        hash.add("\(error.code) \(error.stage) \(error.sent) \(error.reason)".utf8)
        return Int(truncatingIfNeeded: hash.value)
    }
}

// MARK: Loading

extension Caller {
    private func run(on transport: CurlTransport) async {
        await load(from: transport)
        guard let next = takeNext() else { return }
        next.begin()
        await next.run(on: transport)
    }

    private func load(from transport: CurlTransport) async {
        started = world.now
        do {
            switch plan.reader {
            case .collected where prewarms:
                try await transport.prewarm(makeRequest(), cancellation: cancellation)
                end(.prewarmed)
            case .collected:
                let response = try await transport.send(makeRequest(), cancellation: cancellation)
                end(.success(response.head, Array(response.content), response.metrics))
            case .streamed(let reader):
                let response = try await transport.stream(makeRequest(), cancellation: cancellation)
                end(try await read(response, reader))
            }
        } catch let error as SwiftyError {
            end(.failure(error))
        } catch {
            world.report("a load fails with a SwiftyError", "load \(number): \(error)")
        }
    }

    private func read(_ response: StreamedResponse, _ reader: StreamPlan) async throws -> Outcome {
        hasHead = true
        world.note(.headCame, number, response.head.statusCode, "load \(number): the head has come")
        _ = response.content.whenEnded { _ in self.noteTransferEnd() }
        var content: [UInt8] = []
        var count = 0
        while count != reader.leavesAfter {
            await pause(isPatient ? reader.pause : 0)
            guard let part = try await response.content.next() else {
                await pause(reader.holds)
                readTrailers = response.content.trailers[values: .trailer]
                return .success(response.head, content, response.content.metrics)
            }
            lastPart = world.now
            count += 1
            content.append(contentsOf: part)
            readCount += part.count
            world.note(.partRead, number, part.count, "load \(number): the reader takes \(part.count) bytes")
        }
        await pause(reader.holds)
        return .left
    }

    /// Whether pauses between parts go on: thousands of parts of a byte must not take longer than a history.
    var isPatient: Bool { world.now < started + Self.patience }
    private static let patience: Int64 = 500_000_000_000

    private func pause(_ time: Int64) async {
        isReaderBusy = true
        await world.sleep(time)
        isReaderBusy = false
        lastPart = world.now
    }

    private func noteTransferEnd() {
        transferEnded = world.now
        transferEndCount += 1
    }

    /// Each event comes once, in its order, and none after the end.
    private func take(_ event: TransferEvent) {
        // A transfer goes on for a moment when its reader has left.
        if case .left = outcome { return }
        world.expect(ended == nil, "no event comes after the end", "load \(number): \(event)")
        if case .trailers(let fields) = event { reportedTrailers = fields[values: .trailer] }
        let (name, stage) = event.place
        world.note(name, number, stage, "load \(number): \(event)")
        guard stage > 0 else { return }
        world.expect(stage > reportedStage, "events come once, and in their order", "load \(number): \(event)")
        reportedStage = stage
    }

    private func makeRequest() throws -> NetworkRequest {
        let scheme = host.isSecure ? "https" : "http"
        let target = try TargetURI("\(scheme)://host\(plan.host).test/load/\(number)")
        var request = NetworkRequest(method: plan.method.value, target: target)
        if plan.method == .keyedPost { request.headers[.idempotencyKey] = "key-\(number)" }
        switch plan.content {
        case .none: break
        case .memory(let size): request.content = .data(Data(Content.request(number, 0..<size)))
        case .source(let source): request.content = .source(SimulatedSource(source, of: self))
        }
        if number.isMultiple(of: 3) { request.onEvent = { self.take($0) } }
        request.timeouts = plan.limits.timeouts
        request.requiresNewConnection = plan.requiresNewConnection
        request.connectsTo = plan.peer
        return request
    }
}

extension TransferEvent {
    /// Its place among the events of a transfer; zero if it may come at any time.
    fileprivate var place: (TransportEvent, Int) {
        switch self {
        case .connected: (.reportedConnection, 1)
        case .requestSent: (.reportedSent, 2)
        case .responseHead: (.reportedHead, 3)
        case .trailers: (.reportedTrailers, 4)
        case .informational, .progress: (.reportedProgress, 0)
        }
    }
}

extension LimitsPlan {
    fileprivate var timeouts: NetworkRequest.Timeouts {
        NetworkRequest.Timeouts(
            total: total.map { .nanoseconds($0) },
            connect: connect.map { .nanoseconds($0) },
            firstByte: firstByte.map { .nanoseconds($0) },
            idle: idle.map { .nanoseconds($0) }
        )
    }
}

extension LoadPlan {
    /// Where its connection goes; `nil` for its host.
    var peer: HostAndPort? { route == 0 ? nil : HostAndPort(host: "10.1.0.\(route)", port: 8_080) }
}

extension LoadPlan.Method {
    var value: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .head: .head
        case .post, .keyedPost: .post
        case .put: .put
        case .delete: .delete
        }
    }

    /// Whether a request may reach the server twice.
    var isIdempotent: Bool { self != .post }
}

extension HTTPField.Name {
    fileprivate static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .accept
    fileprivate static let trailer = HTTPField.Name("X-Trailer") ?? .accept
}
