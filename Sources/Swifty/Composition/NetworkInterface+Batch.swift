// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import WebServiceDSL

/// Several loads that are waited for together.
extension NetworkInterface {
    /// What a batch tells about its progress: how many of its loads are over, and how many there are.
    public typealias BatchProgress = @Sendable (_ completed: Int, _ total: Int) -> Void

    /// Loads several requests at the same time through this interface, whatever their own is.
    ///
    ///     let results = await swifty.batch([Bin.ip(), Bin.uuid(), Bin.status(204)])
    ///
    /// Cancelling the calling task ends all loads.
    ///
    /// - Parameters:
    ///   - resources: the requests; typed ones are welcome, and not decoded.
    ///   - stopsOnFailure: whether the first failure ends the others. Those fail with ``SwiftyError/Code/cancelled``, and the
    ///     first failure is their underlying error.
    ///   - function: where it is called; not to be given.
    ///   - progress: called after each load that is over, in the order of their ends, one call at a time.
    /// - Returns: the outcome of each request, in the order of the requests.
    public func batch(
        _ resources: [any ModifiableResource],
        stopsOnFailure: Bool = false,
        function: StaticString = #function,
        progress: BatchProgress? = nil
    ) async -> [Result<NetworkResponse, SwiftyError>] {
        let drafts = resources.map { resource in
            var draft = resource.draft
            draft.caller = function
            return draft
        }
        return await withTaskGroup(of: (index: Int, response: NetworkResponse).self) { group in
            for (index, draft) in drafts.enumerated() {
                group.addTask { (index, await cancellableLoad(draft)) }
            }
            var state = BatchState(count: drafts.count, stopsOnFailure: stopsOnFailure)
            for await (index, response) in group {
                if state.complete(index, with: response) { group.cancelAll() }
                progress?(state.completed, drafts.count)
            }
            return state.results
        }
    }

    /// Loads several requests at the same time through this interface, and calls back once when all are over.
    ///
    /// - Parameters:
    ///   - resources: the requests; typed ones are welcome, and not decoded.
    ///   - stopsOnFailure: whether the first failure ends the others; see ``batch(_:stopsOnFailure:progress:)``.
    ///   - queue: where the closures are called, one after the other; the interface's delivery queue if `nil`.
    ///   - function: where it is called; not to be given.
    ///   - progress: called after each load that is over.
    ///   - completion: gets the outcome of each request, in the order of the requests.
    @discardableResult
    public func batch(
        _ resources: [any ModifiableResource],
        stopsOnFailure: Bool = false,
        deliverOn queue: DispatchQueue? = nil,
        function: StaticString = #function,
        progress: BatchProgress? = nil,
        completion: @escaping @Sendable ([Result<NetworkResponse, SwiftyError>]) -> Void
    ) -> Swifty.BatchTask {
        // The delivery queue may be concurrent: a serial one on top of it keeps the calls in order.
        let delivery = DispatchQueue(label: "swifty.batch", target: queue ?? deliveryQueue)
        // The requests as they are now: later changes belong to later loads.
        let frozen = resources.map { NetworkResource.make(of: $0.draft, networkInterface: self) }
        let task = Task {
            let results = await batch(frozen, stopsOnFailure: stopsOnFailure, function: function) { completed, total in
                if let progress { delivery.async { progress(completed, total) } }
            }
            delivery.async { completion(results) }
        }
        return Swifty.BatchTask(task)
    }

    private func cancellableLoad(_ draft: RequestDraft) async -> NetworkResponse {
        let cancellation = LoadCancellation()
        return await withTaskCancellationHandler {
            await load(draft, cancellation: cancellation)
        } onCancel: {
            cancellation.cancel()
        }
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

    /// Every outcome; complete when all loads are.
    var results: [Result<NetworkResponse, SwiftyError>] { outcomes.compactMap(\.self) }

    /// Takes the outcome of one load.
    ///
    /// - Returns: whether the others are to be ended.
    mutating func complete(_ index: Int, with response: NetworkResponse) -> Bool {
        completed += 1
        guard var error = response.error else {
            outcomes[index] = .success(response)
            return false
        }
        let isFirst = firstFailure == nil
        if isFirst {
            firstFailure = error
        } else if stopsOnFailure, error.code == .cancelled {
            error.reason = "another load of the batch failed"
            error.underlying = firstFailure
        }
        outcomes[index] = .failure(error)
        return stopsOnFailure && isFirst
    }
}

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
