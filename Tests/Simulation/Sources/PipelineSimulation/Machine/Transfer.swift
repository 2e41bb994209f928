// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Data

@testable import SwiftyTransport

/// One transfer: the answer of a plan, as time passes, with the limits of its request.
// Safety: the one thread of the simulation uses it.
final class Transfer: @unchecked Sendable {
    let call: RequestCall
    let answer: Answer
    private let server: SimulatedServer
    private unowned let history: PipelineHistory
    private var world: World { history.world }

    let begin: Int64
    private(set) var sent = SwiftyError.SentState.notSent
    private(set) var head: ResponseHead?
    /// What has arrived and was not taken.
    private(set) var parts: [Data] = []
    /// What the server has still to send.
    private var rest: [Data] = []
    /// The whole content of the response.
    private(set) var content = Data()
    private var wholeCount = 0
    private var received = 0
    private(set) var ending: Result<Void, SwiftyError>?
    private var waiter: CheckedContinuation<Void, Never>?
    private var timers: [World.Timer] = []
    private var idleTimer: World.Timer?
    /// Called at the end. A further one replaces it, as in `CurlTransport`; other transports may call both.
    private var endHandler: (@Sendable (SwiftyError?) -> Void)?
    var onEnd: () -> Void = {}
    /// What the server says about its quota.
    var quotaReport: QuotaRecord.Report?
    private(set) var hasToldQuota = false
    private var registration: LoadCancellation.Registration?
    var cancellation: LoadCancellation?

    init(_ call: RequestCall, _ answer: Answer, _ server: SimulatedServer, _ history: PipelineHistory) {
        (self.call, self.answer, self.server, self.history) = (call, answer, server, history)
        begin = history.world.now
    }

    // MARK: The server

    func start() {
        let limits = call.request.timeouts
        if let total = limits.total { timer(total) { [unowned self] in timeOut(.total) } }
        if let firstByte = limits.firstByte {
            timer(firstByte) { [unowned self] in if head == nil { timeOut(.firstByte) } }
        }
        restartIdleTimer()
        // What is cancelled before is not sent.
        if let code = cancellation?.code { return world.soon { [weak self] in self?.cancel(code) } }
        registration = cancellation?.onCancel { [weak self] code in self?.cancelLate(code) }
        let time = answer.time.milliseconds
        if case .refused = answer.kind {
            return after(time) { [unowned self] in end(failure(.connectionFailed, .connect)) }
        }
        after(time / 4) { [unowned self] in
            if ending == nil, sent == .notSent { sent = .maybeSent }
        }
        switch answer.kind {
        case .never: break
        case .lost: after(time) { [unowned self] in end(failure(.connectionLost, .firstByte)) }
        default: after(time) { [unowned self] in arrive() }
        }
    }

    private func arrive() {
        if ending != nil { return }
        let served = server.response(to: call, answer, history)
        var head = served.head
        if let field = quotaReport?.field(at: history.world.now) {
            var headers = head.headers
            headers[.rateLimit] = field
            head = ResponseHead(statusCode: head.statusCode, headers: headers)
            hasToldQuota = true
        }
        self.head = head
        (rest, content, wholeCount) = (served.parts, Data(served.parts.joined()), served.parts.count)
        sent = .responded
        history.world.note(
            .headArrives,
            of: call.number,
            head.statusCode,
            is: "transfer \(call.number): \(head.statusCode)"
        )
        history.noteChange(by: self, isEnd: false)
        call.request.onEvent?(.responseHead(statusCode: head.statusCode, contentLength: nil))
        restartIdleTimer()
        change()
        deliverNext()
    }

    /// Parts come no further ahead of a reader than two of them.
    private func deliverNext() {
        if ending != nil { return }
        if call.isStreamed, parts.count >= 2 {
            if let idleTimer { world.cancel(idleTimer) }
            idleTimer = nil
            return
        }
        after(answer.partTime.milliseconds) { [unowned self] in
            if ending != nil { return }
            if case .cut = answer.kind, rest.count <= wholeCount / 2 {
                return end(failure(.connectionLost, .content))
            }
            if rest.isEmpty { return end(nil) }
            let part = rest.removeFirst()
            parts.append(part)
            received += part.count
            world.note(.partArrives, of: call.number, part.count, is: "transfer \(call.number): \(part.count) bytes")
            call.request.onEvent?(.progress(sent: 0, received: received))
            restartIdleTimer()
            change()
            deliverNext()
        }
    }

    // MARK: Ends

