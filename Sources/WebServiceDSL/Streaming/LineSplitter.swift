// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Divides bytes into lines, with a limit of their length.
///
/// A line within a part is a slice of that part; only a line across parts is copied.
struct LineSplitter: PartDecoder {
    /// The bytes that end a line.
    enum LineEnd {
        /// LF or CRLF. A CR alone is a byte of its line.
        case lineFeed
        /// LF, CRLF or CR (WHATWG HTML §9.2.5).
        case any
    }

    private let limit: Int
    private let lineEnd: LineEnd
    private var part = Data()
    /// The beginning of the next line in the part.
    private var position = 0
    /// The beginning of a line whose end is in no part so far.
    private var beginning = Data()
    /// Whether an LF at the position belongs to the CR before it.
    private var skipsLineFeed = false

    /// - Parameter limit: The largest line in bytes, without its end.
    init(limit: Int, lineEnd: LineEnd = .lineFeed) {
        self.limit = max(limit, 0)
        self.lineEnd = lineEnd
    }

    mutating func append(_ part: Data) {
        self.part = part
        position = part.startIndex
    }

    /// The next line whose end has arrived, without that end.
    ///
    /// - Throws: ``SwiftyError/Code/elementTooLarge`` for a line above the limit, as soon as it is certain.
    mutating func next() throws(SwiftyError) -> Data? {
        if skipsLineFeed, position < part.endIndex {
            if part[position] == .lineFeed { position += 1 }
            skipsLineFeed = false
        }
        guard position < part.endIndex else { return nil }
        guard let end = lineEndIndex() else {
            try keepBeginning()
            return nil
        }
        let line = part[position..<end]
        skipsLineFeed = lineEnd == .any && part[end] == .carriageReturn
        position = end + 1
        return try complete(line)
    }

    /// The last line, if it has no end.
    mutating func finish() throws(SwiftyError) -> Data? {
        if beginning.isEmpty { return nil }
        let line = beginning
        beginning = Data()
        return try checked(line)
    }

    /// The index of the byte that ends the line at the position.
    private func lineEndIndex() -> Int? {
        let start = position - part.startIndex
        let offset = part.withUnsafeBytes { bytes -> Int? in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            return lineEnd == .any ? rest.firstIndex { $0 == .lineFeed || $0 == .carriageReturn } : rest.lineFeedIndex
        }
        return offset.map { position + $0 }
    }

    private mutating func complete(_ end: Data) throws(SwiftyError) -> Data {
        var line = end
        if !beginning.isEmpty {
            beginning.append(end)
            line = beginning
            beginning = Data()
        }
        return try checked(lineEnd == .lineFeed ? line.withoutCarriageReturn : line)
    }

    private mutating func keepBeginning() throws(SwiftyError) {
        beginning.append(part[position...])
        position = part.endIndex
        // A CR at the end may be the first byte of the line's end.
        let count = beginning.count - (lineEnd == .lineFeed && beginning.last == .carriageReturn ? 1 : 0)
        if count > limit { throw tooLarge() }
    }

    private func checked(_ line: Data) throws(SwiftyError) -> Data {
        if line.count > limit { throw tooLarge() }
        return line
    }

    private func tooLarge() -> SwiftyError {
        SwiftyError(
            .elementTooLarge,
            stage: .body,
            sent: .responded,
            reason: "a line has more than \(limit) bytes, the limit of a line"
        )
    }
}

extension Data {
    fileprivate var withoutCarriageReturn: Data {
        last == .carriageReturn ? self[startIndex..<(endIndex - 1)] : self
    }
}

extension UnsafeRawBufferPointer {
    // Safety: `memchr` reads `count` bytes at the base address, and returns an address among them.
    fileprivate var lineFeedIndex: Int? {
        guard let baseAddress, let found = memchr(baseAddress, Int32(UInt8.lineFeed), count) else { return nil }
        return UnsafeRawPointer(found) - baseAddress
    }
}
