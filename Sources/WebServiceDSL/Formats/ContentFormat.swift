// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// A format of content: how values become bytes, and bytes become values.
///
///     enum Tickets: WebService {
///         static let serverURL = "https://tickets.example.com"
///         static let networkInterface: any NetworkInterface = Swifty.shared
///         static let format: any ContentFormat = .json { $0.keys = .snakeCase; $0.dates = .iso8601 }
///     }
///
/// A ``WebService`` has one format, and a request may have another: ``ModifiableResource/format(_:)``. Ready made are
/// ``JSONFormat``, ``PropertyListFormat``, ``FormFormat`` and ``TextFormat``. Your format has two functions:
///
///     struct MessagePack: ContentFormat {
///         let mediaType = "application/vnd.msgpack"
///         func encode(_ value: some Encodable) throws -> Data { try MessagePackEncoder().encode(value) }
///         func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws -> Value {
///             try MessagePackDecoder().decode(type, from: content)
///         }
///     }
public protocol ContentFormat: Sendable {
    /// The media type (RFC 9110 §8.3.1) of content in this format: the `Content-Type` of what is encoded, unless the
    /// request has one.
    var mediaType: String { get }

    /// The `Accept` (RFC 9110 §12.5.1) of a request whose response is decoded, unless the request has one; by default
    /// the ``mediaType`` without its parameters. `nil` sends none.
    var acceptedMediaTypes: String? { get }

    /// Encodes a value as content.
    ///
    /// - Throws: Any error; the load fails with ``SwiftyError/Code/encodingFailed``.
    func encode(_ value: some Encodable) throws -> Data

    /// Decodes the value of content that is not empty.
    ///
    /// - Throws: Any error, best a `DecodingError`, whose path the load's error names; the load fails with
    ///   ``SwiftyError/Code/decodingFailed``.
    func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws -> Value
}

extension ContentFormat {
    /// The default: the media type without its parameters.
    public var acceptedMediaTypes: String? { MediaType.essence(of: mediaType) }
}

/// A format whose content is text: it is converted to UTF-8 first, if the response names another charset.
protocol TextualFormat: ContentFormat {}
