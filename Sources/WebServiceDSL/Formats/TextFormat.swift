// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

public import struct Foundation.Data

/// Content that is one text: a string, or a value that a string describes without loss, such as a number.
///
/// Text that arrives may be in any charset that ``NetworkResponse/text()`` knows; text that is sent is UTF-8.
public struct TextFormat: ContentFormat, TextualFormat {
    /// `text/plain; charset=utf-8`.
    public var mediaType: String { "text/plain; charset=utf-8" }

    /// Makes the format.
    public init() {}

    /// Encodes a string, or the description of a `LosslessStringConvertible` value.
    ///
    /// - Throws: `EncodingError` for any other value.
    public func encode(_ value: some Encodable) throws -> Data {
        guard let text = value as? any LosslessStringConvertible else {
            let context = EncodingError.Context(codingPath: [], debugDescription: "the value is no text")
            throw EncodingError.invalidValue(value, context)
        }
        return Data(text.description.utf8)
    }

    /// Decodes a string, or a `LosslessStringConvertible` value from its description, around which may be white space.
    ///
    /// - Throws: `DecodingError` for any other type, and for text that does not describe such a value.
    public func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws -> Value {
        guard let text = String(validating: content, as: UTF8.self) else { throw Self.error("not UTF-8") }
        if let text = text as? Value { return text }
        guard let type = type as? any LosslessStringConvertible.Type else {
            throw Self.error("no type that text describes")
        }
        let trimmed = String(text.trimming(\.isWhitespace))
        guard let value = type.init(trimmed) as? Value else { throw Self.error("not such a value") }
        return value
    }

    private static func error(_ fact: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: fact))
    }
}

extension ContentFormat where Self == TextFormat {
    /// One text.
    public static var text: TextFormat { TextFormat() }
}
