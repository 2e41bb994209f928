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
    /// For each request on the wire, ``send(_:fields:)`` comes first, then ``receive(_:isComplete:)`` unless it fails.
    /// One attempt has several if the server redirects or asks for a credential. A request without a complete response
    /// ends with ``Swifty/Event/attemptEnded(_:)``, or with the next request. A response from a cache, or of a mock of
    /// the request itself, has neither. ``Swifty/Event/hookIsSlow(name:)`` and ``Swifty/Event/waitIsLong(for:)`` come
    /// at any time, from other threads.
    public protocol LoadTracer: AnyObject, Sendable {
        /// Whether it adds fields to requests; `true` by default.
        var addsFields: Bool { get }

        /// Called for each event but ``Swifty/Event/transfer(_:)``, in the order of ``Swifty/Event``; the last one is
        /// ``Swifty/Event/finished(_:)``.
        func observe(_ event: Event)

        /// Called before a request is given to the transport, after admission and after signers.
        ///
        /// - Parameters:
        ///   - request: The request, without the fields of tracers.
        ///   - fields: Its fields, to which a tracer may add some, such as `traceparent`.
        func send(_ request: NetworkRequest, fields: inout HTTPFields)

        /// Called for the response of each request on the wire.
        ///
        /// - Parameters:
        ///   - response: The response. The content of a streamed one has not arrived yet: it is empty here, and the
        ///     measurements are those of the head.
        ///   - isComplete: Whether it is the whole response, and the request has ended.
        func receive(_ response: TransportResponse, isComplete: Bool)
    }
}

extension Swifty.LoadTracer {
    /// `true`: the request is sent with the fields that the tracer leaves.
    public var addsFields: Bool { true }
}
