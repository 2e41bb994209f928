// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization

// The time limits of a transfer.

extension URLSessionTransfer {
    func watchTime() {
        let limits = request.timeouts
        guard limits.total != nil || limits.idle != nil || limits.head != nil else { return }
        let watch = Task { [weak self] in
            while let due = self?.nextDeadline(limits), !Task.isCancelled {
                try? await Task.sleep(until: due.instant, clock: .continuous)
                self?.endIfOverdue(limits)
            }
        }
        let hasEnded = state.withLock { state in
            if state.ending == nil { state.watch = watch }
            return state.ending != nil
        }
        if hasEnded { watch.cancel() }
    }

    private func nextDeadline(
        _ limits: NetworkRequest.Timeouts
    ) -> (instant: ContinuousClock.Instant, limit: SwiftyError.TimeLimit)? {
        state.withLock { state in
            guard state.ending == nil else { return nil }
            // While content is read from its source, nothing is sent.
            if state.task == nil { (state.started, state.lastTraffic) = (.now, .now) }
            let total = limits.total.map { (begin + $0, SwiftyError.TimeLimit.total) }
            let idle = limits.idle.map { (state.lastTraffic + $0, SwiftyError.TimeLimit.idle) }
            let head = limits.head.map { (state.started + $0, SwiftyError.TimeLimit.firstByte) }
            return [total, idle, state.head == nil ? head : nil].compactMap { $0 }.min { $0.0 < $1.0 }
        }
    }

    private func endIfOverdue(_ limits: NetworkRequest.Timeouts) {
        guard let due = nextDeadline(limits), due.instant <= .now else { return }
        fail(.timedOut, "the limit that Timeouts.\(due.limit.rawValue) sets was reached", limit: due.limit)
    }
}

extension NetworkRequest.Timeouts {
    /// The time until the head. `URLSession` does not report when the connection is ready.
    fileprivate var head: Duration? { firstByte.map { $0 + (connect ?? .zero) } }
}
