// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension LoadGraph {
    /// Something that a load in a ``LoadGraph`` can wait for.
    public protocol Dependency: Sendable {
        /// Waits until it is over, or until the calling task is cancelled; `nil` if it succeeded.
        var failure: SwiftyError? { get async }
    }
}

extension LoadGraph {
    /// One load of a ``LoadGraph``, under way or over.
    ///
    /// Letting go of it changes nothing. May be used from any thread.
    public final class Node<Output: Sendable>: Dependency {
        private let outcome: SharedOutcome<Output>
        private let task: Task<Void, Never>

        init(_ load: @escaping @Sendable () async -> Result<Output, SwiftyError>) {
            let outcome = SharedOutcome<Output>()
            self.outcome = outcome
            task = Task { outcome.settle(await load()) }
        }

        /// Waits for what the load returns.
        ///
        /// Cancelling the calling task ends the waiting, not the load.
        ///
        /// - Throws: the load's ``SwiftyError``; ``SwiftyError/Code/dependencyFailed`` if one that it depends on failed.
        public var value: Output {
            get async throws(SwiftyError) { try await result.get() }
        }

        /// Waits until the load is over; `nil` if it succeeded.
        public var failure: SwiftyError? {
            get async {
                guard case .failure(let error) = await result else { return nil }
                return error
            }
        }

        /// Ends the load with ``SwiftyError/Code/cancelled``; those that depend on it fail then.
        public func cancel() {
            task.cancel()
        }

        private var result: Result<Output, SwiftyError> {
            get async {
                await outcome.value()
                    ?? .failure(SwiftyError(.cancelled, stage: .queue, reason: "the wait for the load was cancelled"))
            }
        }
    }
}
