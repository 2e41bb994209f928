// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A parameter's value after the untyped world has been left: what a ``QueryEncoding`` writes.
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
    static func write(_ number: Double) -> String {
        if let whole = Int64(exactly: number) { return String(whole) }
        return number.description
    }
}

extension QueryValue {
    /// Takes an untyped value of a dictionary.
    ///
    /// - Throws: ``QueryEncodingError`` for what has no obvious text: `Data`, a number that is not finite, a type that is
    ///   neither a collection nor `Encodable`.
    init(any value: Any) throws(QueryEncodingError) {
        switch value {
        // Casts see through an Optional by themselves; what is left of it after the scalars is nil or a collection.
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
        default: throw QueryEncodingError("a \(type(of: value)) has no text that could be sent")
        }
    }

    /// The members of a dictionary, in the order of their keys.
    static func sorted(_ object: [String: Any?]) throws(QueryEncodingError) -> [Member] {
        var members: [Member] = []
        members.reserveCapacity(object.count)
        if object.count == 1 {
            for (key, value) in object { members.append(try member(key, value)) }
            return members
        }
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

    static func finite(
        _ number: some BinaryFloatingPoint & CustomStringConvertible
    ) throws(QueryEncodingError) -> QueryValue {
        guard number.isFinite else { throw QueryEncodingError("\(number) is not a number that could be sent") }
        return .text(Int64(exactly: number).map(String.init) ?? number.description)
    }
}

/// Sees through an Optional that hides in an `Any`.
private protocol OptionalValue {
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrappedValue: Any? { self }
}
