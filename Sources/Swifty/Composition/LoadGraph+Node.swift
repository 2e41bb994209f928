// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension LoadGraph {
    /// A load that other loads of a ``LoadGraph`` can wait for.
    public protocol Dependency: Sendable {
        /// Waits until the load has finished, or the calling task is cancelled; `nil` if the load succeeded.
        var failure: SwiftyError? { get async }
    }

    /// One load of a ``LoadGraph``.
    ///
    /// Releasing it does not affect the load. May be used from any thread.
    public final class Node<Output: Sendable>: Dependency {
        private let outcome: SharedPromise<Output>
        private let task: Task<Void, Never>

        init(_ load: @escaping @Sendable () async -> Result<Output, SwiftyError>) {
            let outcome = SharedPromise<Output>()
            self.outcome = outcome
            task = Task { outcome.resolve(await load()) }
        }

        /// Waits for the output of the load.
        ///
        /// Cancelling the calling task ends the wait, not the load.
        ///
        /// - Throws: The load's ``SwiftyError``; ``SwiftyError/Code/dependencyFailed`` if a dependency failed.
        public var value: Output {
            get async throws(SwiftyError) { try await result.get() }
        }

        /// Waits until the load has finished; `nil` if it succeeded.
        public var failure: SwiftyError? {
            get async {
                guard case .failure(let error) = await result else { return nil }
                return error
            }
        }

        /// Ends the load with ``SwiftyError/Code/cancelled``; the loads that depend on it fail.
        public func cancel() {
            task.cancel()
        }

        /// Waits until the load has finished, even if the calling task is cancelled.
        func waitForEnd() async {
            await task.value
        }

        private var result: Result<Output, SwiftyError> {
            get async {
                await outcome.value()
                    ?? .failure(SwiftyError(.cancelled, stage: .queue, reason: "the wait for the load was cancelled"))
            }
        }
    }
}
