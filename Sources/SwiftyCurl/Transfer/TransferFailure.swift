// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The failure of a transfer, before it becomes a `SwiftyError` with everything that is known about the transfer.
struct TransferFailure: Error, Equatable {
    var code: SwiftyError.Code
    var stage: SwiftyError.Stage
    var sent: SwiftyError.SentState
    var reason: String
    /// The time limit that was reached, if that is the failure.
    var timeLimit: SwiftyError.TimeLimit?
}

extension TransferFailure {
    /// The transport was shut down before the transfer was started.
    static let shutdown = TransferFailure(
        code: .shutdown,
        stage: .queue,
        sent: .notSent,
        reason: "the transport was shut down"
    )

    static let outOfMemory = TransferFailure(
        code: .transportFailed,
        stage: .queue,
        sent: .notSent,
        reason: "the transport could not continue: out of memory"
    )

    /// A time limit was reached.
    static func timedOut(_ overdue: TransferDeadlines.Overdue) -> TransferFailure {
        TransferFailure(
            code: .timedOut,
            stage: .queue,
            sent: .notSent,
            reason: overdue.reason,
            timeLimit: overdue.timeLimit
        )
    }

    /// The message for a system call's error number.
    static func systemErrorText(_ number: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress, ccurl_error_text(number, base, buffer.count) else {
                return "error \(number)"
            }
            return String(cString: base)
        }
    }
}
