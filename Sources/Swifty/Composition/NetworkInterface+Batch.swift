// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch
@_spi(Interface) import WebServiceDSL

extension NetworkInterface {
    /// A closure that receives the progress of a batch: the number of finished loads, and the number of all loads.
    public typealias BatchProgress = @Sendable (_ completed: Int, _ total: Int) -> Void

    /// Loads several requests simultaneously through this interface, whatever their services' interfaces are.
    ///
    ///     let results = await swifty.batch([Bin.ip(), Bin.uuid(), Bin.status(204)])
    ///
    /// Cancelling the calling task ends all loads.
    ///
    /// - Parameters:
    ///   - resources: The requests. Typed ones are not decoded.
    ///   - stopsOnFailure: Whether the first failure ends the other loads. They fail with
    ///     ``SwiftyError/Code/cancelled``, and the first failure is their underlying error.
    ///   - progress: Called after each load, in the order in which the loads finish, one call at a time.
    /// - Returns: The outcome of each request, in the order of the requests.
    public func batch(
        _ resources: [any ModifiableResource],
        stopsOnFailure: Bool = false,
        progress: BatchProgress? = nil
    ) async -> [Result<NetworkResponse, SwiftyError>] {
        let drafts = resources.map { $0.draft }
        return await withTaskGroup(of: (index: Int, response: NetworkResponse).self) { group in
            for (index, draft) in drafts.enumerated() {
                group.addTask {
                    let draft = draft.inCurrentScope()
                    return (index, await draft.interface(insteadOf: self).loadInTask(draft))
                }
            }
            var state = BatchState(count: drafts.count, stopsOnFailure: stopsOnFailure)
            for await (index, response) in group {
                if state.complete(index, with: response) { group.cancelAll() }
                progress?(state.completed, drafts.count)
            }
            return state.results
        }
    }

    /// Loads several requests simultaneously through this interface, and calls a closure when all have finished.
    ///
    /// - Parameters:
    ///   - resources: The requests. Typed ones are not decoded.
    ///   - stopsOnFailure: Whether the first failure ends the other loads; see ``batch(_:stopsOnFailure:progress:)``.
    ///   - queue: The queue on which the closures are called, one after the other; `nil` for the interface's delivery
    ///     queue.
    ///   - progress: Called after each load.
    ///   - completion: Called once with the outcome of each request, in the order of the requests.
    /// - Returns: A handle to cancel the batch.
    @discardableResult
    public func batch(
        _ resources: [any ModifiableResource],
        stopsOnFailure: Bool = false,
        deliverOn queue: DispatchQueue? = nil,
        progress: BatchProgress? = nil,
        completion: @escaping @Sendable ([Result<NetworkResponse, SwiftyError>]) -> Void
    ) -> Swifty.BatchTask {
        // The delivery queue may be concurrent; a serial queue that targets it keeps the calls in order.
        let delivery = DispatchQueue(label: "swifty.batch", target: queue ?? deliveryQueue)
        // Copies of the requests, because later changes must not affect this batch.
        let frozen = resources.map { NetworkResource.make(of: $0.draft, networkInterface: self) }
        let task = Task {
            let results = await batch(frozen, stopsOnFailure: stopsOnFailure) { completed, total in
                if let progress { deliver(on: delivery) { progress(completed, total) } }
            }
            deliver(on: delivery) { completion(results) }
        }
        return Swifty.BatchTask(task)
    }
}

/// The outcomes of a batch so far.
struct BatchState {
    private(set) var completed = 0
    private var outcomes: [Result<NetworkResponse, SwiftyError>?]
    private var firstFailure: SwiftyError?
    private let stopsOnFailure: Bool

    init(count: Int, stopsOnFailure: Bool) {
        outcomes = Array(repeating: nil, count: count)
        self.stopsOnFailure = stopsOnFailure
    }

    /// The outcomes of the loads that have finished.
    var results: [Result<NetworkResponse, SwiftyError>] { outcomes.compactMap(\.self) }

    /// Records the outcome of one load.
    ///
    /// - Returns: `true` if the other loads must end.
    mutating func complete(_ index: Int, with response: NetworkResponse) -> Bool {
        completed += 1
        guard var error = response.error else {
            outcomes[index] = .success(response)
            return false
        }
        let isFirst = firstFailure == nil
        if isFirst {
            firstFailure = error
        } else if stopsOnFailure, error.code == .cancelled, let firstFailure, firstFailure.code != .cancelled {
            error.reason = "another load of the batch failed"
            error.underlying = firstFailure
        }
        outcomes[index] = .failure(error)
        return stopsOnFailure && isFirst
    }
}

extension Swifty {
    /// A handle to cancel a batch that calls a closure.
    public final class BatchTask: Sendable {
        private let task: Task<Void, Never>

        init(_ task: Task<Void, Never>) {
            self.task = task
        }

        /// Ends every unfinished load of the batch with ``SwiftyError/Code/cancelled``; the batch's closure is then
        /// called.
        ///
        /// Has no effect on a finished batch. May be called repeatedly, from any thread. Releasing the handle does not
        /// cancel the batch.
        public func cancel() {
            task.cancel()
        }

        /// Whether ``cancel()`` was called.
        public var isCancelled: Bool { task.isCancelled }
    }
}
