// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// The places at which an endless stream may be ended, so that no element is cut: events, or values on
/// lines. Other content has an end, which it is given time to reach.
struct StreamBoundary {
    private enum Kind {
        /// After an empty line (WHATWG HTML §9.2.5).
        case event
        /// After a line.
        case line
    }

    private let kind: Kind
    /// The last bytes that the reader has.
    private var tail: [UInt8] = []

    /// The boundary of content; `nil` if it is no stream of elements.
    init?(_ head: ResponseHead) {
        let type = (head.headers[.contentType] ?? "").prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        switch type {
        case "text/event-stream": kind = .event
        case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines":
            kind = .line
        default: return nil
        }
    }

    /// Adds what the reader gets.
    mutating func append(_ part: Data) {
        tail = (tail + part.suffix(4)).suffix(4)
    }

    /// Whether nothing of another element has been read.
    var isReached: Bool {
        switch kind {
        case .line: return tail.isEmpty || tail.last == 0x0A
        case .event:
            let ends: [[UInt8]] = [[0x0A, 0x0A], [0x0D, 0x0D], [0x0D, 0x0A, 0x0D, 0x0A], [0x0A, 0x0D, 0x0A]]
            return tail.isEmpty || ends.contains { tail.suffix($0.count) == $0[...] }
        }
    }
}
