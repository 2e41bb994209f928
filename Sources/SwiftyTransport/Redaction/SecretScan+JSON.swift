// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

// JSON: whole, truncated, or within other text.
extension SecretScan {
    /// Reads a string, with its value if it is the name of a member.
    ///
    /// Each quote that is not escaped is tried, since the text around JSON may also have quotes.
    mutating func scanLiteral() {
        let open = index
        guard let close = JSONSearch.stringEnd(in: bytes, openedAt: open, before: limit) else {
            index += 1
            return
        }
        let colon = place(after: close)
        if colon < limit, bytes[colon] == .colon, !has("://", at: colon) {
            scanMember(string(open...close), at: place(after: colon), behind: close)
        } else if let replacement = redactEscaped(open...close) {
            replace(open..<close + 1, by: replacement)
            index = close + 1
        } else {
            index += 1
        }
    }

    private mutating func scanMember(_ name: String, at value: Int, behind close: Int) {
        index = close + 1
        if let kind = names.kind(of: name) {
            index = max(index, hideMember(at: value, of: name, kind))
        } else if value < limit, bytes[value] == .quote,
            let end = JSONSearch.stringEnd(in: bytes, openedAt: value, before: limit)
        {
            scanPair(name, value..<end + 1)
        }
    }

    /// A member of an object with a name and a value: `{"name": "Authorization", "value": "…"}`.
    private mutating func scanPair(_ name: String, _ literal: Range<Int>) {
        let content = literal.lowerBound + 1..<literal.upperBound - 1
        if Self.isNameName(name), isShortName(content), let kind = names.kind(of: unescaped(content)) {
            if let value = pairs.foundName(kind) { hidePaired(value, kind) }
        } else if Self.isValueName(name), let kind = pairs.foundValue(content) {
            hidePaired(content, kind)
            index = literal.upperBound
        }
    }

    /// Whether a string may be a name, and not a sentence about one.
    private func isShortName(_ content: Range<Int>) -> Bool {
        content.count <= 64 && !bytes[content].contains(.colon) && bytes[content].count { $0 <= .space } <= 2
    }

    private mutating func hidePaired(_ content: Range<Int>, _ kind: SecretKind) {
        if kind != .clear, !Self.looksRandom(bytes[content]) { return }
        hide(content, value: unescaped(content))
    }

    /// Whether a member or an attribute holds the name of something.
    static func isNameName(_ name: String) -> Bool {
        ["name", "key", "field", "header", "id", "property", "itemprop"].contains(name.lowercased())
    }

    /// Whether a member or an attribute holds the value of what another one names.
    static func isValueName(_ name: String) -> Bool {
        ["value", "content", "val", "text"].contains(name.lowercased())
    }

    /// A string with escapes, without the secrets in its text, such as those of JSON in a string; `nil` if it has none.
    private mutating func redactEscaped(_ literal: ClosedRange<Int>) -> [UInt8]? {
        guard bytes[literal].contains(.backslash), let text = JSONString.decode(bytes[literal]) else { return nil }
        return redacted(text).map { JSONString.encode(String(decoding: $0, as: UTF8.self)) }
    }

    // MARK: - Values

    /// Hides a value, so that JSON stays JSON with the same types.
    ///
    /// - Returns: The offset after it.
    private mutating func hideMember(at start: Int, of name: String, _ kind: SecretKind) -> Int {
        guard start < limit else { return start }
        switch bytes[start] {
        case .quote: return hideString(at: start, kind)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return kind == .clear ? hideStructure(at: start) : start
        // Token counts of language models.
        case let byte where Self.beginsNumber(byte) && kind != .common && !name.lowercased().hasSuffix("tokens"):
            return hideNumber(at: start)
        case UInt8(ascii: "'"), UInt8(ascii: "`"):
            hideQuoted(at: start, bytes[start...start], kind)
            return index
        default: return start
        }
    }

    private static func beginsNumber(_ byte: UInt8) -> Bool { byte.isASCIIDigit || byte == UInt8(ascii: "-") }

    private mutating func hideString(at open: Int, _ kind: SecretKind = .clear) -> Int {
        let close = JSONSearch.stringEnd(in: bytes, openedAt: open, before: limit)
        // A string without an end is hidden up to the end of the line: JSON has no line breaks in strings, and the next
        // line may be another JSON text.
        let end = close ?? endOfLine(from: open)
        if kind == .common, !Self.looksRandom(bytes[open + 1..<end]) { return open }
        hide(open + 1..<end, value: close.map { string(open...$0) } ?? text(open + 1..<end))
        return close.map { $0 + 1 } ?? end
    }

    private mutating func hideNumber(at start: Int) -> Int {
        let end = JSONSearch.numberEnd(in: bytes, from: start, before: limit)
        replace(start..<end, by: [.digitZero])
        return end
    }

    /// Hides all strings in an object or an array, except for the names of members, and the numbers that are elements
    /// or have names of secrets themselves, unlike the time at which a token expires.
    ///
    /// - Returns: The offset after it.
    mutating func hideStructure(at start: Int) -> Int {
        var (place, depth, hidesNumbers) = (start, 0, true)
        while place < limit {
            switch bytes[place] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "["):
                depth += 1
                hidesNumbers = true
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return place + 1 }
            case .quote:
                if let end = endOfName(at: place) {
                    let kind = names.kind(of: string(place...end))
                    hidesNumbers = kind != nil && kind != .common
                    place = end + 1
                } else {
                    place = hideString(at: place)
                }
                continue
            case let byte where hidesNumbers && Self.beginsNumber(byte):
                place = hideNumber(at: place)
                continue
            default: break
            }
            place += 1
        }
        return limit
    }

    /// The offset of the quote that closes the name of a member; `nil` if the string is not a name.
    private func endOfName(at open: Int) -> Int? {
        guard let close = JSONSearch.stringEnd(in: bytes, openedAt: open, before: limit) else { return nil }
        let next = place(after: close)
        return next < limit && bytes[next] == .colon ? close : nil
    }

    private func string(_ literal: ClosedRange<Int>) -> String {
        unescaped(literal.lowerBound + 1..<literal.upperBound)
    }

    /// The offset of the next byte that is not white space.
    private func place(after index: Int) -> Int { end(from: index + 1) { !$0.isSpaceTabOrLineEnd } }
}
