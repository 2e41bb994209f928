// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension JSONPointer {
    /// The error of a text that is not a JSON Pointer.
    public struct ValidationError: Error, Sendable, Hashable {
        /// The reason, as a part of a sentence. It repeats nothing of the text.
        public let reason: String
    }

    /// Parses the text form of a pointer (RFC 6901 §3).
    ///
    /// The form for a fragment of a URI (RFC 6901 §6), which begins with `#`, is not accepted.
    ///
    /// - Throws: ``ValidationError`` if the text is not empty and does not begin with `/`, and for a `~` that is
    ///   followed neither by `0` nor by `1`.
    public init(parsing text: String) throws(ValidationError) {
        guard let first = text.utf8.first else {
            self.init([])
            return
        }
        guard first == UInt8(ascii: "/") else {
            throw ValidationError(reason: "it is not empty and does not begin with /")
        }
        // By bytes, because a combining mark and a slash before it are one character.
        let parts = text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        self.init(try parts.map { part throws(ValidationError) in try Self.unescaped(part) })
    }

    /// A token without `~0` and `~1`.
    private static func unescaped(_ token: Substring.UTF8View) throws(ValidationError) -> String {
        var bytes: [UInt8] = []
        var rest = token.makeIterator()
        while let byte = rest.next() {
            bytes.append(byte == UInt8(ascii: "~") ? try escapedByte(rest.next()) : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The byte for which a `~` and its next byte stand.
    private static func escapedByte(_ code: UInt8?) throws(ValidationError) -> UInt8 {
        switch code {
        case UInt8(ascii: "0"): UInt8(ascii: "~")
        case UInt8(ascii: "1"): UInt8(ascii: "/")
        default: throw ValidationError(reason: "it has a ~ that is followed neither by 0 nor by 1")
        }
    }

    /// A token as the text form has it.
    static func escaped(_ token: String) -> String {
        var text = ""
        for scalar in token.unicodeScalars {
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension JSONPointer: Codable {
    /// Decodes the text form.
    ///
    /// - Throws: `DecodingError` for a value that is not a string, and for a string that is not a pointer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(ValidationError) {
            try self.init(parsing: text)
        } catch {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "The text is not a JSON Pointer: \(error.reason)."
            )
        }
    }

    /// Encodes the text form.
    ///
    /// - Throws: `EncodingError` for an invalid literal.
    public func encode(to encoder: any Encoder) throws {
        try check(at: encoder.codingPath)
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Throws an `EncodingError` if the pointer was made of an invalid literal.
    func check(at codingPath: [any CodingKey]) throws {
        do throws(ValidationError) {
            _ = try validTokens()
        } catch {
            let reason = "\"\(description)\" is not a JSON Pointer: \(error.reason)."
            let context = EncodingError.Context(
                codingPath: codingPath,
                debugDescription: reason,
                underlyingError: error
            )
            throw EncodingError.invalidValue(self, context)
        }
    }
}
