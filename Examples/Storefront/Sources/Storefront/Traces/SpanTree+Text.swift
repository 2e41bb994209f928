// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Tracing

// The tree as lines: a span, its events, and the spans in it.

extension SpanTree.Finished {
    /// The tree with its trace's number, with a line break at the end.
    public var text: String {
        let known = Set(records.map(\.place.spanID))
        let children = Dictionary(grouping: records) { $0.parent.flatMap { known.contains($0) ? $0 : nil } }
        let roots = sorted(children[nil])
        guard let first = roots.first else { return "" }
        let remote = first.parent.map { ", in the span \($0) of the caller" } ?? ""
        var lines = ["trace \(first.place.traceID)\(remote)"]
        for root in roots { root.addLines(to: &lines, indent: "", children: children) }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension SpanTree.Record {
    fileprivate func addLines(to lines: inout [String], indent: String, children: [String?: [SpanTree.Record]]) {
        let inner = sorted(children[place.spanID])
        lines.append("\(indent)\(line)")
        let bar = inner.isEmpty ? " " : "│"
        for event in sortedEvents { lines.append("\(indent.continued)  \(bar) \(event)") }
        for (index, child) in inner.enumerated() {
            let branch = index == inner.count - 1 ? "  └─ " : "  ├─ "
            child.addLines(to: &lines, indent: indent.continued + branch, children: children)
        }
    }

    /// `GET items/{}/stock (client) 4.1 ms 503 error`
    private var line: String {
        let code = text(of: "http.response.status_code")
        let error = text(of: "error.type").flatMap { $0 == code ? nil : $0 }
        let retry = text(of: "http.request.resend_count").map { "request \((Int($0) ?? 0) + 1)" }
        let deadline = text(of: "http.request.header.grpc_timeout").map { "grpc-timeout \($0)" }
        let outcome = status?.code == .error ? "ERROR" : nil
        let parts = [retry, code, error, outcome, deadline].compactMap(\.self)
        return (["\(name) (\(kind))", duration.milliseconds] + parts).joined(separator: " ")
    }

    private var sortedEvents: [String] {
        events.sorted { $0.nanosecondsSinceEpoch < $1.nanosecondsSinceEpoch }.map { event in
            let time = Duration.nanoseconds(Int64(clamping: event.nanosecondsSinceEpoch) - Int64(clamping: start))
            return "· \(event.name) at \(time.milliseconds)\(event.length)"
        } + errors.map { "! \($0)" }
    }
}

private func sorted(_ records: [SpanTree.Record]?) -> [SpanTree.Record] {
    (records ?? []).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
}

extension SpanEvent {
    /// The time that a wait or a phase has taken.
    fileprivate var length: String {
        guard case .double(let seconds)? = attributes["swifty.duration"]?.toSpanAttribute() else { return "" }
        return ", \(Duration.seconds(seconds).milliseconds) long"
    }
}

extension String {
    /// The beginning of the lines below one with this beginning.
    fileprivate var continued: String {
        String(map { $0 == "├" ? "│" : "└─".contains($0) ? " " : $0 })
    }
}

extension Duration {
    fileprivate var milliseconds: String { String(format: "%.1f ms", self / .milliseconds(1)) }
}
