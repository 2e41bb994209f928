// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The transfers of a loop: those that are under way, those to be served again, and those whose callers are about to be
/// resumed.
final class ActiveTransfers {
    // Exempt from dynamic exclusivity checks, because only the loop's thread uses them, and no access spans a call.
    @exclusivity(unchecked) private(set) var lists = Lists()

    private let presence: LoopPresence

    init(_ presence: LoopPresence) {
        self.presence = presence
    }

    struct Lists {
        var active: [Transfer] = []
        var finished: [Transfer] = []
        /// The transfers whose readers are resumed at the end of the turn.
        var signalled: [Transfer] = []
        /// The transfers that need a connection for another attempt.
        var repeated: [Transfer] = []
    }

    /// Whether a transfer waits for ``takeRepeated()``.
    var hasRepeated: Bool { !lists.repeated.isEmpty }

    /// Adds a transfer. Returns `false` if it was cancelled before.
    func begin(_ transfer: Transfer, at now: Int64) -> Bool {
        if let failure = transfer.cancellationFailure {
            finish(transfer, TransferOutcome(failure: failure))
            return false
        }
        transfer.begin(at: lists.active.count, in: presence, at: now)
        lists.active.append(transfer)
        return true
    }

    /// Ends a transfer whose response is complete.
    func complete(_ transfer: Transfer, on facts: ConnectionFacts, at now: Int64) {
        transfer.report?.reportEnd()
        end(transfer, TransferOutcome(facts: facts, ended: now))
    }

    /// Ends a transfer whose connection could not be made, or has failed.
    func fail(
        _ transfer: Transfer,
        _ failure: TransferFailure,
        on facts: ConnectionFacts = ConnectionFacts(),
        at now: Int64
    ) {
        var failure = failure
        // An earlier attempt may have reached the server.
        if failure.sent == .notSent, transfer.repetition.mayHaveBeenSent { failure.sent = .maybeSent }
        end(transfer, TransferOutcome(failure: failure, facts: facts, ended: now))
    }

    /// Ends a transfer in any state. A connection that carries only this transfer is closed.
    func interrupt(_ transfer: Transfer, with failure: TransferFailure, at now: Int64) {
        var failure = failure
        failure.stage = .queue
        var facts = ConnectionFacts()
        if let carrier = transfer.carrier {
            failure.stage = carrier.stage(of: transfer)
            if failure.code == .timedOut { carrier.attributeTimeout(&failure) }
            facts = carrier.facts
            carrier.abandon(transfer, isOverdue: failure.code == .timedOut)
        }
        failure.sent = transfer.attempt.progress.sent
        fail(transfer, failure, on: facts, at: now)
    }

    /// Ends a transfer that another thread has cancelled. One that has not begun ends in ``begin(_:at:)``.
    func cancel(_ transfer: Transfer, at now: Int64) {
        guard case .active = transfer.place, let failure = transfer.cancellationFailure else { return }
        interrupt(transfer, with: failure, at: now)
    }

    /// Continues a response whose buffer the reader has drained.
    func unpause(_ transfer: Transfer, at now: Int64) {
        guard case .active = transfer.place, transfer.attempt.isPaused else { return }
        transfer.unpause(at: now)
        transfer.carrier?.resumeReceiving(transfer)
    }

    /// Processes an answer of the source of a request's content.
    func take(_ answer: ContentPump.Answer, of pump: ContentPump, for transfer: Transfer, at now: Int64) {
        guard case .active = transfer.place, transfer.attempt.upload.awaits(pump) else { return }
        do throws(TransferFailure) {
            try transfer.takeContent(answer, at: now)
            transfer.carrier?.resumeSending(transfer)
        } catch {
            interrupt(transfer, with: error, at: now)
        }
    }

    /// Ends all transfers.
    func cancelAll(with failure: TransferFailure, at now: Int64) {
        for transfer in lists.active { interrupt(transfer, with: failure, at: now) }
    }

    /// Has the reader of a streamed response resumed at the end of the turn.
    func signalLater(_ transfer: Transfer) {
        guard transfer.feed != nil, !transfer.hasNews else { return }
        transfer.hasNews = true
        lists.signalled.append(transfer)
    }

    /// Resumes the readers of responses, and the callers of transfers that have ended. A caller may immediately send
    /// its next request.
    ///
    /// - Returns: The time at which to resume the next reader whose part may still grow; `.max` if there is none.
    func resumeCallers(at now: Int64) -> Int64 {
        let nextSignal = lists.signalled.isEmpty ? .max : resumeReaders(at: now)
        guard !lists.finished.isEmpty else { return nextSignal }
        for transfer in lists.finished { transfer.resume() }
        lists.finished.removeAll(keepingCapacity: true)
        return nextSignal
    }

