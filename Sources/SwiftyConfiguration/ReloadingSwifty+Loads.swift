// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

public import Dispatch
public import Swifty
import Synchronization

extension ReloadingSwifty {
    /// Loads one request with the settings of this moment; see ``NetworkInterface``.
    public func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        await load(draft, cancellation: cancellation, in: enter())
    }

    /// Loads with an instance of ``enter()``, or with a later one if that ends before the load has begun.
    func load(
        _ draft: RequestDraft,
        cancellation: LoadCancellation,
        in generation: Generation
    ) async -> NetworkResponse {
        let response = await generation.swifty.load(draft, cancellation: cancellation)
        generation.leave()
        guard let error = response.error, error.isRefusal(of: cancellation), let next = enter(after: generation) else {
            return response
        }
        return await load(draft, cancellation: cancellation, in: next)
    }

    /// Loads one request with the settings of this moment, until the head of its response is accepted; see
    /// ``NetworkInterface``. After a change, its content may take the same time as other loads.
    public func stream(
        _ draft: RequestDraft,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> ResponseStream {
        try await stream(draft, cancellation: cancellation, in: enter())
    }

    /// Begins a stream as ``load(_:cancellation:in:)`` does.
    func stream(
        _ draft: RequestDraft,
        cancellation: LoadCancellation,
        in generation: Generation
    ) async throws(SwiftyError) -> ResponseStream {
        do throws(SwiftyError) {
            defer { generation.leave() }
            return try await generation.swifty.stream(draft, cancellation: cancellation)
        } catch {
            guard error.isRefusal(of: cancellation), let next = enter(after: generation) else { throw error }
            return try await stream(draft, cancellation: cancellation, in: next)
        }
    }

    /// The instance of a call. No change comes between the choice of the instance and the count of the call.
    func enter() -> Generation {
        state.withLock { state in
            state.current.enter()
            return state.current
        }
    }

    /// The instance of a call that another one has refused; `nil` if there is no later one, or after the shutdown.
    private func enter(after refusing: Generation) -> Generation? {
        state.withLock { state in
            if state.isShutDown || state.current === refusing { return nil }
            state.current.enter()
            return state.current
        }
    }

    /// Explains what a load of the draft would send; see ``NetworkInterface``.
    public func explain(_ draft: RequestDraft) async throws(SwiftyError) -> RequestExplanation {
        try await current.explain(draft)
    }

    /// Changes the priority of a load that waits for admission, in whatever instance it is.
    public func setPriority(_ priority: NetworkRequest.Priority, of load: LoadCancellation) {
        let all = state.withLock { state in [state.current] + state.retiring.values.map(\.generation) }
        for generation in all { generation.swifty.setPriority(priority, of: load) }
    }

    /// The queue of the closures of loads without `deliver(on:)`, by the settings of this moment.
    public var deliveryQueue: DispatchQueue { current.deliveryQueue }

    /// The clock of the settings of this moment.
    public var clock: any Clock<Duration> { current.clock }

    /// The folder that is searched first for mock files, by the settings of this moment.
    public var mockDirectory: String? { current.mockDirectory }

    /// `true`, as for a `Swifty`.
    public var usesScopedTransports: Bool { true }
}

extension SwiftyError {
    /// Whether an instance that was shut down has not begun the load. One that it ends is cancelled with that code.
    fileprivate func isRefusal(of load: LoadCancellation) -> Bool {
        code == .shutdown && stage == .queue && sent == .notSent && load.code == nil
    }
}
#endif
