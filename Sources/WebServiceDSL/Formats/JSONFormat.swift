// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftySupport

/// Content as JSON (RFC 8259), the format of services that name no other.
///
///     static let format: any ContentFormat = .json { $0.keys = .snakeCase; $0.dates = .iso8601 }
///
/// Everything of a service that is JSON uses it: `content(_:)` and `json(_:)`, `decode(_:)`, `jsonLines(_:)`,
/// `events(_:)` and the pages.
public struct JSONFormat: ContentFormat, TextualFormat {
    /// The encoder of what is sent. It is shared by all requests: do not change it.
    public let encoder: JSONEncoder
    /// The decoder of what arrives. It is shared by all requests: do not change it.
    public let decoder: JSONDecoder

    /// Whether the service names no format: then its requests have no `Accept`.
    private let isImplied: Bool

    /// `application/json`.
    public var mediaType: String { "application/json" }

    /// `application/json`; `nil` for the format of a service that names none.
    public var acceptedMediaTypes: String? { isImplied ? nil : mediaType }

    /// Makes a format of a coder for each direction; plain ones by default.
    public init(encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()) {
        self.init(encoder: encoder, decoder: decoder, isImplied: false)
    }

    private init(encoder: JSONEncoder, decoder: JSONDecoder, isImplied: Bool) {
        self.encoder = encoder
        self.decoder = decoder
        self.isImplied = isImplied
    }

    /// The format of a service that names none.
    static func implied(_ encoder: JSONEncoder, _ decoder: JSONDecoder) -> JSONFormat {
        JSONFormat(encoder: encoder, decoder: decoder, isImplied: true)
    }

    /// Encodes a value with the ``encoder``.
    public func encode(_ value: some Encodable) throws -> Data { try encoder.encode(value) }

    /// Decodes a value with the ``decoder``.
    public func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws -> Value {
        try decoder.decode(type, from: content)
    }
}

extension ContentFormat where Self == JSONFormat {
    /// JSON with names and dates as Foundation writes them.
    public static var json: JSONFormat { .plain }

    /// JSON with the options that the closure sets, both for what is sent and for what arrives.
    public static func json(_ configure: (inout JSONFormat.Options) -> Void) -> JSONFormat {
        var options = JSONFormat.Options()
        configure(&options)
        return JSONFormat(encoder: options.encoder, decoder: options.decoder)
    }
}

extension JSONFormat {
    fileprivate static let plain = JSONFormat()

    /// The choices that JSON leaves to a service.
    public struct Options: Sendable {
        /// The form of the names of properties; ``QueryEncoding/KeyStyle/unchanged`` by default. A custom form has no
        /// inverse: names that arrive stay as they are.
        public var keys = QueryEncoding.KeyStyle.unchanged
        /// The form of dates; ``DateStyle/secondsSince2001`` by default, as in a plain `JSONEncoder`.
        public var dates = DateStyle.secondsSince2001
        /// Whether the members of objects are written in sorted order, so that equal values have equal content.
        public var sortsKeys = false
        /// Whether infinite numbers and NaN are the strings `inf`, `-inf` and `nan`; an error otherwise.
        public var allowsNonFiniteNumbers = false

        /// Makes options that are all as in a plain `JSONEncoder` and `JSONDecoder`.
        public init() {}
    }

    /// The form of a `Date`.
    public enum DateStyle: Sendable {
        /// A number of seconds since the beginning of 2001, which is what Foundation writes
        case secondsSince2001
        /// A number of seconds since 1970
        case secondsSince1970
        /// A number of milliseconds since 1970
        case millisecondsSince1970
        /// `2026-01-31T12:00:00Z` (RFC 3339), which is read with a fraction of the second and with any offset as well
        case iso8601
        /// A string that the first closure writes and the second one reads; `nil` if it is no date
        case custom(write: @Sendable (Date) -> String, read: @Sendable (String) -> Date?)
    }
}

extension JSONFormat.Options {
    fileprivate var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        switch keys {
        case .unchanged: break
        case .snakeCase: encoder.keyEncodingStrategy = .convertToSnakeCase
        case .custom(let text):
            encoder.keyEncodingStrategy = .custom { path in PropertyName(path.last.map { text($0.stringValue) } ?? "") }
        }
        encoder.dateEncodingStrategy = dates.encodingStrategy
        if sortsKeys { encoder.outputFormatting.insert(.sortedKeys) }
        if allowsNonFiniteNumbers {
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf",
                negativeInfinity: "-inf",
                nan: "nan"
            )
        }
        return encoder
    }

    fileprivate var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        if case .snakeCase = keys { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        decoder.dateDecodingStrategy = dates.decodingStrategy
        if allowsNonFiniteNumbers {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf",
                negativeInfinity: "-inf",
                nan: "nan"
            )
        }
        return decoder
    }
}

extension JSONFormat.DateStyle {
    fileprivate var encodingStrategy: JSONEncoder.DateEncodingStrategy {
        switch self {
        case .secondsSince2001: .deferredToDate
        case .secondsSince1970: .secondsSince1970
        case .millisecondsSince1970: .millisecondsSince1970
        case .iso8601: .iso8601
        case .custom(let write, _):
            .custom { date, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(write(date))
            }
        }
    }

    fileprivate var decodingStrategy: JSONDecoder.DateDecodingStrategy {
        switch self {
        case .secondsSince2001: .deferredToDate
        case .secondsSince1970: .secondsSince1970
        case .millisecondsSince1970: .millisecondsSince1970
        case .iso8601: Self.strategy("in ISO 8601", Self.date(iso8601:))
        case .custom(_, let read): Self.strategy("in the form of the service", read)
        }
    }

    private static func strategy(
        _ form: String,
        _ read: @escaping @Sendable (String) -> Date?
    ) -> JSONDecoder.DateDecodingStrategy {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = read(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date \(form)")
            }
            return date
        }
    }

    /// Foundation's own strategy drops a fraction of the second, and takes days that a month does not have.
    private static func date(iso8601 text: String) -> Date? {
        TimestampText.date(text) ?? TimestampText.date(withColonInOffset(text))
    }

    /// Some servers write the offset in the basic format: `+0100`.
    private static func withColonInOffset(_ text: String) -> String {
        let offset = text.utf8.suffix(5)
        guard let sign = offset.first, "+-".utf8.contains(sign), offset.dropFirst().isDecimal else { return text }
        return "\(text.dropLast(2)):\(text.suffix(2))"
    }
}

/// The name of a property in a custom style.
private struct PropertyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
