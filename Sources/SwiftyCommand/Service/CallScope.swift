// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization
import WebServiceDSL

/// Marks the request of a call, among those that its hooks make.
struct CalledRequest: Sendable {}

/// Watches the transport of a call, or takes its place.
final class CallScope: Sendable {
    private let isDryRun: Bool
    private let dryRun = DryRunTransport()
    private let first = Mutex<WatchedTransport?>(nil)

    init(isDryRun: Bool) {
        self.isDryRun = isDryRun
    }

    /// The exchanges of the call; `nil` before them.
    var watched: WatchedTransport? { first.withLock { $0 } }
    /// The request of the call that would have been sent; `nil` if there was none.
    var request: NetworkRequest? { dryRun.request }

    /// Runs a block whose loads use this scope.
    func run<Result: Sendable>(_ body: nonisolated(nonsending) () async -> Result) async -> Result {
        let transport = ScopedTransport { [self] draft, _, own in self.transport(for: draft, insteadOf: own) }
        return await NetworkScope.with(.transport(transport), for: nil, body)
    }

    private func transport(for draft: RequestDraft, insteadOf own: any Transport) -> any Transport {
        let isCalled = draft.context(CalledRequest.self) != nil
        if isDryRun { return isCalled ? dryRun : DryRunTransport() }
        guard isCalled else { return own }
        return first.withLock { watched in
            let transport = watched ?? WatchedTransport(own)
            watched = transport
            return transport
        }
    }
}
