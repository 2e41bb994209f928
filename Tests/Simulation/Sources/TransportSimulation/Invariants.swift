// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore
import SwiftyTransport

/// What must be true of every history, whatever the peers did: the sentences of Docs/Invariants.md.
struct Invariants {
    let history: TransportHistory
    var world: World { history.world }
    var network: Network { history.network }

    /// The time by which a loop may be late: it waits in whole milliseconds, and its turns take some microseconds.
    static let tolerance: Int64 = 1_200_000

    init(_ history: TransportHistory) {
        self.history = history
    }

    func check() {
        for caller in history.callers {
            checkEnd(of: caller)
            checkRequests(of: caller)
            checkOutcome(of: caller)
            checkMetrics(of: caller)
            checkLimits(of: caller)
            noteStates(of: caller)
            checkSilences(of: caller)
        }
        checkDeadConnections()
        checkDeadConnectionsWithRequests()
        checkSuspectedConnections()
        checkFailedSends()
        checkReturn()
    }

    /// Everything that was taken is given back.
    private func checkReturn() {
        let isExpected = !history.plan.isReleased || history.plan.shutdown == nil || history.shutdownBegan != nil
        world.expect(!isExpected || history.shutdownEnded != nil, "a shutdown ends")
        if let began = history.shutdownBegan, let ended = history.shutdownEnded {
            let late = ended - began - Self.tolerance - history.plan.mostLate
            world.expect(late <= 0, "a shutdown ends at once", "it took \((ended - began) / 1_000_000) ms")
        }
        for thread in history.system.threads {
            world.expect(thread.isEnded, "the thread of a loop ends", "loop \(thread.number)")
            let count = thread.sockets.openCount
            world.expect(count == 0, "every connection is closed in the end", "\(count) are open")
        }
        for host in network.hosts {
            world.expect(host.openCount == 0, "every connection is closed in the end", "host \(host.number)")
        }
        for caller in history.callers {
            let count = caller.sources.live
            world.expect(count == 0, "every source is released in the end", "load \(caller.number): \(count)")
        }
        world.expect(history.isReleased, "the transport is released in the end")
    }

    private func checkEnd(of caller: Caller) {
        guard caller.ended != nil else { return }
        let count = caller.outcomeCount
        world.expect(count == 1, "every load ends exactly once", "load \(caller.number): \(count) times")
        if case .left = caller.outcome { return }
        guard caller.hasHead else { return }
        let ends = caller.transferEndCount
        world.expect(ends == 1, "the end of a stream is told once", "load \(caller.number): \(ends) times")
    }
}

// MARK: Requests

extension Invariants {
    private func checkRequests(of caller: Caller) {
        let records = network.requests(of: caller.number)
        let processed = records.count { !$0.isRefused }
        world.expect(
            !caller.prewarms || records.isEmpty,
            "nothing is sent on a connection that is opened ahead",
            "load \(caller.number)"
        )
        world.expect(
            caller.plan.method.isIdempotent || processed <= 1,
            "a request that may not be repeated is processed at most once",
            "load \(caller.number) was processed \(processed) times"
        )
        for record in records {
            checkConnection(of: record, caller)
            world.expect(
                record.method == caller.plan.method.value.rawValue,
                "a request has its own method",
                "load \(caller.number): \(record.method)"
            )
            checkContent(of: record, caller)
        }
    }

    private func checkConnection(of record: RequestRecord, _ caller: Caller) {
        let settings = history.plan.settings
        let isRight =
            switch settings.version {
            case .automatic: true
            case .http1: !record.line.speaksHTTP2
            case .http2: record.line.speaksHTTP2
            }
        let text = "load \(caller.number) on connection \(record.line.number)"
        world.expect(isRight, "a request is sent over the version that the settings demand", text)
        world.expect(record.line.connectsTo == caller.plan.peer, "a request goes where its load has it connect", text)
        guard let age = settings.maximumAge, let opened = record.line.openedAt else { return }
        let late = caller.started - opened - age
        world.expect(late <= Self.tolerance, "a connection that is too old gets no request", "\(text): \(late) ns")
    }

    private func checkContent(of record: RequestRecord, _ caller: Caller) {
        let count = record.content.count
        let isPrefix = record.content == Content.request(caller.number, 0..<count)
        let sentence = "what a server receives is the content that the source made"
        world.expect(isPrefix, sentence, "load \(caller.number): \(count) other bytes")
        guard record.isComplete else { return }
        let sizes = Self.completeSizes(caller.plan.content, arrival: record.arrival)
        world.expect(sizes.contains(count), sentence, "load \(caller.number): \(count) bytes as a complete request")
    }

