// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The value of a parameter, in the form that a ``QueryEncoding`` takes.
enum QueryValue: Sendable {
    case null
    case bool(Bool)
    case date(Date)
    case text(String)
    case array([QueryValue])
    case object([Member])

    /// A parameter, or a member of a nested value.
    struct Member {
        let key: String
        let value: QueryValue
        /// Whether the key is the name of a property, which the encoding may change.
        var isProperty = false
    }

    var isScalar: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }
}

extension QueryValue {
    /// Converts an untyped value.
    ///
    /// - Throws: ``QueryEncodingError`` for a value without a text form, see ``init(scalar:)``, and for a type that is
    ///   neither a scalar, nor a collection, nor `Encodable`, nor an enum with a raw value.
    init(any value: Any) throws(QueryEncodingError) {
        if let scalar = try QueryValue(scalar: value) {
            self = scalar
            return
        }
        switch value {
        case let value as any OptionalValue:
            self =
                try value.wrappedValue.map { value throws(QueryEncodingError) in try QueryValue(any: value) } ?? .null
        case let value as [String: Any]: self = .object(try Self.sorted(value))
        case let value as [Any]:
            self = .array(try value.map { element throws(QueryEncodingError) in try QueryValue(any: element) })
        case let value as any Encodable: self = try QueryValue(encoding: value)
        case let value as any RawRepresentable: self = try QueryValue(any: value.rawValue)
        default: throw QueryEncodingError("a value of type \(type(of: value)) has no text form")
        }
    }

    /// The members of a dictionary, in the order of their keys.
    static func sorted(_ object: [String: Any?]) throws(QueryEncodingError) -> [Member] {
        if object.count == 1 {
            let only = object.startIndex
            return [try member(object.keys[only], object.values[only])]
        }
        return try object.sorted { $0.key < $1.key }.map { entry throws(QueryEncodingError) in
            try member(entry.key, entry.value)
        }
    }

    /// Names with their values as text, in order.
    static func members(of pairs: [(String, String?)]) -> [Member] {
        pairs.map { Member(key: $0.0, value: $0.1.map(QueryValue.text) ?? .null) }
    }

    /// The properties of a value, in their order.
    ///
    /// - Throws: ``QueryEncodingError`` if it has none, as a number and an array have none.
    static func properties(of value: some Encodable) throws(QueryEncodingError) -> [Member] {
        guard case .object(let members) = try QueryValue(encoding: value) else {
            throw QueryEncodingError("\(type(of: value)) has no properties that could be parameters")
        }
        return members
    }

    private static func member(_ key: String, _ value: Any?) throws(QueryEncodingError) -> Member {
        guard let value else { return Member(key: key, value: .null) }
        return Member(key: key, value: try QueryValue(any: value))
    }
}

/// Unwraps an `Optional` inside of an `Any`.
protocol OptionalValue {
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    var wrappedValue: Any? { self }
}
