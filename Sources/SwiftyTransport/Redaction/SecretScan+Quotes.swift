// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

// Values in quotes of any kind.
extension SecretScan {
    /// The quote at an offset: `"`, `'` or a backtick, also three of them, or after backslashes, as within a string, or
    /// as an HTML entity.
    func quoteMark(at start: Int) -> ArraySlice<UInt8>? {
        guard start < limit else { return nil }
        if bytes[start] == UInt8(ascii: "&") { return entity(at: start) }
        var place = start
        while place < limit, place - start < 16, bytes[place] == .backslash { place += 1 }
        guard place < limit, "\"'`".utf8.contains(bytes[place]) else { return nil }
        let isTriple =
            place == start && bytes[start..<limit].prefix(3).elementsEqual(Array(repeating: bytes[start], count: 3))
        return bytes[start...(isTriple ? start + 2 : place)]
    }

    private func entity(at start: Int) -> ArraySlice<UInt8>? {
        for text: StaticString in ["&quot;", "&apos;"] where has(text, at: start) {
            return bytes[start..<start + text.utf8CodeUnitCount]
        }
        return numericEntity(at: start)
    }

    /// `&#34;` or `&#39;`, also in hexadecimal digits, and with leading zeros.
    private func numericEntity(at start: Int) -> ArraySlice<UInt8>? {
        guard has("&#", at: start) else { return nil }
        var place = start + 2
        let isHexadecimal = place < limit && bytes[place] | 0x20 == UInt8(ascii: "x")
        if isHexadecimal { place += 1 }
        while place < limit, place - start < 16, bytes[place] == .digitZero { place += 1 }
        let digits: [StaticString] = isHexadecimal ? ["22;", "27;"] : ["34;", "39;"]
        return digits.contains { has($0, at: place) } ? bytes[start..<place + 3] : nil
    }

    /// Hides what is in quotes; without the closing one, the rest of the line, or of the text after three quotes. For a
    /// common name, only a value that looks random.
    mutating func hideQuoted(at start: Int, _ mark: ArraySlice<UInt8>, _ kind: SecretKind) {
        let content = start + mark.count
        let close = endOfQuoted(from: content, mark)
        let end = close ?? (Self.isTriple(mark) ? limit : endOfLine(from: content))
        index = content
        if kind == .common, !Self.looksRandom(bytes[content..<end]) { return }
        hide(content..<end, value: unescaped(content..<end))
        index = close.map { $0 + mark.count } ?? end
    }

    /// The offset of the mark that closes the value: the same quote with as many backslashes, and with none that
    /// escapes it. In a string that is itself in a string, an escaped backslash has four.
    ///
    /// The value may have several lines, such as those of a key, if it is not too long: else the mark after it is more
    /// likely one that opens another value.
    private func endOfQuoted(from start: Int, _ mark: ArraySlice<UInt8>) -> Int? {
        let depth = mark.prefix { $0 == .backslash }.count
        let quote = mark.dropFirst(depth)
        let isTriple = Self.isTriple(mark)
        var (place, isFirstLine) = (start, true)
        while place < limit, isFirstLine || isTriple || place - start < Self.maximumLength {
            let next = end(from: place) { $0 != .backslash }
            guard next < limit else { return nil }
            let isEscaped = (next - place) % (2 * (depth + 1)) != depth
            if !isEscaped, bytes[next..<limit].starts(with: quote) {
                if !isDoubled(mark, at: next) { return next - depth }
                place = next + 2
            } else {
                if bytes[next] == .lineFeed || bytes[next] == .carriageReturn { isFirstLine = false }
                place = next + 1
            }
        }
        return nil
    }

    /// The number of bytes of the longest value with several lines: a private key of 4,096 bits and its certificate.
    private static let maximumLength = 8192

    private static func isTriple(_ mark: ArraySlice<UInt8>) -> Bool { mark.count == 3 && Set(mark).count == 1 }

    /// Whether a quote stands for itself, as in SQL, YAML and CSV: `'it''s'`.
    private func isDoubled(_ mark: ArraySlice<UInt8>, at place: Int) -> Bool {
        mark.count == 1 && place + 1 < limit && bytes[place + 1] == mark.first
    }

    func endOfLine(from start: Int) -> Int {
        end(from: start) { $0 == .lineFeed || $0 == .carriageReturn }
    }

    func unescaped(_ range: Range<Int>) -> String {
        guard bytes[range].contains(.backslash) else { return text(range) }
        let literal = [UInt8.quote] + bytes[range] + [UInt8.quote]
        return JSONString.decode(literal[...]).map { String(decoding: $0, as: UTF8.self) } ?? text(range)
    }
}
