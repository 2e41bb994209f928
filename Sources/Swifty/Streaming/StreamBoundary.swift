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

    /// The boundary of content; `nil` if it is no stream of elements, or has an end that it can be given time for.
    init?(_ head: ResponseHead) {
        if head.mayHaveField("content-length") { return nil }
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
    var isReached: Bool { tail.isEmpty || isEnd(tail[...]) }

    /// The number of bytes of a part up to its last boundary; `nil` without one.
    func lastEnd(in part: Data) -> Int? {
        let bytes = tail + part
        for end in stride(from: bytes.count, to: tail.count, by: -1) where isEnd(bytes[..<end]) {
            return end - tail.count
        }
        return nil
    }

    private func isEnd(_ bytes: ArraySlice<UInt8>) -> Bool {
        switch kind {
        case .line: bytes.last == 0x0A
        case .event: Self.emptyLines.contains { bytes.suffix($0.count).elementsEqual($0) }
        }
    }

    private static let emptyLines: [[UInt8]] = [
        [0x0A, 0x0A], [0x0D, 0x0D], [0x0D, 0x0A, 0x0D, 0x0A], [0x0A, 0x0D, 0x0A],
    ]
}
