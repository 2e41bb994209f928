// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

/// An incremental parser of `multipart/byteranges` (RFC 9110 §14.6, RFC 2046 §5.1).
///
/// `Content-Range` gives the length of each part, and the delimiter must follow exactly there, so no content can be
/// mistaken for a delimiter. Malformed input and bytes that were not requested are errors.
struct ByteRangesParser {
    private enum State: Equatable {
        /// Before the first delimiter.
        case preamble
        /// After a delimiter, on its line: the end of the line, or `--`.
        case delimiter
        case fields
        /// In the content of a part, with this number of bytes missing.
        case content(missing: Int)
        /// After the content of a part, before the next delimiter.
        case betweenParts
        case end
    }

    /// The largest number of bytes before the first part, on the line of a delimiter, and in the fields of a part.
    private static let limit = 16 << 10

    private static let maximumParts = 100

    private let delimiter: [UInt8]
    private let allowed: [Range<Int>]
    private var state = State.preamble
    /// The bytes that are not parsed yet. They begin with a line end, because the first delimiter may come without one.
    private var buffer: ArraySlice<UInt8> = [.carriageReturn, .lineFeed]
    private var parts: [BytePart] = []
    private var part: (range: ContentRange, type: String?, bytes: [UInt8])?

    /// - Parameters:
    ///   - boundary: The parameter of the media type.
    ///   - allowed: The ranges in which the parts must lie.
    init(boundary: String, allowed: [Range<Int>]) {
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.allowed = allowed
    }

    /// The boundary parameter of the media type; `nil` for another media type.
    static func boundary(of mediaType: String) -> String? {
        var scanner = ParameterScanner(mediaType)
        guard scanner.skipToParameters().lowercased() == "multipart/byteranges" else { return nil }
        while let (name, value) = scanner.next() {
            if name.lowercased() == "boundary", (1...70).contains(value.utf8.count) { return value }
        }
        return nil
    }

    mutating func consume(_ bytes: Data) throws(RangeFailure) {
        buffer += bytes
        while try step() {}
    }

    /// The parts.
    ///
    /// - Throws: ``RangeFailure`` if the last delimiter is missing.
    consuming func finish() throws(RangeFailure) -> [BytePart] {
        guard state == .end else { throw .malformed("the parts of the response have no end") }
        return parts
    }

    /// Parses the beginning of the buffer; `false` if more bytes are needed.
    private mutating func step() throws(RangeFailure) -> Bool {
        switch state {
        case .preamble: return try skipPreamble()
        case .delimiter: return try readDelimiterLine()
        case .fields: return try readFields()
        case .content(let missing): return readContent(missing)
        case .betweenParts: return try readDelimiter()
        case .end:
            // The epilogue is ignored.
            buffer = []
            return false
        }
    }

    private mutating func skipPreamble() throws(RangeFailure) -> Bool {
        if let place = place(of: delimiter) {
            take(place + delimiter.count)
            state = .delimiter
            return true
        }
        if buffer.count > Self.limit { throw .malformed("the response has no delimiter of parts") }
        return false
    }

    private mutating func readDelimiter() throws(RangeFailure) -> Bool {
        guard buffer.count >= delimiter.count else { return false }
        guard buffer.starts(with: delimiter) else {
            throw .malformed("a part of the response is longer or shorter than its range")
        }
        take(delimiter.count)
        state = .delimiter
        return true
    }

    private mutating func readDelimiterLine() throws(RangeFailure) -> Bool {
        guard buffer.count >= 2 else { return false }
        if buffer.starts(with: Array("--".utf8)) {
            state = .end
            return true
        }
        guard let end = place(of: [.carriageReturn, .lineFeed]) else {
            if buffer.count > Self.limit { throw .malformed("the line of a delimiter is too long") }
            return false
        }
        guard buffer.prefix(end).allSatisfy(\.isSpaceOrTab) else {
            throw .malformed("a delimiter of parts is followed by other text")
        }
        // The line end belongs to the fields, so that a part without fields ends like any other.
        take(end)
        state = .fields
        return true
    }

    private mutating func readFields() throws(RangeFailure) -> Bool {
        guard let end = place(of: Array("\r\n\r\n".utf8)) else {
            if buffer.count > Self.limit { throw .malformed("the fields of a part are too long") }
            return false
        }
        let lines = String(decoding: buffer.prefix(end), as: UTF8.self).split(separator: "\r\n")
        take(end + 4)
        let fields = lines.map { line -> (name: String, value: String) in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (line[..<colon].lowercased(), String(line[colon...].dropFirst().trimmingSpacesAndTabs()))
        }
        let ranges = fields.filter { $0.name == "content-range" }
        guard ranges.count == 1, let range = ContentRange(ranges[0].value), let bytes = range.bytes else {
            throw .malformed("a part of the response has no valid Content-Range")
        }
        try BytePart.check(bytes, within: allowed)
        if parts.count == Self.maximumParts { throw .malformed("the response has too many parts") }
        part = (range, fields.first { $0.name == "content-type" }?.value, [])
        state = .content(missing: bytes.count)
        return true
    }

    private mutating func readContent(_ missing: Int) -> Bool {
        let count = min(missing, buffer.count)
        part?.bytes += buffer.prefix(count)
        take(count)
        state = .content(missing: missing - count)
        guard count == missing else { return false }
        if let (range, type, bytes) = part, let place = range.bytes {
            parts.append(BytePart(range: place, total: range.total, contentType: type, data: Data(bytes)))
        }
        part = nil
        state = .betweenParts
        return true
    }

    /// The number of bytes before a pattern, at most a limit; `nil` if it is not there.
    private func place(of pattern: [UInt8]) -> Int? {
        guard buffer.count >= pattern.count, let first = pattern.first else { return nil }
        let last = min(buffer.endIndex - pattern.count, buffer.startIndex + Self.limit)
        let place = (buffer.startIndex...last).first { buffer[$0] == first && buffer[$0...].starts(with: pattern) }
        return place.map { $0 - buffer.startIndex }
    }

    private mutating func take(_ count: Int) {
        buffer = buffer.dropFirst(count)
    }
}
