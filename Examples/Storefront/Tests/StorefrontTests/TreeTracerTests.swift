// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import Tracing

@testable import Storefront

@Suite("A tracer", .timeLimit(.minutes(15)))
struct TreeTracerTests {
    @Test(
        "reads the field traceparent, of later versions as well",
        arguments: [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
            ("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", false),
            ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
            ("00-4bf92f35-00f067aa0ba902b7-01", false), ("", false),
        ]
    )
    func field(text: String, isValid: Bool) {
        let trace = TraceContext(traceparent: text)
        #expect((trace != nil) == isValid)
        #expect(trace?.traceID ?? "4bf92f3577b34da6a3ce929d0e0e4736" == "4bf92f3577b34da6a3ce929d0e0e4736")
    }

    @Test("writes a trace when all of its spans have ended, with their events")
    func tree() {
        let written = Mutex("")
        let tracer = TreeTracer { tree in written.withLock { $0 += tree.text } }
        let root = tracer.startSpan("root", context: .topLevel, ofKind: .server, at: Time(1_000_000))
        let first = tracer.startSpan("first", context: root.context, ofKind: .client, at: Time(2_000_000))
        let second = tracer.startSpan("second", context: root.context, ofKind: .client, at: Time(3_000_000))
        first.addEvent(SpanEvent(name: "wait", at: Time(2_500_000), attributes: ["swifty.duration": .double(0.001)]))
        first.end(at: Time(4_000_000))
        root.end(at: Time(5_000_000))
        #expect(written.withLock { $0 } == "")
        second.setStatus(SpanStatus(code: .error))
        second.end(at: Time(6_000_000))
        #expect(
            written.withLock { $0.split(separator: "\n").dropFirst().joined(separator: "\n") } == """
                root (server) 4.0 ms
                  ├─ first (client) 2.0 ms
                  │      · wait at 0.5 ms, 1.0 ms long
                  └─ second (client) 3.0 ms ERROR
                """
        )
    }

    @Test("keeps only so many traces at the same time")
    func bounded() {
        let count = Mutex(0)
        let tracer = TreeTracer(maximumTrees: 2) { _ in count.withLock { $0 += 1 } }
        let roots = (0..<3).map { _ in tracer.startSpan("root", context: .topLevel) }
        for root in roots { root.end() }
        #expect(count.withLock { $0 } == 2)
        tracer.startSpan("root", context: .topLevel).end()
        #expect(count.withLock { $0 } == 3)
    }

    @Test("keeps only so many spans of a trace")
    func boundedTree() {
        let count = Mutex(0)
        let tracer = TreeTracer { tree in count.withLock { $0 = tree.records.count } }
        let root = tracer.startSpan("root", context: .topLevel)
        for _ in 0..<600 { tracer.startSpan("child", context: root.context).end() }
        root.end()
        #expect(count.withLock { $0 } == 500)
    }
}

/// A time in nanoseconds.
private struct Time: TracerInstant {
    let nanosecondsSinceEpoch: UInt64

    init(_ nanoseconds: UInt64) { nanosecondsSinceEpoch = nanoseconds }

    static func < (left: Time, right: Time) -> Bool { left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch }
}
