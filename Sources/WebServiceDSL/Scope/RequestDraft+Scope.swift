// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension RequestDraft {
    /// The draft as the current task loads it: with the scope of the task, or else with that of the load whose hook
    /// made the draft.
    package func inCurrentScope() -> RequestDraft {
        guard let current = NetworkScope.current else { return self }
        var draft = self
        draft.scope = current
        return draft
    }

    /// The transport that replaces a network interface's own; `nil` without one.
    package func scopedTransport(insteadOf own: any Transport) -> ScopedTransport? {
        scope?.transport(for: service, insteadOf: own)
    }

    /// The interface that loads the draft: the given one, or the replacement of the scope.
    package func interface(insteadOf own: any NetworkInterface) -> any NetworkInterface {
        switch scope?.replacement(for: service) {
        case nil: own
        case .interface(let other): other
        case .transport: own.usesScopedTransports ? own : RefusingInterface(reason: Self.noTransport(own))
        }
    }

    private static func noTransport(_ interface: any NetworkInterface) -> String {
        "the transport of \(type(of: interface)) cannot be replaced; use withNetworkInterface in its place"
    }
}

extension NetworkResource {
    /// The clock of the interface that loads the resource in the current task.
    package var clock: LoadClock {
        LoadClock(draft.inCurrentScope().interface(insteadOf: networkInterface).clock)
    }
}

/// A network interface that fails every load, and sends nothing.
struct RefusingInterface: NetworkInterface {
    var code = SwiftyError.Code.mockUnavailable
    let reason: String

    func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        var error = SwiftyError(code, stage: .building, reason: reason)
        error.request = draft.summary
        return NetworkResponse(of: draft, error: error, request: nil)
    }
}
