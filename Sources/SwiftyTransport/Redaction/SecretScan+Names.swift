// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

// Names and the values after them, in any syntax: `name=value`, `name: value`, `"name": "value"`, `name => 'value'`.
extension SecretScan {
    /// Reads a run of bytes that a name or a token may consist of, and its value if it is a name.
    mutating func scanName() {
        let start = index
        let end = self.end(from: start) { !Self.isNameByte($0) }
        if let token = token(in: start..<end) {
            hide(token)
            index = token.upperBound
            return
        }
        index = end
        if end - start <= 200, let sign = sign(after: end) {
            scanValue(of: start..<end, sign)
        } else if bytes[start..<end].contains(UInt8(ascii: "%")) {
            _ = replaceDecoded(start..<end)
        }
    }

    /// A token with a known form in a run of bytes.
    private func token(in run: Range<Int>) -> Range<Int>? {
        for place in run where Self.mayBeginToken(bytes[place]) && isBoundary(place, run.lowerBound) {
            if let token = token(at: place) { return token }
        }
        return nil
    }

    private func isBoundary(_ place: Int, _ start: Int) -> Bool {
        if place == start || ".+[]$".utf8.contains(bytes[place - 1]) { return true }
        return place - start >= 3 && bytes[place - 3] == UInt8(ascii: "%")
    }

    // MARK: - Signs

    /// The sign that assigns a value to a name.
    struct Sign {
        /// `:`, or one of `=`, `=>` and `:=`.
        var isColon: Bool
        /// The offset after it and the blanks that follow.
        var end: Int
        /// Whether blanks precede it.
        var isApart: Bool
        /// Whether the line ends after it.
        var endsLine: Bool
    }

    /// The sign after a name and the quote that closes it; `nil` if there is none.
    private func sign(after nameEnd: Int) -> Sign? {
        let name = nameEnd + (quoteMark(at: nameEnd)?.count ?? 0)
        let place = self.end(from: name) { !$0.isSpaceOrTab }
        guard place < limit else { return nil }
        let length: Int
        switch bytes[place] {
        case .colon:
            if has("://", at: place) || has("::", at: place) { return nil }
            length = has(":=", at: place) ? 2 : 1
        case .equalsSign:
            if has("==", at: place) { return nil }
            length = has("=>", at: place) ? 2 : 1
        default: return nil
        }
        let end = self.end(from: place + length) { !$0.isSpaceOrTab }
        let endsLine = end >= limit || bytes[end] == .lineFeed || bytes[end] == .carriageReturn
        let isColon = bytes[place] == .colon && length == 1
        return Sign(isColon: isColon, end: end, isApart: place > name, endsLine: endsLine)
    }

    // MARK: - Values

    private mutating func scanValue(of name: Range<Int>, _ sign: Sign) {
        let kind = kind(of: name)
        guard let kind, !sign.endsLine else { return scanPlainValue(of: name, sign, kind) }
        if let mark = quoteMark(at: sign.end) { return hideQuoted(at: sign.end, mark, kind) }
        if sign.isColon, "{[".utf8.contains(bytes[sign.end]) {
            if kind == .clear { index = hideStructure(at: sign.end) }
            return
        }
        hideUnquoted(name, sign: sign, kind: kind)
    }

    private mutating func hideUnquoted(_ name: Range<Int>, sign: Sign, kind: SecretKind) {
        // Words of a sentence: `token = x` is an assignment, `the token : x` is not.
        if sign.isApart, kind != .clear || sign.isColon { return }
        guard
            hidesAll(of: name, sign, kind)
                || Self.looksRandom(bytes[sign.end..<endOfValue(name, sign: sign, maximum: 256)])
        else {
            return
        }
        let value = sign.end..<endOfValue(name, sign: sign, maximum: limit)
        if sign.isColon, value.count < 10, Self.literals.contains(text(value)) { return }
        let isWord = sign.isColon && bytes[value].allSatisfy { $0.isASCIILetter && $0 & 0x20 != 0 }
        // A word of a sentence is hidden here, but is not a secret elsewhere.
        if isWord { replace(value, by: Self.placeholder) } else { hide(value, value: decodedValue(value)) }
        index = max(index, value.upperBound)
    }

    /// The kind of a name; in a tag, and below a name in YAML, also that of `value`.
    private mutating func kind(of name: Range<Int>) -> SecretKind? {
        if names.kind(of: text(name)) == nil, markup.isSecret(index), Self.isValueName(text(name)) { return .clear }
        if pairs.isLineSecret, text(name).lowercased() == "value", isLineStart(name.lowerBound) {
            pairs.isLineSecret = false
            return .clear
        }
        return names.kind(of: text(name))
    }

    /// Continues with the value of a plain name, which may itself contain secrets.
    private mutating func scanPlainValue(of name: Range<Int>, _ sign: Sign, _ kind: SecretKind?) {
        guard !sign.endsLine, kind == nil else { return }
        if sign.isColon { return noteLineName(name, sign) }
        if quoteMark(at: sign.end) != nil { return }
        // A parameter within the value of another one was read with that value.
        guard sign.end >= decodedEnd else { return }
        let value = sign.end..<endOfParameter(name, sign)
        decodedEnd = value.upperBound
        if bytes[value].contains(UInt8(ascii: "%")), replaceDecoded(value) { index = value.upperBound }
    }

    /// Records `- name: DB_PASSWORD` in YAML, where the next line has the value.
    private mutating func noteLineName(_ name: Range<Int>, _ sign: Sign) {
        guard isLineStart(name.lowerBound), ["name", "key"].contains(text(name).lowercased()) else { return }
        let end = self.end(from: sign.end) { $0 <= .space }
        guard end - sign.end <= 200 else { return }
        pairs.isLineSecret = names.kind(of: text(sign.end..<end)) != nil
    }

    /// Whether any value is hidden, and not only one that looks like a secret.
    private func hidesAll(of name: Range<Int>, _ sign: Sign, _ kind: SecretKind) -> Bool {
        switch kind {
        case .clear: true
        case .short: !sign.isColon || isLineStart(name.lowerBound)
        case .common: !sign.isColon && isParameter(name.lowerBound)
        }
    }

    private static let literals: Set<String> = ["null", "true", "false", "nil", "None", "undefined", "~"]

    /// Whether a name is that of a parameter: after `?`, `&`, `#` or `;`.
    private func isParameter(_ start: Int) -> Bool {
        guard start > 0 else { return false }
        return "?&#;".utf8.contains(bytes[start - 1])
    }

    /// Whether a value looks like a token, and not like a word, a number or the name of a thing.
    static func looksRandom(_ value: ArraySlice<UInt8>) -> Bool {
        guard value.count >= 16, value.count <= 4096,
            value.allSatisfy({ Self.isTokenByte($0) || "+/=%~".utf8.contains($0) })
        else { return false }
        let alphanumeric = value.filter(\.isASCIILetterOrDigit)
        let changes = zip(alphanumeric, alphanumeric.dropFirst()).count { $0.isASCIIDigit != $1.isASCIIDigit }
        return changes >= 4
    }
}