    /// Ends the transfer, unless it has ended.
    func end(_ error: SwiftyError?) {
        guard ending == nil else { return }
        ending = error.map { .failure($0) } ?? .success(())
        for timer in timers { world.cancel(timer) }
        if let idleTimer { world.cancel(idleTimer) }
        cancellation?.remove(registration)
        history.transferEnds(self, error)
        onEnd()
        // It refers to the transfer.
        onEnd = {}
        change()
        endHandler?(error)
        endHandler = nil
    }

    private func failure(_ code: SwiftyError.Code, _ stage: SwiftyError.Stage) -> SwiftyError {
        SwiftyError(code, stage: stage, sent: sent).withResponse(head, content: nil)
    }

    private func timeOut(_ limit: SwiftyError.TimeLimit) {
        var error = failure(.timedOut, head == nil ? .firstByte : .content)
        error.timeLimit = limit
        end(error)
    }

    /// Until the other thread takes notice, parts come, and the transfer may end with its response.
    private func cancelLate(_ code: SwiftyError.Code) {
        world.onAnotherThread { [weak self] in self?.cancel(code) }
    }

    private func cancel(_ code: SwiftyError.Code) {
        end(failure(code, head == nil ? .firstByte : .content))
    }

    /// A server that never answers closes its connection.
    func endFaults() {
        if case .never = answer.kind { end(failure(.connectionLost, .firstByte)) }
    }

    /// Whether the end of its load has reached it.
    var isEnding: Bool { cancellation?.code != nil }

    func cancelReading() {
        end(failure(.cancelled, .content))
    }

    private func timer(_ time: Duration, _ action: @escaping () -> Void) {
        timers.append(world.after(time.nanoseconds, action))
    }

    private func after(_ time: Int64, _ action: @escaping () -> Void) {
        timers.append(world.after(time, action))
    }

    private func restartIdleTimer() {
        guard let idle = call.request.timeouts.idle, ending == nil else { return }
        if let idleTimer { world.cancel(idleTimer) }
        idleTimer = world.after(idle.nanoseconds) { [unowned self] in timeOut(.idle) }
    }

    // MARK: The caller

    /// - Returns: Whether the transport can tell.
    func whenEnded(_ handler: @escaping @Sendable (SwiftyError?) -> Void) -> Bool {
        guard history.plan.setup.tellsEnds else { return false }
        switch ending {
        case .success: handler(nil)
        case .failure(let error): handler(error)
        case nil: endHandler = handler
        }
        return true
    }

    func response() async throws(SwiftyError) -> TransportResponse {
        while ending == nil { await wait() }
        try ending?.get()
        return TransportResponse(
            head: head ?? ResponseHead(statusCode: 500),
            content: Data(parts.joined()),
            metrics: metrics
        )
    }

    func finalHead() async throws(SwiftyError) -> ResponseHead {
        while head == nil, ending == nil { await wait() }
        guard let head else {
            try ending?.get()
            throw failure(.transportFailed, .head)
        }
        return head
    }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        while parts.isEmpty, ending == nil { await wait() }
        if let part = parts.first {
            parts.removeFirst()
            if parts.count == 1, ending == nil {
                restartIdleTimer()
                deliverNext()
            }
            return part
        }
        try ending?.get()
        return nil
    }

    var metrics: TransferMetrics {
        var metrics = TransferMetrics()
        metrics.responseContentBytes = received
        metrics.isCompletenessProven = true
        return metrics
    }

    private func wait() async {
        await withCheckedContinuation { waiter = $0 }
    }

    private func change() {
        defer { waiter = nil }
        waiter?.resume()
    }
}

/// The content of a transfer, which ends with the last reference to it.
final class SimulatedContent: StreamedContent {
    private let transfer: Transfer

    init(_ transfer: Transfer) {
        self.transfer = transfer
    }

    deinit {
        transfer.cancelReading()
    }

    var trailers: HTTPFields { [:] }
    var metrics: TransferMetrics { transfer.metrics }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        let result = await withTaskCancellationHandler { [transfer] in
            do throws(SwiftyError) {
                return Result<Data?, SwiftyError>.success(try await transfer.next())
            } catch {
                return .failure(error)
            }
        } onCancel: { [transfer] in
            transfer.cancelReading()
        }
        return try result.get()
    }

    func whenEnded(_ handler: @escaping @Sendable (SwiftyError?) -> Void) -> Bool {
        transfer.whenEnded(handler)
    }

    func cancel() {
        transfer.cancelReading()
    }
}
