// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A load that was started with a closure, and the means to end it early.
public final class LoadTask: Sendable {
    private let cancellation: LoadCancellation

    init(_ cancellation: LoadCancellation) {
        self.cancellation = cancellation
    }

    /// Ends the load; its closure is then called with ``SwiftyError/Code/cancelled``.
    ///
    /// Has no effect on a load that is over. May be called from any thread, any number of times. Letting go of the task
    /// does not cancel it.
    public func cancel() {
        cancellation.cancel()
    }

    /// Whether the load was cancelled, by this task or otherwise.
    public var isCancelled: Bool { cancellation.code != nil }
}
