// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

extension EventLoop {
    /// The transfer's connection is ready: its limits for the answer and for silence begin.
    func startDeadlines(of transfer: Transfer) {
        guard transfer.deadlines.isLimited else { return }
        transfer.deadlines.connectionIsReady(at: now)
        if let next = transfer.deadlines.next { nextDeadline = min(nextDeadline, next) }
    }

    /// Ends the transfers whose limits are reached. Looks at them only when the earliest limit may have been.
    func endOverdue() {
        guard nextDeadline <= now else { return }
        for transfer in active {
            guard let overdue = transfer.deadlines.overdue(at: now), case .active(let handle, _) = transfer.place else {
                continue
            }
            if hasUploaded(transfer, on: handle) { continue }
            cancel(transfer, with: Self.failure(overdue))
        }
        nextDeadline = active.reduce(.max) { min($0, $1.deadlines.next ?? .max) }
    }

    /// libcurl asks for content in large pieces; that it has written part of one is activity, too.
    private func hasUploaded(_ transfer: Transfer, on handle: EasyHandle) -> Bool {
        guard transfer.content.count > 0 else { return false }
        let count = handle.uploadedByteCount
        guard count > transfer.writtenByteCount else { return false }
        transfer.writtenByteCount = count
        transfer.deadlines.sent(at: now)
        return transfer.deadlines.overdue(at: now) == nil
    }

    private static func failure(_ overdue: TransferDeadlines.Overdue) -> TransferFailure {
        let reason =
            switch overdue {
            case .firstByte(let limit): "no response began within \(limit), \(Setting.firstByteTimeout.limit)"
            case .idle(let limit): "nothing was sent or received for \(limit), \(Setting.idleTimeout.limit)"
            }
        return TransferFailure(code: .timedOut, stage: .firstByte, sent: .maybeSent, reason: reason)
    }
}
