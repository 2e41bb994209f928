// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

// The ends of values without quotes.
extension SecretScan {
    /// The end of an unquoted value, or of its first bytes.
    mutating func endOfValue(_ name: Range<Int>, sign: Sign, maximum: Int) -> Int {
        let end = limit
        defer { limit = end }
        limit = min(end, maximum > end - sign.end ? end : sign.end + maximum)
        return sign.isColon ? endOfColonValue(name, sign) : endOfParameter(name, sign)
    }

    /// The end of an unquoted value after `=`: a parameter, a variable of the environment, a property.
    func endOfParameter(_ name: Range<Int>, _ sign: Sign) -> Int {
        let isItem = name.lowerBound > 0 && bytes[name.lowerBound - 1] == .semicolon
        // A parameter of a path, and not one of a connection string.
        let isMatrix = isItem && text(name).lowercased().hasSuffix("sessionid")
        let isLine = (sign.isApart || isVariable(name)) && isLineStart(name.lowerBound)
        let end = self.end(from: sign.end) { byte in
            if byte == .lineFeed || byte == .carriageReturn { return true }
            if isLine { return false }
            if isItem && byte == .semicolon || isMatrix && "/?".utf8.contains(byte) { return true }
            return byte <= .space || "&#\"'<>\\`".utf8.contains(byte)
        }
        return isLine ? trimmed(sign.end..<end) : end
    }

    /// `DB_PASSWORD`, as variables of the environment are written.
    private func isVariable(_ name: Range<Int>) -> Bool {
        bytes[name].allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: "_") || $0.isASCIILetter && $0 & 0x20 == 0 }
    }

    /// The end of an unquoted value after `:`: of the line for a field, a line of YAML and credentials with a scheme.
    private func endOfColonValue(_ name: Range<Int>, _ sign: Sign) -> Int {
        let lower = text(name).lowercased()
        let isField = lower.hasSuffix("authorization") || lower.hasSuffix("cookie")
        if !isField, !isLineStart(name.lowerBound) {
            return end(from: sign.end) { $0 <= .space || ",;)}]\"'<>&\\`".utf8.contains($0) }
        }
        if "|>".utf8.contains(bytes[sign.end]) { return endOfBlock(from: sign.end, name.lowerBound) }
        let end = self.end(from: sign.end) { $0 == .lineFeed || $0 == .carriageReturn || "\"'<`".utf8.contains($0) }
        return trimmed(sign.end..<end)
    }

    /// The end of a block of YAML: of the lines that are indented more than its name.
    private func endOfBlock(from start: Int, _ name: Int) -> Int {
        let indentation = name - (bytes[..<name].lastIndex(of: .lineFeed).map { $0 + 1 } ?? 0)
        var place = end(from: start) { $0 == .lineFeed }
        while place < limit {
            let content = end(from: place + 1) { !$0.isSpaceOrTab }
            let isBlank = content < limit && (bytes[content] == .lineFeed || bytes[content] == .carriageReturn)
            if content - place - 1 <= indentation, !isBlank { break }
            place = end(from: content) { $0 == .lineFeed }
        }
        return place
    }

    private func trimmed(_ range: Range<Int>) -> Int {
        let last = bytes[range].lastIndex { !$0.isSpaceOrTab && $0 != .comma && $0 != .semicolon }
        return last.map { $0 + 1 } ?? range.upperBound
    }

    /// Whether only blanks, a list marker or `export` precede an offset on its line.
    func isLineStart(_ start: Int) -> Bool {
        var place = start
        if place >= 7, has("export ", at: place - 7) { place -= 7 }
        var steps = 0
        while place > 0, steps < 100, bytes[place - 1].isSpaceOrTab || "-><".utf8.contains(bytes[place - 1]) {
            place -= 1
            steps += 1
        }
        return place == 0 || bytes[place - 1] == .lineFeed || bytes[place - 1] == .carriageReturn
    }

    func decodedValue(_ range: Range<Int>) -> String {
        let value = String(decoding: FormContent.decodedBytes(bytes[range]), as: UTF8.self)
        // Punctuation at the end of a sentence, or in a list of URLs.
        return String(value.reversed().drop { ",.;)".contains($0) }.reversed())
    }
}
