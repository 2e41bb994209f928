// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
public import Tracing

/// A span of a ``TreeTracer``.
public final class TreeSpan: Tracing.Span {
    /// The context of what happens in the span.
    public let context: InstrumentationContext
    private let record: Mutex<SpanTree.Record>
    private let hasEnded = Atomic(false)
    private let onEnd: @Sendable (SpanTree.Record) -> Void

    init(
        _ record: SpanTree.Record,
        context: InstrumentationContext,
        onEnd: @escaping @Sendable (SpanTree.Record) -> Void
    ) {
        self.record = Mutex(record)
        (self.context, self.onEnd) = (context, onEnd)
    }

    /// Whether the span has not ended.
    public var isRecording: Bool { !hasEnded.load(ordering: .relaxed) }

    /// The name.
    public var operationName: String {
        get { record.withLock { $0.name } }
        set { change { $0.name = newValue } }
    }

    /// The attributes.
    public var attributes: SpanAttributes {
        get { record.withLock { $0.attributes } }
        set { change { $0.attributes = newValue } }
    }

    /// Sets the outcome.
    public func setStatus(_ status: SpanStatus) { change { $0.status = status } }

    /// Adds an event.
    public func addEvent(_ event: SpanEvent) { change { $0.events.append(event) } }

    /// Does nothing: links are not shown.
    public func addLink(_ link: SpanLink) {}

    /// Adds an error.
    public func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {
        change { $0.errors.append("\(error)") }
    }

    /// Ends the span; what changes later is ignored.
    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
        onEnd(
            record.withLock { record in
                record.end = end
                return record
            }
        )
    }

    private func change(_ body: (inout SpanTree.Record) -> Void) {
        guard isRecording else { return }
        record.withLock { body(&$0) }
    }
}
