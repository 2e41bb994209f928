// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Parses the bytes of an event stream, wherever they are divided into parts.
///
/// An event whose empty line is missing is never returned. The last event ID outlives a connection: the parser of the
/// next one begins with it, as in Chromium.
///
/// Source: WHATWG HTML §9.2.5 and §9.2.6.
struct EventParser {
    /// The ID of the last event that was complete, for `Last-Event-ID`.
    private(set) var lastEventID: String
    /// The time before a reconnection that the server set last; `nil` if it did not.
    private(set) var reconnectionTime: Duration?

    private let limit: Int
    private var lines: LineSplitter<Data>
    private var isAtStart = true
    private var data: Data?
    private var type = ""
    private var id: String
    /// The reconnection time of the current event.
    private var retry: Duration?

    /// - Parameter limit: The largest event in bytes: of its data, and of each of its lines.
    init(limit: Int, lastEventID: String = "") {
        self.limit = limit
        self.lastEventID = lastEventID
        id = lastEventID
        lines = LineSplitter(limit: limit, lineEnd: .any)
    }

    /// The parser of the next connection. An event that was cut off is dropped.
    func forNextConnection() -> EventParser {
        var parser = EventParser(limit: limit, lastEventID: lastEventID)
        parser.reconnectionTime = reconnectionTime
        return parser
    }

    /// Adds a part. Called when ``next()`` has returned `nil`.
    mutating func append(_ part: Data) {
        lines.append(part)
    }

    /// The next complete event of the parts so far; `nil` if another part is needed.
    ///
    /// - Throws: ``SwiftyError/Code/elementTooLarge``.
    mutating func next() throws(SwiftyError) -> ServerSentEvent? {
        while var line = try lines.next() {
            if isAtStart {
                line = line.withoutByteOrderMark
                isAtStart = false
            }
            if !line.isEmpty {
                try process(line)
            } else if let event = dispatch() {
                return event
            }
        }
        return nil
    }

    /// Ends the current event; `nil` if it has no data.
    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer { (data, type, retry) = (nil, "", nil) }
        guard let data else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type,
            data: String(decoding: data, as: UTF8.self),
            id: id,
            retry: retry
        )
    }

    private mutating func process(_ line: Data) throws(SwiftyError) {
        let (field, valueOffset) = Field.parse(line)
        let value = line[(line.startIndex + valueOffset)...]
        switch field {
        case .data: try add(value)
        case .event: type = String(decoding: value, as: UTF8.self)
        case .id: if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case .retry: setRetry(value)
        case nil: break
        }
    }

    /// The first line is kept as a slice; only data of several lines is copied.
    private mutating func add(_ line: Data) throws(SwiftyError) {
        let count = data.map { $0.count + 1 } ?? 0
        guard line.count <= limit - count else {
            throw SwiftyError(
                .elementTooLarge,
                stage: .content,
                sent: .responded,
                reason: "an event has more than \(limit) bytes, the limit of an event"
            )
        }
        guard data != nil else {
            data = line
            return
        }
        data?.append(.lineFeed)
        data?.append(line)
    }

    private mutating func setRetry(_ value: Data) {
        guard value.isDecimal, let time = Int64(String(decoding: value, as: UTF8.self)) else { return }
        retry = .milliseconds(time)
        reconnectionTime = retry
    }
}

/// The fields that have a meaning; all others are ignored, including comments.
private enum Field {
    case data, event, id, retry

    /// The field of a line, and the offset of its value: after the colon and one space.
    static func parse(_ line: Data) -> (field: Field?, valueOffset: Int) {
        line.withUnsafeBytes { bytes in
            let colon = bytes.prefix(maximumNameLength + 1).firstIndex(of: .colon)
            guard let colon else { return (Field(bytes[...]), bytes.count) }
            let hasSpace = colon + 1 < bytes.count && bytes[colon + 1] == .space
            return (Field(bytes[..<colon]), colon + (hasSpace ? 2 : 1))
        }
    }

    private static let maximumNameLength = 5

    /// The field of a name; `nil` for any other name.
    private init?(_ name: Slice<UnsafeRawBufferPointer>) {
        switch name.count {
        case 2 where name.elementsEqual("id".utf8): self = .id
        case 4 where name.elementsEqual("data".utf8): self = .data
        case 5 where name.elementsEqual("event".utf8): self = .event
        case 5 where name.elementsEqual("retry".utf8): self = .retry
        default: return nil
        }
    }
}
