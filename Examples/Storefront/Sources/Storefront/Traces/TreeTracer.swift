// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
public import Tracing

/// A tracer that keeps the spans of a trace until all of them have ended, and then hands them over as a tree.
///
/// The root is the first span of the trace in this process; its own parent may be in another one. Only so many traces,
/// and spans of one, are kept: others do not record.
public final class TreeTracer: Tracer {
    private struct State {
        /// The number of traces that are not complete.
        var treeCount = 0
        /// The trees of their spans.
        var treeOfSpan: [String: SpanTree] = [:]
    }

    private let maximumTrees: Int
    private let report: @Sendable (SpanTree.Finished) -> Void
    private let state = Mutex(State())

    /// Makes a tracer.
    ///
    /// - Parameters:
    ///   - maximumTrees: The number of traces that are kept at the same time.
    ///   - report: Receives each complete trace.
    public init(maximumTrees: Int = 1_000, report: @escaping @Sendable (SpanTree.Finished) -> Void) {
        (self.maximumTrees, self.report) = (maximumTrees, report)
    }

    /// Begins a span, in the tree of its parent if that is known here.
    public func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> InstrumentationContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> TreeSpan {
        var context = context()
        let parent = context.trace
        let own = TraceContext(childOf: parent)
        context.trace = own
        let start = instant().nanosecondsSinceEpoch
        let record = SpanTree.Record(name: operationName, kind: kind, place: own, parent: parent?.spanID, start: start)
        let tree = own.isSampled ? tree(for: own.spanID, parent: parent?.spanID) : nil
        return TreeSpan(record, context: context) { [weak self] record in
            if let tree { self?.end(record, in: tree) }
        }
    }

    /// The tree of the parent, or a new one; `nil` if there is no room.
    private func tree(for span: String, parent: String?) -> SpanTree? {
        state.withLock { state in
            let known = parent.flatMap { state.treeOfSpan[$0] }
            guard known != nil || state.treeCount < maximumTrees else { return nil }
            let tree = known ?? SpanTree()
            guard tree.begin(span) else { return nil }
            if known == nil { state.treeCount += 1 }
            state.treeOfSpan[span] = tree
            return tree
        }
    }

    private func end(_ record: SpanTree.Record, in tree: SpanTree) {
        let finished = state.withLock { state -> SpanTree.Finished? in
            guard let finished = tree.end(record) else { return nil }
            state.treeCount -= 1
            for record in finished.records { state.treeOfSpan[record.place.spanID] = nil }
            return finished
        }
        if let finished { report(finished) }
    }

    /// Does nothing: a tree is reported when it is complete.
    public func forceFlush() {}

    /// Reads the field `traceparent` of a request.
    public func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout InstrumentationContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        let field = extractor.extract(key: "traceparent", from: carrier)
        context.trace = field.flatMap(TraceContext.init(traceparent:)) ?? context.trace
    }

    /// Writes the field `traceparent` of a request.
    public func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let trace = context.trace else { return }
        injector.inject(trace.traceparent, forKey: "traceparent", into: &carrier)
    }
}
