// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import WebServiceDSL

/// The reference for `URITemplate`: the grammar of RFC 6570 as a regular expression, and the algorithm of its §3.2.1.
///
/// Of the characters beyond ASCII it knows only a few.
struct ReferenceURITemplate {
    typealias Operator = (first: String, separator: String, isNamed: Bool, ifEmpty: String, keepsReserved: Bool)

    enum Failure: Error {
        case noTemplate
        case prefix
    }

    private static let operators: [Character: Operator] = [
        "+": ("", ",", false, "", true), "#": ("#", ",", false, "", true), ".": (".", ".", false, "", false),
        "/": ("/", "/", false, "", false), ";": (";", ";", true, "", false), "?": ("?", "&", true, "=", false),
        "&": ("&", "&", true, "=", false),
    ]

    private let grammar: Regex<AnyRegexOutput>

    init() throws {
        let character = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})"
        let variable = "\(character)(?:\\.?\(character))*(?:\\*|:[1-9][0-9]{0,3})?"
        let expression = "\\{[+#./;?&]?\(variable)(?:,\(variable))*\\}"
        let literal = "[!#$&'()*+,\\-./0-9:;=?@A-Z\\[\\]_a-z~é\u{301}𝄞]"
        grammar = try Regex("(?:\(literal)|%[0-9A-Fa-f]{2}|\(expression))*").matchingSemantics(.unicodeScalar)
    }

    func expand(_ text: String, _ variables: [String: URITemplate.Value]) throws -> String {
        guard try grammar.wholeMatch(in: text) != nil else { throw Failure.noTemplate }
        var result = ""
        for (index, piece) in text.unicodeScalars.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
            let parts = piece.split(separator: "}", omittingEmptySubsequences: false).map { String($0) }
            if index > 0 { result += try Self.expand(expression: parts[0], variables) }
            result += Self.encode(parts[index > 0 ? 1 : 0], keepsReserved: true)
        }
        return result
    }

    private static func expand(expression: String, _ variables: [String: URITemplate.Value]) throws -> String {
        let found = expression.first.flatMap { operators[$0] }
        let style = found ?? ("", ",", false, "", false)
        let list = found == nil ? expression[...] : expression.dropFirst()
        let texts = try list.split(separator: ",").compactMap { specification -> String? in
            let name = specification.prefix { $0 != ":" && $0 != "*" }
            guard let value = variables[String(name)] else { return nil }
            return try expand(String(name), modifier: specification.dropFirst(name.count), value: value, style)
        }
        return texts.isEmpty ? "" : style.first + texts.joined(separator: style.separator)
    }

    private static func expand(
        _ name: String,
        modifier: Substring,
        value: URITemplate.Value,
        _ style: Operator
    ) throws -> String? {
        func encoded(_ text: String) -> String { encode(text, keepsReserved: style.keepsReserved) }
        func named(_ name: String, _ text: String) -> String {
            style.isNamed ? name + (text.isEmpty ? style.ifEmpty : "=" + encoded(text)) : encoded(text)
        }
        let values: [(name: String?, text: String)]
        switch value {
        case .text(let text):
            let characters = characters(of: text, keepsTriplets: style.keepsReserved)
            return named(name, characters.prefix(Int(modifier.dropFirst()) ?? .max).joined())
        case .list(let members): values = members.map { (nil, $0) }
        case .pairs(let pairs): values = pairs.map { ($0.name, $0.value) }
        }
        if values.isEmpty { return nil }
        if modifier.first == ":" { throw Failure.prefix }
        if modifier.isEmpty {
            let texts = values.flatMap { value in [value.name, value.text].compactMap { $0 } }
            return (style.isNamed ? name + "=" : "") + texts.map(encoded).joined(separator: ",")
        }
        return values.map { value in
            guard let key = value.name else { return named(name, value.text) }
            return style.isNamed ? named(encoded(key), value.text) : encoded(key) + "=" + encoded(value.text)
        }.joined(separator: style.separator)
    }

    private static func encode(_ text: String, keepsReserved: Bool) -> String {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        let allowed = Set((keepsReserved ? letters + ":/?#[]@!$&'()*+,;=" : letters).unicodeScalars.map { String($0) })
        return characters(of: text, keepsTriplets: keepsReserved).map { character in
            if allowed.contains(character) || character.unicodeScalars.count > 1 { return character }
            return character.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        }.joined()
    }

    /// The Unicode scalars of the text; with `keepsTriplets`, the triplets that encode one are one element.
    private static func characters(of text: String, keepsTriplets: Bool) -> [String] {
        var result: [String] = []
        var rest = text.unicodeScalars.map { String($0) }[...]
        while !rest.isEmpty {
            let counts = keepsTriplets ? [12, 9, 6, 3].filter { isCharacter(rest.prefix($0), count: $0) } : []
            result.append(rest.prefix(counts.first ?? 1).joined())
            rest = rest.dropFirst(counts.first ?? 1)
        }
        return result
    }

    /// Whether the text is of triplets that encode one Unicode scalar, or is a single triplet.
    private static func isCharacter(_ text: ArraySlice<String>, count: Int) -> Bool {
        let starts = stride(from: text.startIndex, to: text.endIndex, by: 3)
        let bytes = starts.compactMap { start -> UInt8? in
            let digits = text[start...].dropFirst().prefix(2).joined()
            return text[start] == "%" ? UInt8(digits, radix: 16) : nil
        }
        guard text.count == count, bytes.count * 3 == count else { return false }
        return count == 3 || String(validating: bytes, as: UTF8.self)?.unicodeScalars.count == 1
    }
}
