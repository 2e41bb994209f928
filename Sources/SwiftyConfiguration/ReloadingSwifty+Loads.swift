// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

public import Dispatch
public import Swifty
import Synchronization

extension ReloadingSwifty {
    /// Loads one request with the settings of this moment; see ``NetworkInterface``.
    public func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        let generation = enter()
        defer { generation.leave() }
        return await generation.swifty.load(draft, cancellation: cancellation)
    }

    /// Loads one request with the settings of this moment, until the head of its response is accepted; see
    /// ``NetworkInterface``. After a change, its content may take the same time as other loads.
    public func stream(
        _ draft: RequestDraft,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> ResponseStream {
        let generation = enter()
        defer { generation.leave() }
        return try await generation.swifty.stream(draft, cancellation: cancellation)
    }

    /// The instance of a call. No change comes between the choice of the instance and the count of the call.
    private func enter() -> Generation {
        state.withLock { state in
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
#endif
