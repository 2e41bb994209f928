// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
@_spi(Interface) import WebServiceDSL

/// Loads that end together, and to which more are added while they run.
///
///     let batch = LoadBatch(of: swifty) { number, result in print(number, result) }
///     for id in ids { batch.add(API.item(id)) }
///     batch.add(API.summary())
///     let results = await batch.results()
///
/// Each load starts when it is added. May be used from any thread.
public final class LoadBatch: Sendable {
    /// The outcome of one load.
    public typealias Outcome = Result<NetworkResponse, SwiftyError>
    /// A closure that receives the outcome of each load, with its number.
    public typealias ItemHandler = @Sendable (_ number: Int, _ outcome: Outcome) -> Void

    private struct State {
        var outcomes: [Outcome?] = []
        var loads: [Int: LoadCancellation] = [:]
        var failure: SwiftyError?
        var isCancelled = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let interface: any NetworkInterface
    private let stopsOnFailure: Bool
    private let onItem: ItemHandler?
    private let state = Mutex(State())

    /// Makes an empty batch.
    ///
    /// - Parameters:
    ///   - interface: The interface that loads the requests, whatever the interfaces of their services are.
    ///   - stopsOnFailure: Whether the first failure ends the other loads, and those that are added later. They fail
    ///     with ``SwiftyError/Code/cancelled``, and the first failure is their underlying error.
    ///   - onItem: Called for each load when it has ended, in the order in which the loads end, from their tasks. The
    ///     calls of one load never follow ``results()``.
    public init(
        of interface: any NetworkInterface,
        stopsOnFailure: Bool = false,
        onItem: ItemHandler? = nil
    ) {
        self.interface = interface
        self.stopsOnFailure = stopsOnFailure
        self.onItem = onItem
    }

    /// Adds a load, and starts it. Later changes of the request do not affect it.
    ///
    /// - Parameter resource: The request. A typed one is not decoded.
    /// - Returns: The number of the load, 0 for the first: its index in ``results()``.
    @discardableResult
    public func add(_ resource: any ModifiableResource) -> Int {
        let (draft, cancellation) = (resource.draft.inCurrentScope(), LoadCancellation())
        let (number, failure, isCancelled) = state.withLock { state in
            state.outcomes.append(nil)
            state.loads[state.outcomes.count - 1] = cancellation
            return (state.outcomes.count - 1, state.failure, state.isCancelled)
        }
        if isCancelled { cancel(cancellation, because: failure) }
        let interface = draft.interface(insteadOf: interface)
        Task {
            let response = await interface.load(draft, cancellation: cancellation)
            end(number, response.error.map { .failure($0) } ?? .success(response))
        }
        return number
    }

    /// The outcomes of all loads, in the order in which they were added, when every load has ended, also those that are
    /// added meanwhile.
    ///
    /// Cancelling the calling task cancels the batch. May be called several times.
    public func results() async -> [Outcome] {
        await withTaskCancellationHandler {
            await waitUntilEnded()
        } onCancel: {
            cancel()
        }
        return state.withLock { $0.outcomes.compactMap(\.self) }
    }

    /// Ends every load that has not ended, and those that are added later, with ``SwiftyError/Code/cancelled``.
    public func cancel() {
        stop(because: nil)
    }

    private func waitUntilEnded() async {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                if !state.loads.isEmpty { state.waiters.append(continuation) }
                return state.loads.isEmpty
            }
            if isEnded { continuation.resume() }
        }
    }

    private func end(_ number: Int, _ outcome: Outcome) {
        if stopsOnFailure, case .failure(let error) = outcome { stop(because: error) }
        // Before the batch can end, so that no call follows its end.
        onItem?(number, outcome)
        let waiters = state.withLock { state in
            state.outcomes[number] = outcome
            state.loads[number] = nil
            guard state.loads.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Ends the other loads; only the first call has an effect.
    private func stop(because failure: SwiftyError?) {
        let loads = state.withLock { state in
            if state.isCancelled { return [LoadCancellation]() }
            (state.isCancelled, state.failure) = (true, failure)
            return Array(state.loads.values)
        }
        for load in loads { cancel(load, because: failure) }
    }

    private func cancel(_ load: LoadCancellation, because failure: SwiftyError?) {
        load.cancel(reason: failure.map { _ in "another load of the batch failed" }, cause: failure)
    }
}
