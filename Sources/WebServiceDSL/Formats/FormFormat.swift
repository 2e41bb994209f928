// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// Content as a form, `application/x-www-form-urlencoded`: the properties of a value as pairs of names and values.
public struct FormFormat: ContentFormat {
    private let encoding: QueryEncoding

    /// `application/x-www-form-urlencoded`.
    public var mediaType: String { "application/x-www-form-urlencoded" }

    /// Makes a format whose pairs are written like query parameters.
    public init(encoding: QueryEncoding = .standard) {
        self.encoding = encoding
    }

    /// Encodes the properties of a value, in their order.
    ///
    /// - Throws: `EncodingError` for a value without a text form; see ``QueryEncoding``.
    public func encode(_ value: some Encodable) throws -> Data {
        do throws(QueryEncodingError) {
            return Data(try encoding.encode(QueryValue.properties(of: value)).utf8)
        } catch {
            let context = EncodingError.Context(codingPath: [], debugDescription: error.reason)
            throw EncodingError.invalidValue(value, context)
        }
    }

    /// Decodes a value from its pairs; see ``QueryParameters/decode(_:encoding:)``.
    public func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws -> Value {
        try QueryParameters(form: content).decode(type, encoding: encoding)
    }
}

extension ContentFormat where Self == FormFormat {
    /// A form, encoded like query parameters in the ``QueryEncoding/standard`` way.
    public static var form: FormFormat { FormFormat() }
}
