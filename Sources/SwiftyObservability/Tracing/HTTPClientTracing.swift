// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
public import Swifty
public import Tracing
import WebServiceDSL

/// Makes spans of loads by swift-distributed-tracing, and tells servers about them; see Docs/Observability.md.
///
///     let swifty = Swifty { $0.use(.tracing()) }
///
/// Each request on the wire has a span of the kind `client`, also that of a retry, a redirect or a challenge. Its
/// parent is the span of the load's caller, or that of the load. What the tracer injects, such as `traceparent`, is
/// that of the request's own span.
public struct HTTPClientTracing: Swifty.LoadTracing {
    /// Which loads have a span, in which those of their requests are.
    public enum LoadSpans: Sendable, Hashable {
        /// Loads whose retry policy allows more than one attempt: when the first span begins, nothing tells yet whether
        /// others follow.
        case ofRepeatableLoads
        /// All loads.
        case always
        /// None.
        case never
    }

    private let tracer: (any Tracer)?
    private let loadSpans: LoadSpans

    /// Makes a hook.
    ///
    /// - Parameters:
    ///   - tracer: The tracer; that of `InstrumentationSystem`, when a load begins, if it is `nil`.
    ///   - loadSpans: Which loads have a span as well.
    public init(tracer: (any Tracer)? = nil, loadSpans: LoadSpans = .ofRepeatableLoads) {
        (self.tracer, self.loadSpans) = (tracer, loadSpans)
    }

    /// Makes the spans of a load; called by the `Swifty`.
    public func makeTracer(of load: Swifty.ObservedLoad, mayRepeat: Bool) -> (any Swifty.LoadTracer)? {
        let hasLoadSpan = loadSpans == .always || (loadSpans == .ofRepeatableLoads && mayRepeat)
        return LoadSpan(load.draft, tracer ?? InstrumentationSystem.tracer, hasLoadSpan: hasLoadSpan)
    }
}

extension Swifty.Hook where Self == HTTPClientTracing {
    /// Spans by swift-distributed-tracing; see ``HTTPClientTracing``.
    public static func tracing(
        tracer: (any Tracer)? = nil,
        loadSpans: HTTPClientTracing.LoadSpans = .ofRepeatableLoads
    ) -> HTTPClientTracing {
        HTTPClientTracing(tracer: tracer, loadSpans: loadSpans)
    }
}
#endif
