// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// The bytes that end a line.
enum LineEnd {
    /// LF or CRLF. A CR alone is a byte of its line.
    case lineFeed
    /// LF, CRLF or CR (WHATWG HTML §9.2.5).
    case any
}

/// Divides bytes into lines, with a limit of their length.
///
/// The bytes of a line within a part are not copied to find it; those of a line across parts are.
struct LineSplitter<Content: LineContent>: PartDecoder {
    /// A line whose end is in the part.
    private struct Line {
        /// `nil` if the bytes are not such content.
        let content: Content?
        /// The number of its bytes.
        let count: Int
        /// The beginning of the next line.
        let next: Int
    }

    private let limit: Int
    private let lineEnd: LineEnd
    private var part = Data()
    /// The beginning of the next line in the part.
    private var position = 0
    /// The next lines of the part. Some are searched at a time, because each access to the bytes of `Data` costs.
    private var lines: [Line] = []
    /// The number of these lines that were returned.
    private var returnedCount = 0
    /// The beginning of a line whose end is in no part so far.
    private var beginning = Data()
    /// Whether an LF at the beginning of the next part belongs to the CR before it.
    private var skipsLineFeed = false

    private static var searchedLines: Int { 64 }

    /// - Parameter limit: The largest line in bytes, without its end.
    init(limit: Int, lineEnd: LineEnd = .lineFeed) {
        self.limit = max(limit, 0)
        self.lineEnd = lineEnd
    }

    mutating func append(_ part: Data) {
        self.part = part
        position = part.startIndex
        guard skipsLineFeed, let first = part.first else { return }
        if first == .lineFeed { position += 1 }
        skipsLineFeed = false
    }

    /// The next line whose end has arrived, without that end.
    ///
    /// - Throws: ``SwiftyError/Code/elementTooLarge`` for a line above the limit, as soon as it is certain.
    mutating func next() throws(SwiftyError) -> Content? {
        if returnedCount == lines.count, !findLines() {
            try keepBeginning()
            return nil
        }
        let line = lines[returnedCount]
        returnedCount += 1
        defer { position = line.next }
        if beginning.isEmpty {
            if line.count > limit { throw tooLarge() }
            guard let content = line.content else { throw notText() }
            return content
        }
        return try whole(takeBeginning(endingIn: part[position..<position + line.count]))
    }

    /// The last line, if it has no end.
    mutating func finish() throws(SwiftyError) -> Content? {
        beginning.isEmpty ? nil : try whole(takeBeginning(endingIn: Data()))
    }

    /// Finds some lines from the position on; `false` if there is no further end of a line in the part.
    private mutating func findLines() -> Bool {
        lines.removeAll(keepingCapacity: true)
        returnedCount = 0
        var start = position
        let (origin, lineEnd) = (part.startIndex, self.lineEnd)
        part.withUnsafeBytes { bytes in
            while lines.count < Self.searchedLines, start - origin < bytes.count {
                let offset = start - origin
                let line = lineEnd == .any ? bytes.anyLine(from: offset) : bytes.line(from: offset)
                guard let line else { return }
                let content = Content(
                    UnsafeRawBufferPointer(rebasing: bytes[offset..<line.end]),
                    at: start..<origin + line.end,
                    of: part
                )
                start = origin + line.next
                lines.append(Line(content: content, count: line.end - offset, next: start))
            }
        }
        if lineEnd == .any, start == part.endIndex, !lines.isEmpty { skipsLineFeed = part.last == .carriageReturn }
        return !lines.isEmpty
    }

    private mutating func keepBeginning() throws(SwiftyError) {
        if position < part.endIndex { beginning.append(part[position...]) }
        position = part.endIndex
        // A CR at the end may be the first byte of the line's end.
        let count = beginning.count - (lineEnd == .lineFeed && beginning.last == .carriageReturn ? 1 : 0)
        if count > limit { throw tooLarge() }
    }

    private mutating func takeBeginning(endingIn end: Data) -> Data {
        defer { beginning = Data() }
        // The LF of a CR at the end of the previous part.
        if lineEnd == .lineFeed, position < part.endIndex, part[position] == .lineFeed {
            return beginning.last == .carriageReturn ? beginning.dropLast() : beginning
        }
        beginning.append(end)
        return beginning
    }

    private func whole(_ line: Data) throws(SwiftyError) -> Content {
        if line.count > limit { throw tooLarge() }
        guard let content = Content(line: line) else { throw notText() }
        return content
    }

    private func notText() -> SwiftyError {
        SwiftyError(.decodingFailed, stage: .decoding, sent: .responded, reason: "a line is not UTF-8")
    }

    private func tooLarge() -> SwiftyError {
        SwiftyError(
            .elementTooLarge,
            stage: .content,
            sent: .responded,
            reason: "a line has more than \(limit) bytes, the limit of a line"
        )
    }
}

extension UnsafeRawBufferPointer {
    // Safety: `memchr` reads the bytes from the offset to the end, and returns an address among them.
    /// The line at an offset, ended by LF or CRLF.
    fileprivate func line(from start: Int) -> (end: Int, next: Int)? {
        guard let baseAddress,
            let found = memchr(baseAddress + start, Int32(UInt8.lineFeed), count - start)
        else { return nil }
        let end = UnsafeRawPointer(found) - baseAddress
        return (end > start && self[end - 1] == .carriageReturn ? end - 1 : end, end + 1)
    }

    /// The line at an offset, ended by LF, CRLF or CR.
    fileprivate func anyLine(from start: Int) -> (end: Int, next: Int)? {
        guard let end = self[start...].firstIndex(where: { $0 == .lineFeed || $0 == .carriageReturn })
        else { return nil }
        let isPair = self[end] == .carriageReturn && end + 1 < count && self[end + 1] == .lineFeed
        return (end, isPair ? end + 2 : end + 1)
    }
}
