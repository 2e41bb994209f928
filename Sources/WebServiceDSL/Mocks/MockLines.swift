// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The lines of a mock file, with their numbers, and the content between them.
struct MockLines {
    private let bytes: [UInt8]
    private var position = 0
    private var previous = 0
    /// The result of the last look-ahead: the offsets for which it holds, and whether an answer follows them. Each line
    /// that may be a separator needs it, and there may be many before one that decides.
    private var lookAhead: (places: ClosedRange<Int>, findsAnswer: Bool)?
    /// The 1-based number of the line that was read last.
    private(set) var number = 0

    init(_ bytes: [UInt8]) {
        self.bytes = Array(bytes.withoutByteOrderMark)
    }

    /// Whether a line separates answers: `###` alone, or with words before a line that begins an answer. Other lines
    /// that begin in the same way, such as headings of Markdown, belong to the content.
    mutating func isSeparator(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.starts(with: "###".utf8) else { return false }
        let rest = line.dropFirst(3)
        if rest.trimmingSpacesAndTabs().isEmpty { return true }
        return rest.first?.isSpaceOrTab ?? false && answerFollows()
    }

    /// Whether an answer follows: a status line or a setting, after comments and empty lines.
    private mutating func answerFollows() -> Bool {
        if let lookAhead, lookAhead.places.contains(position) { return lookAhead.findsAnswer }
        var lines = self
        var decision: Bool?
        while decision == nil, let line = lines.next() { decision = Self.beginsAnswer(line) }
        // At the end of the file, no line has decided.
        let end = decision == nil ? lines.position : lines.previous
        lookAhead = (position...end, decision ?? false)
        return decision ?? false
    }

    /// Whether an answer begins with a line; `nil` if the following lines decide.
    private static func beginsAnswer(_ line: ArraySlice<UInt8>) -> Bool? {
        if line.starts(with: "HTTP/".utf8) { return true }
        guard line.isEmpty || line.starts(with: "#".utf8) else { return false }
        return line.dropFirst().trimmingSpacesAndTabs().first == UInt8(ascii: "@") ? true : nil
    }

    /// The next line without its break, which is LF or CRLF; `nil` at the end.
    mutating func next() -> ArraySlice<UInt8>? {
        guard position < bytes.count else { return nil }
        let line = bytes[position...].prefix { $0 != .lineFeed }
        previous = position
        position = min(line.endIndex + 1, bytes.count)
        number += 1
        return line.last == .carriageReturn ? line.dropLast() : line
    }

    /// Returns to the beginning of the line that was read last.
    mutating func goBack() {
        position = previous
        number -= 1
    }

    /// Takes a number of bytes, including separators; `nil` if there are fewer.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= bytes.count - position else { return nil }
        defer { position += count }
        let taken = bytes[position..<position + count]
        number += taken.count { $0 == .lineFeed }
        return taken
    }

    /// Takes the bytes up to the next separator or to the end, without the line break before it.
    mutating func takeUntilSeparator() -> ArraySlice<UInt8> {
        let start = position
        while let line = next() {
            guard isSeparator(line) else { continue }
            goBack()
            break
        }
        let content = bytes[start..<position]
        guard content.last == .lineFeed else { return content }
        let text = content.dropLast()
        return text.last == .carriageReturn ? text.dropLast() : text
    }

    /// Whether only empty lines come before the next separator or the end.
    var isBlankUntilSeparator: Bool {
        var lines = self
        while let line = lines.next(), !lines.isSeparator(line) {
            if !line.isEmpty { return false }
        }
        return true
    }
}
