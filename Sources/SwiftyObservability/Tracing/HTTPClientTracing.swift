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
/// that of the request's own span. Of two such hooks of one tracer, only the one that was registered first has an
/// effect.
public struct HTTPClientTracing: Swifty.LoadTracing, Hashable {
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
    /// Stands for the tracer: that of `InstrumentationSystem`, one that is an object, or one that is a value, of which
    /// only copies of this hook are known to have the same.
    private let identity: TracerIdentity

    /// Makes a hook.
    ///
    /// - Parameters:
    ///   - tracer: The tracer; that of `InstrumentationSystem`, when a load begins, if it is `nil`.
    ///   - loadSpans: Which loads have a span as well.
    public init(tracer: (any Tracer)? = nil, loadSpans: LoadSpans = .ofRepeatableLoads) {
        (self.tracer, self.loadSpans) = (tracer, loadSpans)
        identity = TracerIdentity(of: tracer)
    }

    /// Whether two hooks have the same tracer: that of `InstrumentationSystem`, or the same object. Hooks of a tracer
    /// that is a value are equal if one is a copy of the other.
    public static func == (one: HTTPClientTracing, other: HTTPClientTracing) -> Bool { one.identity == other.identity }

    /// Hashes the identity of the tracer.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
    }

    /// Makes the spans of a load; called by the `Swifty`.
    public func makeTracer(of load: Swifty.ObservedLoad, mayRepeat: Bool) -> (any Swifty.LoadTracer)? {
        let hasLoadSpan = loadSpans == .always || (loadSpans == .ofRepeatableLoads && mayRepeat)
        return LoadSpan(load.draft, tracer ?? InstrumentationSystem.tracer, hasLoadSpan: hasLoadSpan)
    }
}

/// The identity of a tracer.
private struct TracerIdentity: Hashable, Sendable {
    private final class Mark: Sendable {}

    /// Distinguishes a tracer that is a value; kept, so that no other object has its identifier.
    private let mark: Mark?
    private let identifier: ObjectIdentifier?

    init(of tracer: (any Tracer)?) {
        let isObject = tracer.map { type(of: $0) is AnyClass } ?? true
        mark = isObject ? nil : Mark()
        identifier = mark.map(ObjectIdentifier.init) ?? tracer.map { ObjectIdentifier($0 as AnyObject) }
    }

    static func == (one: TracerIdentity, other: TracerIdentity) -> Bool { one.identifier == other.identifier }

    func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
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
