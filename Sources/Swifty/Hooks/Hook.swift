// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Swifty {
    /// What takes part in the loads of a `Swifty`, registered with ``Configuration/use(_:)``: a ``Constraint``, an
    /// ``AsyncConstraint``, a ``RequestInterceptor``, a ``ResponseInterceptor``, an ``Observer``, an
    /// ``AuthenticationChallenge/Handler``, or several of them in one value.
    public protocol Hook: Sendable {}

    /// Hooks that belong together and are registered as one, such as ``OAuth2``.
    ///
    ///     struct Tracing: Swifty.HookGroup {
    ///         let tracer: Tracer
    ///         var hooks: [any Swifty.Hook] { [TraceHeader(tracer), SpanObserver(tracer)] }
    ///     }
    public protocol HookGroup: Hook {
        /// The hooks, in their order. Read once, when the group is registered.
        var hooks: [any Hook] { get }
    }
}
