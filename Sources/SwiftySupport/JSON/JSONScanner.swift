// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A token of JSON text and its offsets.
package struct JSONToken: Sendable {
    package enum Kind: Sendable {
        case open
        case close
        case comma
        case colon
        case name
        case string
        case number
        case literal
    }

    package let kind: Kind
    package let range: Range<Int>
}

/// Reads JSON text token by token and checks that it is well formed (RFC 8259), up to the first mistake.
package struct JSONScanner: Sequence, IteratorProtocol {
    /// The tokens that may come next.
    private enum Expectation {
        case value
        case valueOrEnd
        case nameOrEnd
        case name
        case colon
        case commaOrEnd
        case nothing
    }

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var expectation = Expectation.value
    private var nesting: [UInt8] = []
    private var isInvalid = false

    private static let maximumDepth = 512

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Whether the tokens that were read are all of the text, and the text is valid.
    package var isComplete: Bool { position == bytes.endIndex && expectation == .nothing && !isInvalid }

    /// The offset of the first byte that is no part of valid text; that of the end if the text is cut off. `nil` if the
    /// text is valid. Reads all of it.
    package mutating func firstMistake() -> Int? {
        var end = position
        while let token = next() { end = token.range.upperBound }
        if isComplete { return nil }
        position = end
        skipBlanks()
        return position
    }

    /// The next token; `nil` at the end and after a mistake.
    package mutating func next() -> JSONToken? {
        skipBlanks()
        guard position < bytes.endIndex, !isInvalid else { return nil }
        let start = position
        guard let kind = scan(bytes[position]) else {
            isInvalid = true
            return nil
        }
        return JSONToken(kind: kind, range: start..<position)
    }

    private mutating func skipBlanks() {
        while position < bytes.endIndex, bytes[position].isSpaceTabOrLineEnd { position += 1 }
    }

    private mutating func scan(_ byte: UInt8) -> JSONToken.Kind? {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte)
        case UInt8(ascii: ","): comma()
        case UInt8(ascii: ":"): colon()
        case UInt8(ascii: "\""): quoted()
        default: value(byte)
        }
    }

    private var awaitsValue: Bool { expectation == .value || expectation == .valueOrEnd }

    private mutating func open(_ byte: UInt8) -> JSONToken.Kind? {
        guard awaitsValue, nesting.count < Self.maximumDepth else { return nil }
        nesting.append(byte)
        expectation = byte == UInt8(ascii: "{") ? .nameOrEnd : .valueOrEnd
        position += 1
        return .open
    }

    private mutating func close(_ byte: UInt8) -> JSONToken.Kind? {
        let isObject = byte == UInt8(ascii: "}")
        guard let opened = nesting.popLast(), (opened == UInt8(ascii: "{")) == isObject else { return nil }
        switch expectation {
        case .commaOrEnd: break
        case .nameOrEnd where isObject: break
        case .valueOrEnd where !isObject: break
        default: return nil
        }
        endValue()
        position += 1
        return .close
    }

    private mutating func comma() -> JSONToken.Kind? {
        guard case .commaOrEnd = expectation, let innermost = nesting.last else { return nil }
        expectation = innermost == UInt8(ascii: "{") ? .name : .value
        position += 1
        return .comma
    }

    private mutating func colon() -> JSONToken.Kind? {
        guard case .colon = expectation else { return nil }
        expectation = .value
        position += 1
        return .colon
    }

    private mutating func endValue() {
        expectation = nesting.isEmpty ? .nothing : .commaOrEnd
    }
}

extension JSONScanner {
    private mutating func quoted() -> JSONToken.Kind? {
        position += 1
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: "\""): return endQuoted()
            case UInt8(ascii: "\\"): guard skipEscape() else { return nil }
            case 0..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    private mutating func endQuoted() -> JSONToken.Kind? {
        position += 1
        switch expectation {
        case .name, .nameOrEnd:
            expectation = .colon
            return .name
        case .value, .valueOrEnd:
            endValue()
            return .string
        default: return nil
        }
    }

    private mutating func skipEscape() -> Bool {
        guard position + 1 < bytes.endIndex else { return false }
        let kind = bytes[position + 1]
        position += 2
        if kind != UInt8(ascii: "u") { return #""\/bfnrt"#.utf8.contains(kind) }
        let digits = bytes[position...].prefix(4)
        position += digits.count
        return digits.count == 4 && digits.allSatisfy(\.isASCIIHexDigit)
    }

    private mutating func value(_ byte: UInt8) -> JSONToken.Kind? {
        guard awaitsValue else { return nil }
        let word = bytes[position...].prefix { !#" ,]}:[{""#.utf8.contains($0) && $0 > 0x20 }
        position += word.count
        endValue()
        let text = String(decoding: word, as: UTF8.self)
        if ["true", "false", "null"].contains(text) { return .literal }
        return Self.isNumber(word) ? .number : nil
    }

    /// `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`, matched by hand because large documents have many numbers.
    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        var rest = word
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let isZero = rest.first == UInt8(ascii: "0")
        let digits = dropDigits(&rest)
        if digits == 0 || isZero && digits > 1 { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            if dropDigits(&rest) == 0 { return false }
        }
        guard let mark = rest.first else { return true }
        guard "eE".utf8.contains(mark) else { return false }
        rest.removeFirst()
        if let sign = rest.first, "+-".utf8.contains(sign) { rest.removeFirst() }
        return dropDigits(&rest) > 0 && rest.isEmpty
    }

    private static func dropDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
        let count = rest.prefix(while: \.isASCIIDigit).count
        rest = rest.dropFirst(count)
        return count
    }
}
