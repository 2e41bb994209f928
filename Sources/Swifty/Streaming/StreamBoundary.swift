// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// The places at which an endless stream may be ended, so that no element is cut: events, or values on
/// lines. Other content has an end, which it is given time to reach.
struct StreamBoundary {
    private enum Kind {
        /// After an empty line (WHATWG HTML §9.2.5), and after comments that follow it.
        case event
        /// After a line.
        case line
    }

    private enum Place {
        case boundary
        /// In a comment that belongs to no element.
        case comment
        case element
        /// After a line of an element.
        case lineStart
    }

    private static let (lineFeed, carriageReturn, colon): (UInt8, UInt8, UInt8) = (0x0A, 0x0D, 0x3A)

    private let kind: Kind
    private var place = Place.boundary
    private var followsCarriageReturn = false

    /// The boundary of content; `nil` if it is no stream of elements, or has an end that it can be given time for: the
    /// result of what a request does, a download, or content of a known length.
    init?(_ head: ResponseHead, of draft: RequestDraft) {
        if draft.method != .get || draft.needsWholeContent || head.mayHaveField("content-length") { return nil }
        let type = (head.headers[.contentType] ?? "").prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        switch type {
        case "text/event-stream": kind = .event
        case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines":
            kind = .line
        default: return nil
        }
    }

    /// Whether nothing of another element has been read.
    var isReached: Bool { place == .boundary }

    /// Adds what the reader gets.
    mutating func append(_ part: Data) {
        switch kind {
        case .line: if let last = part.last { add(last) }
        case .event: for byte in part { add(byte) }
        }
    }

    /// The number of bytes of a part up to its last boundary; `nil` without one.
    func lastEnd(in part: Data) -> Int? {
        var (boundary, end) = (self, nil as Int?)
        for (index, byte) in part.enumerated() {
            boundary.add(byte)
            if boundary.isReached { end = index + 1 }
        }
        return end
    }

    private mutating func add(_ byte: UInt8) {
        switch kind {
        case .line: place = byte == Self.lineFeed ? .boundary : .element
        case .event: addToEvent(byte)
        }
    }

    private mutating func addToEvent(_ byte: UInt8) {
        if followsCarriageReturn, byte == Self.lineFeed {
            followsCarriageReturn = false
            return
        }
        followsCarriageReturn = byte == Self.carriageReturn
        let endsLine = followsCarriageReturn || byte == Self.lineFeed
        place =
            switch place {
            case .boundary where endsLine, .comment where endsLine, .lineStart where endsLine: .boundary
            case .element where endsLine: .lineStart
            case .boundary: byte == Self.colon ? .comment : .element
            case .comment: .comment
            case .element, .lineStart: .element
            }
    }
}
