// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension URITemplate {
    /// The grammar of RFC 6570 §2, read from left to right; the first fault ends it.
    struct Parser {
        typealias ParseError = URITemplate.ParseError

        private let bytes: [UInt8]

        init(_ text: String) {
            bytes = Array(text.utf8)
        }

        func parts() throws(ParseError) -> [Part] {
            var parts: [Part] = []
            var rest = bytes[...]
            while let first = rest.first {
                if first == UInt8(ascii: "{") {
                    let content = try contentOfExpression(rest)
                    parts.append(.expression(try expression(content)))
                    rest = bytes[content.endIndex...].dropFirst()
                } else {
                    let literal = rest.prefix { $0 != UInt8(ascii: "{") }
                    parts.append(.literal(try encodedLiteral(literal)))
                    rest = bytes[literal.endIndex...]
                }
            }
            return parts
        }
    }
}

// MARK: Literals (§2.1)

extension URITemplate.Parser {
    private func encodedLiteral(_ literal: ArraySlice<UInt8>) throws(ParseError) -> String {
        let text = String(decoding: literal, as: UTF8.self)
        var offset = literal.startIndex
        for character in text.unicodeScalars {
            if let kind = fault(of: character, at: offset) { throw ParseError(kind, at: offset) }
            offset += UTF8.width(character)
        }
        return PercentEncoding.encodeIllegal(in: text, allowed: .uri)
    }

    private func fault(of character: Unicode.Scalar, at offset: Int) -> ParseError.Kind? {
        switch character {
        case "}": .unopenedExpression
        case "%": bytes[offset...].leadingTriplet == nil ? .incompleteTriplet : nil
        default: Self.isAllowed(character) ? nil : .forbiddenCharacter
        }
    }

    /// Whether a literal may have a character: `literals` without `pct-encoded`. Erratum 6937 of RFC 6570 added the
    /// apostrophe, which makes the ASCII characters those of a URI.
    private static func isAllowed(_ character: Unicode.Scalar) -> Bool {
        if character.isASCII { return PercentEncoding.AllowedBytes.uri.contains(UInt8(ascii: character)) }
        switch character.value {
        // Control characters and noncharacters, `specials`, and the first characters of plane 14: neither `ucschar` nor
        // `iprivate` (RFC 3987 §2.2).
        case 0x80...0x9F, 0xFDD0...0xFDEF, 0xFFF0...0xFFFF, 0xE0000...0xE0FFF: return false
        default: return character.value & 0xFFFF < 0xFFFE
        }
    }
}

// MARK: Expressions (§2.2)

extension URITemplate.Parser {
    /// The bytes between the brace that begins the text and its closing brace.
    private func contentOfExpression(_ text: ArraySlice<UInt8>) throws(ParseError) -> ArraySlice<UInt8> {
        let content = text.dropFirst().prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "{") }
        guard bytes[content.endIndex...].first == UInt8(ascii: "}") else {
            throw ParseError(.unclosedExpression, at: text.startIndex)
        }
        return content
    }

    private func expression(_ content: ArraySlice<UInt8>) throws(ParseError) -> URITemplate.Expression {
        let type = try expressionType(of: content)
        var variables: [URITemplate.Variable] = []
        let list = content.dropFirst(type.rawValue.utf8.count)
        for specification in list.split(separator: .comma, omittingEmptySubsequences: false) {
            variables.append(try variable(specification))
        }
        return URITemplate.Expression(type: type, variables: variables)
    }

    private func expressionType(of content: ArraySlice<UInt8>) throws(ParseError) -> URITemplate.ExpressionType {
        guard let first = content.first else { return .simple }
        if let type = URITemplate.ExpressionType(operator: first) { return type }
        if let kind = Self.operatorFault(of: first) { throw ParseError(kind, at: content.startIndex) }
        return .simple
    }

    /// What is wrong with a byte that is not an operator; `nil` if it begins a variable.
    private static func operatorFault(of byte: UInt8) -> ParseError.Kind? {
        if "=,!@|".utf8.contains(byte) { return .reservedOperator }
        let canBeginVariable = byte.isASCIILetterOrDigit || "_%:*".utf8.contains(byte)
        return canBeginVariable || !(0x21...0x7E).contains(byte) ? nil : .unknownOperator
    }
}

// MARK: Variables (§2.3, §2.4)

extension URITemplate.Parser {
    private func variable(_ text: ArraySlice<UInt8>) throws(ParseError) -> URITemplate.Variable {
        let name = text.prefix { $0 != .colon && $0 != UInt8(ascii: "*") }
        try checkName(name)
        let modifier = try modifier(text[name.endIndex...])
        return URITemplate.Variable(name: String(decoding: name, as: UTF8.self), modifier: modifier)
    }

    /// Checks that a name has letters, digits, `_` and percent-encoded triplets, and only single dots between them.
    private func checkName(_ name: ArraySlice<UInt8>) throws(ParseError) {
        var rest = name
        var needsCharacter = true
        while let byte = rest.first {
            if byte == UInt8(ascii: "%"), rest.leadingTriplet == nil {
                throw ParseError(.incompleteTriplet, at: rest.startIndex)
            }
            guard Self.isNameByte(byte) || byte == UInt8(ascii: ".") && !needsCharacter else {
                throw ParseError(.invalidName, at: rest.startIndex)
            }
            needsCharacter = byte == UInt8(ascii: ".")
            rest = rest.dropFirst(byte == UInt8(ascii: "%") ? 3 : 1)
        }
        if needsCharacter {
            throw ParseError(name.isEmpty ? .missingName : .invalidName, at: name.endIndex)
        }
    }

    /// Whether a byte is one of `varchar`, or begins a triplet.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "%")
    }

    private func modifier(_ text: ArraySlice<UInt8>) throws(ParseError) -> URITemplate.Modifier? {
        let rest = text.dropFirst()
        switch text.first {
        case nil: return nil
        case .colon: return .prefix(try prefixLength(rest))
        default:
            if rest.isEmpty { return .explode }
            throw ParseError(.extraModifier, at: rest.startIndex)
        }
    }

    private func prefixLength(_ text: ArraySlice<UInt8>) throws(ParseError) -> Int {
        let digits = text.prefix { $0.isASCIIDigit }
        guard (1...4).contains(digits.count), digits.first != .digitZero else {
            throw ParseError(.invalidLength, at: text.startIndex)
        }
        if let next = text[digits.endIndex...].first {
            let isModifier = next == .colon || next == UInt8(ascii: "*")
            throw ParseError(isModifier ? .extraModifier : .invalidLength, at: digits.endIndex)
        }
        return digits.reduce(0) { $0 * 10 + Int($1 & 0xF) }
    }
}
