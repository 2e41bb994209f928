// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Reports the progress of a load to its observers, from the events of its transfers.
final class ProgressReporter: Sendable {
    fileprivate struct State {
        var sent = 0
        var bytesToSend: Int? = 0
        var received = 0
        var bytesToReceive: Int?
        /// The number of bytes before those of the successful response that arrives; `nil` while none arrives.
        var offset: Int?
        /// The last report to each observer, and its time.
        var reports: [(progress: TransferProgress, time: Duration)?]

        var progress: TransferProgress {
            TransferProgress(
                sent: sent,
                bytesToSend: bytesToSend,
                received: received,
                bytesToReceive: bytesToReceive
            )
        }
    }

    private let observers: [TransferPolicy.ProgressObserver]
    /// The number of bytes of the response that an earlier load has received.
    private let before: Int
    private let clock: LoadClock
    private let state: Mutex<State>

    /// The reporter of a load; `nil` without an observer.
    static func make(_ draft: RequestDraft, _ clock: LoadClock) -> ProgressReporter? {
        guard let observers = draft.transfer?.values.progressObservers, !observers.isEmpty else { return nil }
        return ProgressReporter(observers, receivedBefore: draft.receivedBefore, clock)
    }

    init(_ observers: [TransferPolicy.ProgressObserver], receivedBefore before: Int, _ clock: LoadClock) {
        self.observers = observers
        self.before = before
        self.clock = clock
        state = Mutex(State(reports: Array(repeating: nil, count: observers.count)))
    }

    /// A request is about to be sent: the first one, a redirected one, or that of another attempt.
    func begin(_ request: NetworkRequest) {
        state.withLock { state in
            let length = request.content.length
            // Also after a redirect that drops the content, the content counts as what there is to send.
            if length != 0 || state.sent == 0 { state.bytesToSend = length }
            state.offset = nil
        }
    }

    func observe(_ event: TransferEvent) {
        switch event {
        case .responseHead(let statusCode, let contentLength):
            let (offset, isSuccess) = (statusCode == 206 ? before : 0, (200..<300).contains(statusCode))
            state.withLock { state in
                state.offset = isSuccess ? offset : nil
                guard isSuccess else { return }
                state.received = max(state.received, offset)
                state.bytesToReceive = contentLength.map { $0.addingReportingOverflow(offset).partialValue }
            }
            report()
        case .progress(let sent, let received):
            state.withLock { state in
                state.sent = max(state.sent, sent)
                if let offset = state.offset { state.received = max(state.received, offset + received) }
            }
            report()
        default: break
        }
    }

    /// The load has ended: reports what was held back.
    func finish() {
        report(isLast: true)
    }

    private func report(isLast: Bool = false) {
        let now = clock.now()
        let due = state.withLock { state in
            observers.indices.compactMap { index in
                state.takeReport(to: index, observers[index], now: now, isLast: isLast)
            }
        }
        for (observer, progress) in due { observer.handler(progress) }
    }
}

extension ProgressReporter.State {
    /// The report that is due to an observer now; `nil` if it has been made, or is not due yet.
    fileprivate mutating func takeReport(
        to index: Int,
        _ observer: TransferPolicy.ProgressObserver,
        now: Duration,
        isLast: Bool
    ) -> (observer: TransferPolicy.ProgressObserver, progress: TransferProgress)? {
        let progress = progress
        if let last = reports[index] {
            if last.progress == progress { return nil }
            guard isLast || now - last.time >= observer.interval || progress.fraction == 1 else { return nil }
        }
        reports[index] = (progress, now)
        return (observer, progress)
    }
}