    /// The numbers of bytes that a complete request may have.
    private static func completeSizes(_ content: ContentPlan, arrival: Int) -> [Int] {
        switch content {
        case .none: return [0]
        case .memory(let size): return [size]
        case .source(let plan):
            if plan.failsAt != nil { return [] }
            let again = plan.secondSize.map { plan.announcesLength ? [] : [$0] } ?? []
            return plan.surplus < 0 && plan.size > 0 ? [] : [plan.size] + again
        }
    }
}

// MARK: Outcomes

extension Invariants {
    private func checkOutcome(of caller: Caller) {
        switch caller.outcome {
        case .success(let head, let body, let metrics): check(caller, head, body, metrics)
        case .failure(let error): check(caller, error)
        case .left, .prewarmed, nil: break
        }
    }

    private func check(_ caller: Caller, _ head: ResponseHead, _ body: [UInt8], _ metrics: TransferMetrics) {
        let load = caller.number
        world.expect(
            head["x-unrequested"] == nil,
            "no bytes that came before a request are its response",
            "load \(load) got what it had not asked for"
        )
        let mayBeLarger = body.count <= history.plan.settings.contentLimit || caller.hasHead
        world.expect(mayBeLarger, "a response is no larger than the settings allow", "load \(load): \(body.count)")
        guard let record = record(of: head, caller) else { return }
        world.expect(!record.isFlawed, "a malformed response is not used", "load \(load)")
        world.expect(head.statusCode == record.status, "a response has its own status", "load \(load)")
        let sentence = "what a caller gets is exactly what its server sent"
        let expected = Content.response(load, record.arrival, count: record.responseSize)
        let trailers = record.hasTrailers ? ["\(load)"] : []
        let isOwn = [caller.reportedTrailers, caller.readTrailers].allSatisfy { $0 ?? trailers == trailers }
        world.expect(isOwn, sentence, "load \(load): other trailers")
        if record.isResponseComplete {
            world.expect(body == expected, sentence, "load \(load): \(body.count) of \(expected.count) bytes")
        } else if record.endsWithConnection, !metrics.isCompletenessProven {
            world.expect(expected.starts(with: body), sentence, "load \(load)")
        } else {
            world.report(sentence, "load \(load): \(body.count) bytes of a response that was not complete")
        }
    }

    /// The request to which a head is the response.
    func record(of head: ResponseHead, _ caller: Caller) -> RequestRecord? {
        let parts = head["x-answer"]?.split(separator: "-").compactMap { Int($0) } ?? []
        let sentence = "a response belongs to its request"
        guard parts.count == 2, parts[0] == caller.number else {
            // 417 is the response to an expectation.
            world.expect(head.statusCode == 417, sentence, "load \(caller.number) got \(head["x-answer"] ?? "none")")
            return nil
        }
        let records = network.requests(of: caller.number)
        guard parts[1] < records.count else {
            world.report(sentence, "load \(caller.number) was not sent so often")
            return nil
        }
        return records[parts[1]]
    }

    private func check(_ caller: Caller, _ error: SwiftyError) {
        let load = caller.number
        let records = network.requests(of: load)
        if error.sent == .notSent {
            world.expect(
                records.allSatisfy(\.isRefused),
                "a request that is said not to be sent was not processed",
                "load \(load): \(error.reason)"
            )
        }
        if error.sent == .maybeSent, !history.plan.hosts[caller.plan.host].isSecure {
            world.expect(
                network.carriages.contains { $0.load == load },
                "a request that is said to be sent, perhaps, was written",
                "load \(load): \(error.reason)"
            )
        }
        if error.sent == .responded {
            world.expect(
                records.contains { $0.hasResponded },
                "a request that is said to be responded to was",
                "load \(load): \(error.reason)"
            )
        }
        if let head = error.head, let body = error.content, !body.isEmpty, let record = record(of: head, caller) {
            let expected = Content.response(load, record.arrival, count: record.responseSize)
            let sentence = "what a caller gets is exactly what its server sent"
            world.expect(expected.starts(with: body), sentence, "load \(load): in an error")
        }
        if [.tooManyOpenFiles, .transportFailed].contains(error.code), error.reason.hasPrefix("the transport") {
            world.expect(
                history.system.lastAbsence >= caller.started,
                "a load fails for want of a loop only if none could be made meanwhile",
                "load \(load): \(error.reason)"
            )
        }
        if mustSucceed(caller), error.code != .timedOut || !isBehindSlowCallers(caller) {
            let text = "load \(load): \(error.code), \(error.stage), \(error.sent): \(error.reason)"
            world.report("a load of a server that does nothing wrong succeeds", text)
        }
    }

