// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value of a type that encodes itself, but in a form that no server expects in a query or a form: the bits of a
/// `Duration`, the two bounds of a `Range` as two values, the coefficients of a unit. It is refused, because a guess
/// would be a wrong request without an error.
protocol ValueWithoutText {
    /// What to pass instead.
    static var substitute: String { get }
}

extension QueryValue {
    /// The reason why a value is refused.
    static func refusal(of value: Any) -> String {
        let substitute = (value as? any ValueWithoutText).map { ": pass \(type(of: $0).substitute)" } ?? ""
        return "a value of type \(type(of: value)) has no text form\(substitute)"
    }
}

// MARK: Bytes and time

extension Data: ValueWithoutText {
    static var substitute: String { "a String, such as its base64EncodedString()" }
}

extension NSData: ValueWithoutText {
    static var substitute: String { Data.substitute }
}

extension Duration: ValueWithoutText {
    static var substitute: String { "the number of seconds or milliseconds" }
}

extension ContinuousClock.Instant: ValueWithoutText {
    static var substitute: String { "a Date" }
}

extension SuspendingClock.Instant: ValueWithoutText {
    static var substitute: String { "a Date" }
}

extension Calendar: ValueWithoutText {
    static var substitute: String { "the name of the calendar" }
}

// MARK: Language

extension Locale: ValueWithoutText {
    static var substitute: String { "its identifier, or identifier(.bcp47)" }
}

extension Locale.Language: ValueWithoutText {
    static var substitute: String { "its minimalIdentifier" }
}

extension CharacterSet: ValueWithoutText {
    static var substitute: String { "a String" }
}

extension AttributedString: ValueWithoutText {
    static var substitute: String { "its characters as a String" }
}

// MARK: Amounts and ranges

extension Measurement: ValueWithoutText {
    static var substitute: String { "its value in the unit that the server expects" }
}

extension Range: ValueWithoutText {
    static var substitute: String { "its bounds, each with a name" }
}

extension ClosedRange: ValueWithoutText {
    static var substitute: String { Range<Bound>.substitute }
}

extension PartialRangeFrom: ValueWithoutText {
    static var substitute: String { "its bound" }
}

extension PartialRangeThrough: ValueWithoutText {
    static var substitute: String { "its bound" }
}

extension PartialRangeUpTo: ValueWithoutText {
    static var substitute: String { "its bound" }
}

extension NSRange: ValueWithoutText {
    static var substitute: String { "its location and length, each with a name" }
}

extension IndexSet: ValueWithoutText {
    static var substitute: String { "an array of its elements" }
}

extension IndexPath: ValueWithoutText {
    static var substitute: String { "an array of its elements" }
}
