// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EventLoop {
    /// Starts the limits for the whole transfer and for its connection.
    func watchDeadlines(of transfer: Transfer) {
        nextDeadline = min(nextDeadline, transfer.deadlines.next, transfer.continueDeadline)
    }

    /// Starts the limits for the first byte and for silence, because the connection is ready.
    func startDeadlines(of transfer: Transfer) {
        transfer.ready = now
        transfer.deadlines.connectionIsReady(at: now)
        watchDeadlines(of: transfer)
    }

    /// Ends the transfers that have reached a limit. Checks them only when the earliest limit may have been reached.
    func endOverdue() {
        guard nextDeadline <= now else { return }
        for transfer in active.lazy.map(\.transfer) {
            guard let overdue = transfer.deadlines.overdue(at: now), let handle = handle(of: transfer),
                !noteUpload(transfer, on: handle)
            else { continue }
            end(transfer, on: handle, overdue)
        }
        endOverdueOnWire()
        nextDeadline = active.reduce(nextDeadlineOnWire) { min($0, $1.transfer.deadlines.next) }
    }

    private func end(_ transfer: Transfer, on handle: EasyHandle, _ overdue: TransferDeadlines.Overdue) {
        let phase = handle.phase(of: transfer)
        let reason = overdue.reason
        var failure = TransferFailure(code: .timedOut, stage: phase.stage, sent: phase.sent, reason: reason)
        handle.proxyHop(of: transfer)?.explain(&failure, CURLE_OPERATION_TIMEDOUT)
        end(transfer, on: handle, with: failure)
    }

    /// Counts written content as activity: libcurl reads content in large pieces, and may have written part of one.
    private func noteUpload(_ transfer: Transfer, on handle: EasyHandle) -> Bool {
        guard transfer.content.count > 0 else { return false }
        let count = handle.uploadedByteCount
        guard count > transfer.writtenByteCount else { return false }
        transfer.writtenByteCount = count
        transfer.deadlines.sent(at: now)
        return transfer.deadlines.overdue(at: now) == nil
    }
}
