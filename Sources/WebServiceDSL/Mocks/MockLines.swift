// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The lines of a mock file, with their numbers, and the content between them.
struct MockLines {
    private let bytes: [UInt8]
    private var position = 0
    private var previous = 0
    /// The number of the line that was read last, from 1 on.
    private(set) var number = 0

    init(_ bytes: [UInt8]) {
        // A byte order mark, which some editors write.
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
    }

    /// Whether a line separates answers: `###` alone, or with words before a line that begins an answer. Other lines
    /// that begin in the same way, such as headings of Markdown, belong to the content.
    func isSeparator(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.starts(with: "###".utf8) else { return false }
        let rest = line.dropFirst(3)
        if rest.trimmingSpacesAndTabs().isEmpty { return true }
        return rest.first?.isSpaceOrTab ?? false && beginsAnswer
    }

    /// Whether an answer follows: a status line or a setting, behind comments and empty lines.
    private var beginsAnswer: Bool {
        var lines = self
        while let line = lines.next() {
            if line.starts(with: "HTTP/".utf8) { return true }
            guard line.isEmpty || line.starts(with: "#".utf8) else { return false }
            if line.dropFirst().trimmingSpacesAndTabs().first == UInt8(ascii: "@") { return true }
        }
        return false
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

    /// Takes bytes, whatever they are; `nil` if there are fewer.
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
