// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

// Values in quotes of any kind.
extension SecretScan {
    /// The quote at an offset: `"`, `'` or a backtick, also after backslashes, as within a string, or as an HTML
    /// entity.
    func quoteMark(at start: Int) -> ArraySlice<UInt8>? {
        guard start < limit else { return nil }
        if bytes[start] == UInt8(ascii: "&") { return entity(at: start) }
        var place = start
        while place < limit, place - start < 16, bytes[place] == .backslash { place += 1 }
        guard place < limit, "\"'`".utf8.contains(bytes[place]) else { return nil }
        return bytes[start...place]
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

    /// Hides what is in quotes; without the closing one, the rest of the line. For a common name, only a value that
    /// looks random.
    mutating func hideQuoted(at start: Int, _ mark: ArraySlice<UInt8>, _ kind: SecretKind) {
        let content = start + mark.count
        let close = endOfQuoted(from: content, mark)
        let end = close ?? self.end(from: content) { $0 == .lineFeed || $0 == .carriageReturn }
        index = content
        if kind == .common, !Self.looksRandom(bytes[content..<end]) { return }
        hide(content..<end, value: unescaped(content..<end))
        index = close.map { $0 + mark.count } ?? end
    }

    /// The offset of the mark that closes the value: the same quote with as many backslashes, and with none that
    /// escapes it. In a string that is itself in a string, an escaped backslash has four.
    private func endOfQuoted(from start: Int, _ mark: ArraySlice<UInt8>) -> Int? {
        let depth = mark.prefix { $0 == .backslash }.count
        let quote = mark.dropFirst(depth)
        var place = start
        while place < limit, bytes[place] != .lineFeed, bytes[place] != .carriageReturn {
            let next = endOfBackslashes(from: place)
            let isEscaped = (next - place) % (2 * (depth + 1)) != depth
            if !isEscaped, next < limit, bytes[next..<limit].starts(with: quote) { return next - depth }
            place = next + 1
        }
        return nil
    }

    private func endOfBackslashes(from start: Int) -> Int {
        end(from: start) { $0 != .backslash }
    }

    func unescaped(_ range: Range<Int>) -> String {
        guard bytes[range].contains(.backslash) else { return text(range) }
        let literal = [UInt8.quote] + bytes[range] + [UInt8.quote]
        return JSONString.decode(literal[...]).map { String(decoding: $0, as: UTF8.self) } ?? text(range)
    }
}
