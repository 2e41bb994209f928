// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

// The one place that decides the text of a value: of query parameters, form fields, parts of a form, path variables,
// and the properties of `Encodable` values.
extension QueryValue {
    /// Converts a value that has one text; `nil` if it is an optional, a collection, or a value of another type.
    ///
    /// - Throws: ``QueryEncodingError`` for a number or date that is not finite, and for a ``ValueWithoutText``.
    init?(scalar value: Any) throws(QueryEncodingError) {
        switch value {
        case let value as String: self = .text(value)
        // A cast would unwrap it, so that an `NSNumber` in it would pass as a `Bool`.
        case is any OptionalValue: return nil
        case is any ValueWithoutText: throw QueryEncodingError(Self.refusal(of: value))
        default:
            if let number = try Self.number(value) {
                self = number
            } else if let other = try Self.other(value) {
                self = other
            } else {
                return nil
            }
        }
    }

    private static func number(_ value: Any) throws(QueryEncodingError) -> QueryValue? {
        // Any number bridges to `NSNumber`, and an `NSNumber` of 1 to `Bool`: the type decides.
        if type(of: value) is NSNumber.Type { return try (value as? NSNumber).map(boxed) }
        switch value {
        case let value as Bool: return .bool(value)
        case let value as any BinaryInteger: return .text(value.description)
        case let value as Double: return try finite(value)
        case let value as Float: return try finite(value)
        case let value as any BinaryFloatingPoint: return try finite(value)
        case let value as Decimal: return try finite(value)
        default: return nil
        }
    }

    private static func other(_ value: Any) throws(QueryEncodingError) -> QueryValue? {
        switch value {
        case let value as Date: try finite(value)
        case let value as URL: .text(value.absoluteString)
        case let value as UUID: .text(value.uuidString)
        case let value as any StringProtocol: .text(String(value))
        case let value as Character: .text(String(value))
        case let value as TimeZone: .text(value.identifier)
        case let value as URLComponents: try text(of: value)
        case is NSNull: .null
        default: nil
        }
    }

    /// The value of an object number: what it was made of, which is exact for an `NSDecimalNumber`.
    private static func boxed(_ number: NSNumber) throws(QueryEncodingError) -> QueryValue {
        if type(of: number) == type(of: NSNumber(value: true)) { return .bool(number.boolValue) }
        if let number = number as? NSDecimalNumber { return try finite(number.decimalValue) }
        switch String(cString: number.objCType) {
        case "d": return try finite(number.doubleValue)
        case "f": return try finite(number.floatValue)
        default: return .text(number.stringValue)
        }
    }

    private static func text(of components: URLComponents) throws(QueryEncodingError) -> QueryValue {
        guard let text = components.string else { throw QueryEncodingError("the URLComponents have no text form") }
        return .text(text)
    }
}

// MARK: Finite values

extension QueryValue {
    private static func finite(_ number: some BinaryFloatingPoint) throws(QueryEncodingError) -> QueryValue {
        guard number.isFinite else { throw QueryEncodingError("\(number) is not a finite number") }
        return .text(text(of: number))
    }

    private static func finite(_ number: Decimal) throws(QueryEncodingError) -> QueryValue {
        guard number.isFinite else { throw QueryEncodingError("\(number) is not a finite number") }
        return .text(number.description)
    }

    private static func finite(_ date: Date) throws(QueryEncodingError) -> QueryValue {
        guard date.timeIntervalSince1970.isFinite else { throw QueryEncodingError("a Date is not finite") }
        return .date(date)
    }

    /// The number without a needless fraction: `3`, not `3.0`.
    static func text(of number: some BinaryFloatingPoint) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }
}
