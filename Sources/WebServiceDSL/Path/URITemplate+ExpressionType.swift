// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension URITemplate {
    /// The type of an expression, with its operator as raw value (RFC 6570 §3.2.1 and appendix A).
    enum ExpressionType: String, Sendable, Hashable {
        case simple = ""
        case reserved = "+"
        case fragment = "#"
        case label = "."
        case pathSegment = "/"
        case parameter = ";"
        case query = "?"
        case queryContinuation = "&"
    }
}

extension URITemplate.ExpressionType {
    /// Makes the type of an operator; `nil` for any other byte.
    init?(operator byte: UInt8) {
        self.init(rawValue: String(Unicode.Scalar(byte)))
    }

    /// The text before the first defined variable.
    var first: String { self == .reserved ? "" : rawValue }

    /// The text between variables, and between the elements of an exploded one.
    var separator: String {
        switch self {
        case .simple, .reserved, .fragment: ","
        case .query, .queryContinuation: "&"
        case .label, .pathSegment, .parameter: rawValue
        }
    }

    /// Whether the name of a variable is before its value.
    var isNamed: Bool { self == .parameter || self == .query || self == .queryContinuation }

    /// Whether reserved characters and percent-encoded triplets of values stay as they are.
    private var keepsReserved: Bool { self == .reserved || self == .fragment }

    /// The percent-encoded form of a value, or of the name in a pair.
    func encode(_ value: String) -> String {
        keepsReserved ? PercentEncoding.encodeIllegal(in: value, allowed: .uri) : PercentEncoding.encode(value)
    }

    /// The first characters of a value (RFC 6570 §2.4.1).
    func prefix(of value: String, length: Int) -> String {
        if !keepsReserved { return String(String.UnicodeScalarView(value.unicodeScalars.prefix(length))) }
        var rest = Array(value.utf8)[...]
        for _ in 0..<length where !rest.isEmpty { rest = rest.dropFirst(Self.width(ofFirst: rest)) }
        return String(decoding: value.utf8.prefix(rest.startIndex), as: UTF8.self)
    }

    /// The number of bytes of the first character: those of its UTF-8, or those of the triplets that encode it.
    private static func width(ofFirst bytes: ArraySlice<UInt8>) -> Int {
        if bytes.leadingTriplet == nil { return 1 + bytes.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count }
        var triplets = sequence(state: bytes) { rest in
            defer { rest = rest.dropFirst(3) }
            return rest.leadingTriplet
        }
        var parser = UTF8.ForwardParser()
        guard case .valid(let character) = parser.parseScalar(from: &triplets) else { return 3 }
        return 3 * character.count
    }
}

extension ArraySlice<UInt8> {
    /// The byte of the percent-encoded triplet that begins the text; `nil` if there is none.
    var leadingTriplet: UInt8? {
        guard first == UInt8(ascii: "%"), let high = dropFirst().first?.hexadecimalValue,
            let low = dropFirst(2).first?.hexadecimalValue
        else { return nil }
        return high << 4 | low
    }
}