    private func resumeReaders(at now: Int64) -> Int64 {
        var nextSignal = Int64.max
        lists.signalled.removeAll { transfer in
            if let end = transfer.gatheringEnd(at: now) {
                nextSignal = min(nextSignal, end)
                return false
            }
            transfer.hasNews = false
            transfer.deliverPart()
            transfer.feed?.signal()
            return true
        }
        return nextSignal
    }

    private func end(_ transfer: Transfer, _ outcome: TransferOutcome) {
        guard case .active(let index) = transfer.place else { return }
        let last = lists.active.removeLast()
        if index < lists.active.count {
            lists.active[index] = last
            last.move(to: index)
        }
        finish(transfer, outcome)
    }

    private func finish(_ transfer: Transfer, _ outcome: TransferOutcome) {
        transfer.end(outcome)
        lists.finished.append(transfer)
    }
}

// MARK: Limits

extension ActiveTransfers {
    /// Ends the transfers that have reached a limit, and sends content whose wait for a 100 response has ended. Returns
    /// the time of the next limit.
    func endOverdue(at now: Int64) -> Int64 {
        // From the end: the last transfer replaces one that ends.
        for index in lists.active.indices.reversed() where index < lists.active.count {
            let transfer = lists.active[index]
            if transfer.attempt.continueDeadline <= now { transfer.carrier?.stopWaitingForContinue(transfer) }
            guard let overdue = transfer.deadlines.overdue(at: now) else { continue }
            interrupt(transfer, with: .timedOut(overdue), at: now)
        }
        return lists.active.reduce(.max) { min($0, $1.nextDeadline) }
    }
}

// MARK: Repetition

extension ActiveTransfers {
    /// Takes the transfers that need a connection for another attempt, in the order of their arrival, so that even a
    /// server that keeps refusing requests eventually serves each one.
    func takeRepeated() -> [Transfer] {
        if lists.repeated.isEmpty { return [] }
        defer { lists.repeated.removeAll(keepingCapacity: true) }
        return lists.repeated.filter { if case .active = $0.place { true } else { false } }
            .sorted { $0.arrival < $1.arrival }
    }

    /// Repeats a request whose connection has ended before a byte of the response, if that is safe. Returns whether it
    /// is repeated.
    func repeatOnNewConnection(_ transfer: Transfer, at now: Int64) -> Bool {
        let isRepeated = transfer.repetition.connectionIsLost(
            isReused: transfer.attempt.isConnectionReused,
            sent: transfer.attempt.progress.sent,
            isIdempotent: transfer.request.isIdempotent,
            isContentRepeatable: transfer.attempt.upload.isRepeatable
        )
        if isRepeated { restart(transfer, at: now) }
        return isRepeated
    }

    /// Gives a request another connection, if the server spoke first on the one that was made for it. Returns whether
    /// it is repeated.
    func repeatUnheard(_ transfer: Transfer, after failure: TransferFailure, at now: Int64) -> Bool {
        guard failure.code == .malformedResponse, transfer.repetition.serverSpokeFirst() else { return false }
        restart(transfer, at: now)
        return true
    }

    /// Repeats a request that the server has not processed.
    func repeatUnprocessed(_ transfer: Transfer, at now: Int64) {
        let step = transfer.repetition.isUnprocessed(
            isReused: transfer.attempt.isConnectionReused,
            isContentRepeatable: transfer.attempt.upload.isRepeatable
        )
        take(step, of: transfer, at: now)
    }

    /// Has a request that the server had no room for wait.
    func waitForRoom(_ transfer: Transfer, at now: Int64) {
        let isRepeatable = transfer.attempt.upload.isRepeatable
        take(transfer.repetition.serverHasNoRoom(isContentRepeatable: isRepeatable), of: transfer, at: now)
    }

    private func take(_ step: Repetition.Step, of transfer: Transfer, at now: Int64) {
        switch step {
        case .again: restart(transfer, at: now)
        case .contentIsGone: fail(transfer, .contentIsGone, at: now)
        case .refused(let count): fail(transfer, .refused(times: count), at: now)
        }
    }

    /// Repeats a request without the expectation that the server does not support (RFC 9110 §15.5.18). Its content was
    /// not sent.
    func repeatWithoutExpectation(_ transfer: Transfer, _ environment: CurlEnvironment, at now: Int64) {
        transfer.removeExpectation(environment)
        transfer.repetition.expectationFailed()
        restart(transfer, at: now)
    }

    private func restart(_ transfer: Transfer, at now: Int64) {
        transfer.restart(at: now)
        lists.repeated.append(transfer)
    }
}

extension TransferFailure {
    fileprivate static let contentIsGone = TransferFailure(
        code: .connectionLost,
        stage: .send,
        sent: .notSent,
        reason: "the server has not processed the request, whose content cannot be sent again"
    )

    fileprivate static func refused(times count: Int) -> TransferFailure {
        let reason = "the server has refused the request \(count) times without processing it"
        return TransferFailure(code: .connectionLost, stage: .firstByte, sent: .notSent, reason: reason)
    }
}
