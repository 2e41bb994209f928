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
    }

    var isScalar: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }

    /// The number without a needless fraction: `3`, not `3.0`.
    static func text(of number: Double) -> String {
        if let whole = Int64(exactly: number) { return String(whole) }
        return number.description
    }
}

extension QueryValue {
    /// Converts an untyped value.
    ///
    /// - Throws: ``QueryEncodingError`` for a value without a text form: `Data`, a number that is not finite, a
    ///   type that is neither a collection, nor `Encodable`, nor an enum with a raw value.
    init(any value: Any) throws(QueryEncodingError) {
        switch value {
        // A cast unwraps an `Optional`, so only `nil` and optionals of other types reach the case of `OptionalValue`.
        case let value as String: self = .text(value)
        case is NSNull: self = .null
        case let value as Bool: self = .bool(value)
        case let value as any BinaryInteger: self = .text(value.description)
        case let value as Double: self = try .finite(value)
        case let value as Float: self = try .finite(value)
        case let value as Date: self = .date(value)
        case let value as URL: self = .text(value.absoluteString)
        case let value as UUID: self = .text(value.uuidString)
        case let value as any OptionalValue:
            self =
                try value.wrappedValue.map { value throws(QueryEncodingError) in try QueryValue(any: value) } ?? .null
        case let value as [String: Any]: self = .object(try Self.sorted(value))
        case let value as [Any]: self = .array(try Self.elements(value))
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
        var members: [Member] = []
        members.reserveCapacity(object.count)
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            members.append(try member(key, value))
        }
        return members
    }

    private static func member(_ key: String, _ value: Any?) throws(QueryEncodingError) -> Member {
        guard let value else { return Member(key: key, value: .null) }
        return Member(key: key, value: try QueryValue(any: value))
    }

    private static func elements(_ array: [Any]) throws(QueryEncodingError) -> [QueryValue] {
        var values: [QueryValue] = []
        for element in array { values.append(try QueryValue(any: element)) }
        return values
    }

    /// The number as text.
    ///
    /// - Throws: ``QueryEncodingError`` for infinity and NaN.
    static func finite(
        _ number: some BinaryFloatingPoint & CustomStringConvertible
    ) throws(QueryEncodingError) -> QueryValue {
        guard number.isFinite else { throw QueryEncodingError("\(number) is not a finite number") }
        return .text(Int64(exactly: number).map(String.init) ?? number.description)
    }
}

/// Unwraps an `Optional` inside of an `Any`.
private protocol OptionalValue {
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrappedValue: Any? { self }
}
