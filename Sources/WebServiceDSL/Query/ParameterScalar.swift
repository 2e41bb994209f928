// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// A type with one text for each value, which ``QueryEncoding`` writes. Types that decode themselves from another of
/// these types, such as `UUID` and enums with raw values, need no conformance.
protocol ParameterScalar: Decodable {
    /// The value that is written in this way; `nil` if there is none.
    static func value(of text: String, dates: QueryEncoding.DateStyle) -> Self?
}

extension ParameterScalar where Self: LosslessStringConvertible {
    static func value(of text: String, dates: QueryEncoding.DateStyle) -> Self? {
        Self(text)
    }
}

extension String: ParameterScalar {}
extension Int: ParameterScalar {}
extension Int8: ParameterScalar {}
extension Int16: ParameterScalar {}
extension Int32: ParameterScalar {}
extension Int64: ParameterScalar {}
extension Int128: ParameterScalar {}
extension UInt: ParameterScalar {}
extension UInt8: ParameterScalar {}
extension UInt16: ParameterScalar {}
extension UInt32: ParameterScalar {}
extension UInt64: ParameterScalar {}
extension UInt128: ParameterScalar {}

extension Bool: ParameterScalar {
    static func value(of text: String, dates: QueryEncoding.DateStyle) -> Bool? {
        switch text {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }
}

// MARK: Numbers with a fraction

/// The text of a decimal number.
private enum DecimalText {
    /// Whether a text has only the characters of decimal numbers: no `inf`, `nan` or `0x1p3`.
    static func isDecimal(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
    }
}

extension ParameterScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
    static func value(of text: String, dates: QueryEncoding.DateStyle) -> Self? {
        guard DecimalText.isDecimal(text), let number = Self(text), number.isFinite else { return nil }
        return number
    }
}

extension Double: ParameterScalar {}
extension Float: ParameterScalar {}

extension Decimal: ParameterScalar {
    static func value(of text: String, dates: QueryEncoding.DateStyle) -> Decimal? {
        // `Decimal` ignores what follows a number, `Double` does not.
        guard DecimalText.isDecimal(text), Double(text) != nil else { return nil }
        guard let number = Decimal(string: text), number.isFinite else { return nil }
        return number
    }
}

// MARK: Types of Foundation

extension Date: ParameterScalar {
    static func value(of text: String, dates: QueryEncoding.DateStyle) -> Date? {
        if let number = Double.value(of: text, dates: dates) {
            if case .millisecondsSince1970 = dates { return Date(timeIntervalSince1970: number / 1000) }
            return Date(timeIntervalSince1970: number)
        }
        return TimestampText.date(text)
    }
}

extension URL: ParameterScalar {
    static func value(of text: String, dates: QueryEncoding.DateStyle) -> URL? {
        URL(string: text)
    }
}

extension URLComponents: ParameterScalar {
    static func value(of text: String, dates: QueryEncoding.DateStyle) -> URLComponents? {
        URLComponents(string: text)
    }
}

extension TimeZone: ParameterScalar {
    static func value(of text: String, dates: QueryEncoding.DateStyle) -> TimeZone? {
        TimeZone(identifier: text)
    }
}
