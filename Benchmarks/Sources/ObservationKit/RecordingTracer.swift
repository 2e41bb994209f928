// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
package import Tracing

/// A tracer whose spans record everything, and are dropped at their end: the cost of what makes spans, with little of
/// its own. It injects a `traceparent` (W3C Trace Context).
package final class RecordingTracer: Tracer {
    private let count = Atomic<UInt64>(1)

    package init() {}

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> RecordingSpan {
        var context = context()
        context[SpanNumberKey.self] = count.wrappingAdd(1, ordering: .relaxed).oldValue
        return RecordingSpan(operationName, context, start: instant().nanosecondsSinceEpoch)
    }

    package func forceFlush() {}

    package func activeSpan(identifiedBy context: ServiceContext) -> RecordingSpan? { nil }

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {}

    package func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let number = context[SpanNumberKey.self] else { return }
        let beginning: StaticString = "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"
        let value = String(unsafeUninitializedCapacity: beginning.utf8CodeUnitCount) { bytes in
            for index in 0..<beginning.utf8CodeUnitCount { bytes[index] = beginning.utf8Start[index] }
            for digit in 0..<16 {
                let value = UInt8((number >> UInt64(4 * digit)) & 15)
                bytes[51 - digit] = value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
            return bytes.count
        }
        injector.inject(value, forKey: "traceparent", into: &carrier)
    }
}

private enum SpanNumberKey: ServiceContextKey {
    typealias Value = UInt64
}

/// A span that keeps what it is told.
package final class RecordingSpan: Span {
    private struct State {
        var name: String
        var attributes = SpanAttributes()
        var status: SpanStatus?
        var events: [SpanEvent] = []
        var end: UInt64 = 0
    }

    package let context: ServiceContext
    private let start: UInt64
    private let state: Mutex<State>

    init(_ name: String, _ context: ServiceContext, start: UInt64) {
        (self.context, self.start) = (context, start)
        state = Mutex(State(name: name))
    }

    package var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    package var isRecording: Bool { true }

    package func setStatus(_ status: SpanStatus) {
        state.withLock { $0.status = status }
    }

    package func addEvent(_ event: SpanEvent) {
        state.withLock { $0.events.append(event) }
    }

    package func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {}

    package func addLink(_ link: SpanLink) {}

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        state.withLock { $0.end = end }
    }
}
