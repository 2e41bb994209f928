// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Swifty {
    /// A hook that makes a tracer for each load: for spans, metrics and logs, which need a state of each load.
    ///
    /// `SwiftyObservability` has ready ones for swift-metrics and swift-distributed-tracing. An ``Observer`` gets the
    /// events of all loads together, and is enough where they are only counted or shown.
    public protocol LoadTracing: Hook {
        /// Makes the tracer of a load that begins; called in the load's task, with the task-local values of its caller.
        ///
        /// - Parameters:
        ///   - load: The load.
        ///   - mayRepeat: Whether its retry policy allows more than one attempt.
        /// - Returns: The tracer; `nil` for a load that is not traced.
        func makeTracer(of load: ObservedLoad, mayRepeat: Bool) -> (any LoadTracer)?
    }

    /// What follows one load. Its methods are called on the threads of the load, one at a time, must not block, and
    /// cannot make the load fail.
    ///
    /// For each request on the wire, ``fields(sending:)`` comes first, then ``receive(_:metrics:)`` unless it fails.
    /// One attempt has several if the server redirects or asks for a credential. ``Swifty/Event/attemptEnded(_:)`` is
    /// the end of the last one; its content may still arrive until then. A response from a cache or a mock has neither.
    public protocol LoadTracer: AnyObject, Sendable {
        /// Called for each event but ``Swifty/Event/transfer(_:)``, in the order of ``Swifty/Event``; the last one is
        /// ``Swifty/Event/finished(_:)``.
        func observe(_ event: Event)

        /// Called before a request is given to the transport, after admission and after signers.
        ///
        /// - Parameter request: The request, which still has no fields of tracers.
        /// - Returns: Fields for the request, such as `traceparent`. They replace fields of the same names.
        func fields(sending request: NetworkRequest) -> HTTPFields

        /// Called for the response of each request on the wire. The content of a streamed one has not arrived yet.
        func receive(_ head: ResponseHead, metrics: TransferMetrics)
    }
}
