// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The current task's replacements of the network, to carry into work that does not inherit task-local values: a block
/// on a Dispatch queue, a detached task, a callback of another library.
///
///     let replacements = NetworkReplacements.current
///     queue.async {
///         replacements.apply { GitHub.status().load { response in … } }
///     }
///
/// See ``withNetworkInterface(_:for:_:)`` and ``withTransport(_:for:_:)``.
public struct NetworkReplacements: Sendable {
    private let scope: NetworkScope?

    /// The replacements of the current task; outside of any, applying them changes nothing.
    public static var current: NetworkReplacements { NetworkReplacements(scope: NetworkScope.current) }

    /// Runs a block with the replacements.
    public func apply(_ body: () throws -> Void) rethrows {
        guard let scope else { return try body() }
        try NetworkScope.call(in: scope, body)
    }

    /// Runs an asynchronous block with the replacements, on the caller's actor.
    @discardableResult
    public nonisolated(nonsending) func apply<Result>(
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        guard let scope else { return try await body() }
        return try await NetworkScope.run(in: scope, body)
    }
}
