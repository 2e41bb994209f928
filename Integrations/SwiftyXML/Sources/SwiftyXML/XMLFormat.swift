// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import WebServiceDSL
public import XMLCoder

public import struct Foundation.Data

/// Content as XML, by XMLCoder.
///
///     enum Orders: WebService {
///         static let serverURL = "https://orders.example.com"
///         static let networkInterface: any NetworkInterface = Swifty.shared
///         static let format: any ContentFormat = .xml(rootKey: "order")
///     }
///
/// Names, attributes, dates and so on are as the coders say that XMLCoder documents. External entities are not
/// resolved.
public struct XMLFormat: ContentFormat {
    /// A closure that sets the strategies of an encoder. It is called for each value.
    public typealias EncoderSetup = @Sendable (XMLEncoder) -> Void
    /// A closure that sets the strategies of a decoder. It is called for each value.
    public typealias DecoderSetup = @Sendable (XMLDecoder) -> Void

    private let rootKey: String?
    private let setUpEncoder: EncoderSetup
    private let setUpDecoder: DecoderSetup

    /// `application/xml` (RFC 7303).
    public var mediaType: String { "application/xml" }

    /// Makes a format.
    ///
    /// - Parameters:
    ///   - rootKey: The name of the outermost element of what is sent; that of the value's type if `nil`.
    ///   - encoder: Sets the strategies of the encoder.
    ///   - decoder: Sets the strategies of the decoder.
    public init(
        rootKey: String? = nil,
        encoder: @escaping EncoderSetup = { _ in },
        decoder: @escaping DecoderSetup = { _ in }
    ) {
        self.rootKey = rootKey
        setUpEncoder = encoder
        setUpDecoder = decoder
    }

    /// Encodes a value as a document in UTF-8, with a declaration.
    public func encode(_ value: some Encodable) throws -> Data {
        let encoder = XMLEncoder()
        setUpEncoder(encoder)
        return try encoder.encode(value, withRootKey: rootKey, header: XMLHeader(version: 1.0, encoding: "UTF-8"))
    }

    /// Decodes the outermost element of a document, whatever its name.
    public func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws -> Value {
        let decoder = XMLDecoder()
        decoder.shouldProcessNamespaces = false
        setUpDecoder(decoder)
        return try decoder.decode(type, from: content)
    }
}

extension ContentFormat where Self == XMLFormat {
    /// XML with the strategies that XMLCoder has by default.
    public static var xml: XMLFormat { XMLFormat() }

    /// XML whose outermost element has a name, with the strategies that the closures set.
    public static func xml(
        rootKey: String? = nil,
        encoder: @escaping XMLFormat.EncoderSetup = { _ in },
        decoder: @escaping XMLFormat.DecoderSetup = { _ in }
    ) -> XMLFormat {
        XMLFormat(rootKey: rootKey, encoder: encoder, decoder: decoder)
    }
}
