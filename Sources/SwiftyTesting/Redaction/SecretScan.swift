// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// Replaces the values that have names of secrets in a text: members of JSON, parameters of URLs and forms, and
/// credentials in URLs.
///
/// The text may be anything: JSON, lines or events of JSON, JSON within strings of JSON, HTML, a header field. Bytes
/// are read once, and need not be UTF-8.
struct SecretScan {
    /// The kind of a text, which decides what ends a parameter.
    enum Syntax {
        case text
        /// A URL or a reference to one.
        case url
        /// A form (`application/x-www-form-urlencoded`).
        case form
    }

    private struct Edit {
        let range: Range<Int>
        let replacement: [UInt8]
    }

    private let bytes: [UInt8]
    private let syntax: Syntax
    private let redaction: CassetteRedaction
    /// How many strings of JSON are around the text.
    private let depth: Int
    private var index = 0
    private var edits: [Edit] = []
    private var found: Set<String> = []

    /// The text without secrets.
    ///
    /// - Parameter found: Gets the values that were replaced, decoded.
    static func redact(
        _ bytes: [UInt8],
        as syntax: Syntax = .text,
        _ redaction: CassetteRedaction,
        found: inout Set<String>
    ) -> [UInt8] {
        redact(bytes, as: syntax, redaction, depth: 0, &found)
    }

    private static func redact(
        _ bytes: [UInt8],
        as syntax: Syntax,
        _ redaction: CassetteRedaction,
        depth: Int,
        _ found: inout Set<String>
    ) -> [UInt8] {
        var scan = SecretScan(bytes, syntax, redaction, depth)
        scan.run()
        found.formUnion(scan.found)
        return scan.result
    }

    private init(_ bytes: [UInt8], _ syntax: Syntax, _ redaction: CassetteRedaction, _ depth: Int) {
        (self.bytes, self.syntax, self.redaction, self.depth) = (bytes, syntax, redaction, depth)
    }

    private var result: [UInt8] {
        if edits.isEmpty { return bytes }
        var (result, start) = ([UInt8](), 0)
        for edit in edits {
            result += bytes[start..<edit.range.lowerBound] + edit.replacement
            start = edit.range.upperBound
        }
        return result + bytes[start...]
    }

    private mutating func run() {
        switch syntax {
        case .url: if bytes.starts(with: "//".utf8) { scanCredentials() }
        case .form: scanParameter()
        // A form, whatever its type says.
        case .text: if !bytes.contains(where: { $0 <= .space }) { scanParameter() }
        }
        while index < bytes.count {
            switch bytes[index] {
            case .backslash where syntax == .text: index += 2
            case .quote where syntax == .text: scanLiteral()
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"):
                index += 1
                scanParameter()
            case .colon where bytes[(index + 1)...].starts(with: "//".utf8):
                index += 1
                scanCredentials()
            default: index += 1
            }
        }
    }

