// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Tracing

/// The spans of a trace in this process.
public final class SpanTree: Sendable {
    /// What is known about a span.
    struct Record: Sendable {
        var name: String
        let kind: SpanKind
        let place: TraceContext
        /// The number of the span around it, which may be in another process.
        let parent: String?
        /// In nanoseconds since 1970.
        let start: UInt64
        var end: UInt64 = 0
        var attributes = SpanAttributes()
        var status: SpanStatus?
        var events: [SpanEvent] = []
        var errors: [String] = []
    }

    /// A complete tree.
    public struct Finished: Sendable {
        let records: [Record]
    }

    private struct State {
        var ended: [Record] = []
        var open: Set<String> = []
    }

    private static let maximumSpans = 500
    private let state = Mutex(State())

    /// - Returns: Whether there is room for the span.
    func begin(_ span: String) -> Bool {
        state.withLock { state in
            guard state.open.count + state.ended.count < Self.maximumSpans else { return false }
            state.open.insert(span)
            return true
        }
    }

    /// - Returns: The tree, if that was the last span that had not ended.
    func end(_ record: Record) -> Finished? {
        state.withLock { state in
            guard state.open.remove(record.place.spanID) != nil else { return nil }
            state.ended.append(record)
            return state.open.isEmpty ? Finished(records: state.ended) : nil
        }
    }
}

extension SpanTree.Record {
    var duration: Duration { .nanoseconds(Int64(clamping: end - min(start, end))) }

    func text(of attribute: String) -> String? {
        switch attributes[attribute]?.toSpanAttribute() {
        case .string(let text): text
        case .int32(let number): "\(number)"
        case .int64(let number): "\(number)"
        default: nil
        }
    }
}