    /// Whether the callers of a host keep its connections for so long that others reach their limits.
    private func isBehindSlowCallers(_ caller: Caller) -> Bool {
        let loads = history.plan.loads.filter { $0.host == caller.plan.host }
        return loads.reduce(0) { $0 + $1.pauses } > 100_000_000_000
    }

    /// Whether nothing can make a load fail but the transport.
    private func mustSucceed(_ caller: Caller) -> Bool {
        let host = history.plan.hosts[caller.plan.host]
        guard host.isHarmless, !caller.isCancelled, !history.plan.isPoor, !history.isShutDownEarly else {
            return false
        }
        if case .source(let source) = caller.plan.content {
            let isSteady = source.failsAt == nil && source.secondSize == nil && source.surplus == 0
            guard isSteady, source.isRewindable else { return false }
        }
        guard canSucceed(caller, from: host) else { return false }
        // A PING may take longer than that.
        if host.isSecure, history.plan.settings.pingInterval ?? .max < 15_000_000_000 { return false }
        // A server may close an idle connection while a request is under way.
        let closesIdle = host.connections.contains { $0.ending != nil }
        if closesIdle, !caller.plan.method.isIdempotent { return false }
        return network.requests(of: caller.number).count { $0.isRefused } <= 4
    }
}

extension Invariants {
    /// Whether the settings allow the response, and it is a valid one.
    private func canSucceed(_ caller: Caller, from host: HostPlan) -> Bool {
        let settings = history.plan.settings
        let answers = caller.plan.answers + [AnswerPlan()]
        if caller.plan.reader == .collected, answers.contains(where: { $0.size > settings.contentLimit }) {
            return false
        }
        if answers.contains(where: { $0.flaw != nil }) { return false }
        return settings.version != .http2 || host.isSecure && host.connections.allSatisfy(\.speaksHTTP2)
    }
}

// MARK: States

extension Invariants {
    private func noteStates(of caller: Caller) {
        switch caller.outcome {
        case .success(let head, _, let metrics):
            world.note(state: head.httpVersion == .http2 ? TransportState.succeededOverHTTP2 : .succeededOverHTTP1)
            if metrics.isConnectionReused { world.note(state: TransportState.reused) }
            if metrics.repetitions > 0 { world.note(state: TransportState.repeated) }
        case .failure(let error):
            for state in error.states { world.note(state: state) }
        case .left, .prewarmed, nil: break
        }
    }
}

extension SwiftyError {
    /// The states in which the machines of the transport were when the load failed.
    fileprivate var states: [TransportState] {
        let sents: [SentState: TransportState] = [
            .notSent: .failedNotSent, .maybeSent: .failedMaybeSent, .responded: .failedResponded,
        ]
        let stages: [Stage: TransportState] = [
            .queue: .stageQueue, .nameLookup: .stageNameLookup, .connect: .stageConnect, .tls: .stageTLS,
            .send: .stageSend, .firstByte: .stageFirstByte, .head: .stageHead, .content: .stageContent,
        ]
        let codes: [Code: TransportState] = [
            .cancelled: .cancelled, .shutdown: .shutDown, .connectionLost: .connectionLost,
            .connectionFailed: .connectionFailed, .malformedResponse: .malformedResponse,
            .contentUnreadable: .contentUnreadable, .tooManyOpenFiles: .tooManyOpenFiles,
            .transportFailed: .transportFailed, .responseTooLarge: .responseTooLarge,
            .versionUnavailable: .versionUnavailable,
        ]
        let limits: [TimeLimit: TransportState] = [
            .total: .timedOutTotal, .connect: .timedOutConnect, .firstByte: .timedOutFirstByte, .idle: .timedOutIdle,
        ]
        return [sents[sent], stages[stage], codes[code], timeLimit.flatMap { limits[$0] }].compactMap { $0 }
    }
}
