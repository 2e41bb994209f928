// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Swifty {
    /// A batch that was started with a closure, and the means to end it early.
    public final class BatchTask: Sendable {
        private let task: Task<Void, Never>

        init(_ task: Task<Void, Never>) {
            self.task = task
        }

        /// Ends every load of the batch that is not over with ``SwiftyError/Code/cancelled``; the batch's closure is then called.
        ///
        /// Has no effect on a batch that is over. May be called from any thread, any number of times. Letting go of the batch
        /// does not cancel it.
        public func cancel() {
            task.cancel()
        }

        /// Whether the batch was cancelled by this task.
        public var isCancelled: Bool { task.isCancelled }
    }
}
