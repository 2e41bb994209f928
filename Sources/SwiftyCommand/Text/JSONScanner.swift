// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Reads JSON text token by token and checks that it is well formed (RFC 8259), without converting it to values: large
/// numbers keep their digits, and names keep their order and repetitions.
struct JSONScanner {
    enum Token: Equatable {
        case open(UInt8)
        case close(UInt8)
        case comma
        case colon
        case name
        case string
        case number
        case literal
    }

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

    private static let maximumDepth = 512

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// All tokens with their ranges; `nil` if the text is not JSON.
    static func tokens(of bytes: [UInt8]) -> [(token: Token, range: Range<Int>)]? {
        var scanner = JSONScanner(bytes[...])
        var result: [(Token, Range<Int>)] = []
        while scanner.skipBlanks() {
            guard let next = scanner.next() else { return nil }
            result.append(next)
        }
        guard case .nothing = scanner.expectation else { return nil }
        return result
    }

    /// Skips white space. Returns whether any bytes are left.
    private mutating func skipBlanks() -> Bool {
        while position < bytes.endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
        return position < bytes.endIndex
    }

    private mutating func next() -> (Token, Range<Int>)? {
        let start = position
        guard let token = scan(bytes[position]) else { return nil }
        return (token, start..<position)
    }

    private mutating func scan(_ byte: UInt8) -> Token? {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte)
        case UInt8(ascii: ","): comma()
        case UInt8(ascii: ":"): colon()
        case UInt8(ascii: "\""): quoted()
        default: value(byte)
        }
    }

    private var awaitsValue: Bool {
        switch expectation {
        case .value, .valueOrEnd: true
        default: false
        }
    }

    private mutating func open(_ byte: UInt8) -> Token? {
        guard awaitsValue, nesting.count < Self.maximumDepth else { return nil }
        nesting.append(byte)
        expectation = byte == UInt8(ascii: "{") ? .nameOrEnd : .valueOrEnd
        position += 1
        return .open(byte)
    }

    private mutating func close(_ byte: UInt8) -> Token? {
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
        return .close(byte)
    }

    private mutating func comma() -> Token? {
        guard case .commaOrEnd = expectation, let innermost = nesting.last else { return nil }
        expectation = innermost == UInt8(ascii: "{") ? .name : .value
        position += 1
        return .comma
    }

    private mutating func colon() -> Token? {
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
    private mutating func quoted() -> Token? {
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

    private mutating func endQuoted() -> Token? {
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

    private mutating func value(_ byte: UInt8) -> Token? {
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
