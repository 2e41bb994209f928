// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SwiftyError {
    /// The error of a load whose hook or closure threw: a ``SwiftyError`` itself, and a `CancellationError` as
    /// ``SwiftyError/Code/cancelled``; `nil` for any other error, whose code depends on what threw it.
    package init?(thrown error: any Error, stage: Stage, sent: SentState = .notSent) {
        if let error = error as? SwiftyError {
            self = error
        } else if error is CancellationError {
            self = SwiftyError(.cancelled, stage: stage, sent: sent, reason: "the load was cancelled")
        } else {
            return nil
        }
    }
}