    /// Replaces a range, and keeps what was there.
    private mutating func hide(_ range: Range<Int>, value: some StringProtocol) {
        guard !range.isEmpty else { return }
        found.insert(String(value))
        edits.append(Edit(range: range, replacement: Array(Redaction.placeholder.utf8)))
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

// MARK: - URLs and forms

extension SecretScan {
    /// Reads `name=value`, if that is what follows.
    private mutating func scanParameter() {
        var start = index
        // As a reference in HTML is written.
        if bytes[start...].starts(with: "amp;".utf8) { start += 4 }
        let end = bytes[start...].prefix(200).firstIndex { !Self.isNameByte($0) } ?? start
        guard end > start, bytes[end] == .equalsSign else { return }
        index = end + 1
        guard redaction.isSecret(PercentEncoding.decode(text(start..<end))) else { return }
        let valueEnd = bytes[index...].firstIndex(where: endsValue) ?? bytes.count
        hide(index..<valueEnd, value: decodedValue(index..<valueEnd))
        index = valueEnd
    }

    private func decodedValue(_ range: Range<Int>) -> String {
        let value = FormBody.items("=" + text(range)).first?.value ?? ""
        guard syntax == .text else { return value }
        // Marks at the end of a sentence, or of a list of URLs.
        return String(value.reversed().drop { ",.;)".contains($0) }.reversed())
    }

    private func endsValue(_ byte: UInt8) -> Bool {
        switch syntax {
        case .form: byte == UInt8(ascii: "&")
        case .url: byte == UInt8(ascii: "&") || byte == UInt8(ascii: "#")
        case .text: byte <= .space || "&#\"'<>\\`".utf8.contains(byte)
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "_.-~%+[]$:".utf8.contains(byte)
    }

    /// Reads `//user:password@`, if that is what follows.
    private mutating func scanCredentials() {
        let start = index + 2
        let end = bytes[start...].firstIndex { $0 <= .space || "/?#\"'<>\\`".utf8.contains($0) } ?? bytes.count
        index = start
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")), at > start else { return }
        let parts = bytes[start..<at].split(separator: .colon, maxSplits: 1, omittingEmptySubsequences: false)
        // A token often stands in place of the user, without a password.
        let secret = parts.count > 1 && !parts[1].isEmpty ? parts[1] : parts[0]
        hide(start..<at, value: PercentEncoding.decode(String(decoding: secret, as: UTF8.self)))
        index = at
    }
}

// MARK: - JSON

extension SecretScan {
    /// Reads a string, with its value if it is the name of a member.
    ///
    /// Each quote that is not escaped is tried, since the text around JSON may have quotes of its own.
    private mutating func scanLiteral() {
        guard let close = JSONLiteral.end(in: bytes, openedAt: index) else {
            index += 1
            return
        }
        let (open, colon) = (index, place(after: close))
        if colon < bytes.count, bytes[colon] == .colon {
            let name = string(open...close)
            index = redaction.isSecret(member: name) ? hideValue(at: place(after: colon), of: name) : close + 1
        } else if let replacement = redactEscaped(open...close) {
            edits.append(Edit(range: open..<close + 1, replacement: replacement))
            index = close + 1
        } else {
            index += 1
        }
    }

    /// A string with escapes, without the secrets in its text, such as those of JSON in a string; `nil` if it has none.
    private mutating func redactEscaped(_ literal: ClosedRange<Int>) -> [UInt8]? {
        guard depth < 4, bytes[literal].contains(.backslash), let text = JSONLiteral.decode(bytes[literal]) else {
            return nil
        }
        let redacted = Self.redact(text, as: .text, redaction, depth: depth + 1, &found)
        return redacted == text ? nil : JSONLiteral.encode(redacted)
    }

    /// Hides a value, so that JSON stays JSON with the same types.
    ///
    /// - Returns: The place behind it.
    private mutating func hideValue(at start: Int, of name: String) -> Int {
        guard start < bytes.count else { return start }
        switch bytes[start] {
        case .quote: return hideString(at: start)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return hideStructure(at: start)
        // Numbers of tokens, as language models count them.
        case let byte where JSONLiteral.isNumberByte(byte) && !name.lowercased().hasSuffix("tokens"):
            return hideNumber(at: start)
        default: return start
        }
    }

    private mutating func hideString(at open: Int) -> Int {
        let close = JSONLiteral.end(in: bytes, openedAt: open)
        // A string without an end is hidden up to the end of the line.
        let end = close ?? bytes[open...].firstIndex { $0 == .lineFeed || $0 == .carriageReturn } ?? bytes.count
        hide(open + 1..<end, value: close.map { string(open...$0) } ?? text(open + 1..<end))
        return close.map { $0 + 1 } ?? end
    }

    private mutating func hideNumber(at start: Int) -> Int {
        let end = JSONLiteral.numberEnd(in: bytes, from: start)
        edits.append(Edit(range: start..<end, replacement: [.digitZero]))
        return end
    }

    /// Hides all strings in an object or an array, except for the names of members, and the numbers that are elements
    /// or have names of secrets themselves: the time at which a token expires is not one.
    private mutating func hideStructure(at start: Int) -> Int {
        var (place, depth, hidesNumbers) = (start, 0, true)
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return place + 1 }
            case .quote:
                if let end = endOfName(at: place) {
                    hidesNumbers = redaction.isSecret(member: string(place...end))
                    place = end + 1
                } else {
                    place = hideString(at: place)
                }
                continue
            case let byte where hidesNumbers && (byte.isASCIIDigit || byte == UInt8(ascii: "-")):
                place = hideNumber(at: place)
                continue
            default: break
            }
            place += 1
        }
        return place
    }

    /// The place of the quote behind the name of a member; `nil` if the string is not a name.
    private func endOfName(at open: Int) -> Int? {
        guard let close = JSONLiteral.end(in: bytes, openedAt: open) else { return nil }
        let next = place(after: close)
        return next < bytes.count && bytes[next] == .colon ? close : nil
    }

    private func string(_ literal: ClosedRange<Int>) -> String {
        let inner = bytes[literal].dropFirst().dropLast()
        let decoded = inner.contains(.backslash) ? JSONLiteral.decode(bytes[literal]) : nil
        return String(decoding: decoded ?? Array(inner), as: UTF8.self)
    }

    /// The next place that is not a space.
    private func place(after index: Int) -> Int {
        bytes[(index + 1)...].firstIndex { !$0.isSpaceTabOrLineEnd } ?? bytes.count
    }
}
