// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date
public import struct Foundation.Decimal
public import class Foundation.NSNumber
public import struct Foundation.UUID

/// A value that fills a variable of a path: `server.get("users/{id}", ["id": 42])`.
///
/// Strings, numbers, `Bool`, `Character`, `Date` and `UUID` are path variables, with the text that they have as query
/// parameters in ``QueryEncoding/standard``. A number or date without a text form (NaN, infinity) fails the load with
/// ``SwiftyError/Code/invalidURL``. An enum with such a raw value becomes a path variable by declaring the conformance,
/// any other type by implementing ``pathText``:
///
///     enum Period: String, PathVariable { case day, week }
///
/// The text becomes exactly one percent-encoded segment of the path, or part of one.
public protocol PathVariable {
    /// The text of the segment, not percent-encoded. An empty string, and one that makes its segment `.` or `..`, fail
    /// the load with ``SwiftyError/Code/invalidURL``.
    var pathText: String { get }
}

/// The values of a path's variables, by name: `["user": name, "id": 42]`.
public typealias PathVariables = [String: any PathVariable]

extension PathVariable where Self: CustomStringConvertible {
    /// The description.
    public var pathText: String { description }
}

extension PathVariable where Self: RawRepresentable, RawValue: PathVariable {
    /// The text of the raw value.
    public var pathText: String { rawValue.pathText }
}

extension String: PathVariable {
    /// The string itself.
    public var pathText: String { self }
}

extension Substring: PathVariable {}
extension Character: PathVariable {}
extension Bool: PathVariable {}
extension Int: PathVariable {}
extension Int8: PathVariable {}
extension Int16: PathVariable {}
extension Int32: PathVariable {}
extension Int64: PathVariable {}
extension UInt: PathVariable {}
extension UInt8: PathVariable {}
extension UInt16: PathVariable {}
extension UInt32: PathVariable {}
extension UInt64: PathVariable {}
extension Int128: PathVariable {}
extension UInt128: PathVariable {}

extension UUID: PathVariable {
    /// The `uuidString`, in upper case.
    public var pathText: String { uuidString }
}

// MARK: Values that do not always have a text form

extension Double: PathVariable {
    /// The number, without a needless fraction: `3`, not `3.0`. Empty for NaN and infinity.
    public var pathText: String { textInPath(of: self) }
}

extension Float: PathVariable {
    /// The number, without a needless fraction: `3`, not `3.0`. Empty for NaN and infinity.
    public var pathText: String { textInPath(of: self) }
}

extension Decimal: PathVariable {
    /// The exact number, with a point: `19.99`. Empty for NaN.
    public var pathText: String { textInPath(of: self) }
}

extension NSNumber: PathVariable {
    /// The number or `Bool` that the object was made of; exact for an `NSDecimalNumber`. Empty for NaN and infinity.
    public var pathText: String { textInPath(of: self) }
}

extension Date: PathVariable {
    /// The date and time in UTC, as `2026-01-31T12:00:00Z`. Empty for a year that does not have four digits.
    public var pathText: String { textInPath(of: self) }
}

/// The text that a value has in the standard encoding of queries; empty if it has none.
private func textInPath(of value: Any) -> String {
    (try? QueryEncoding.standard.text(ofAny: value)) ?? ""
}

extension PathVariable {
    /// The reason why the value has no text form; `nil` if it has one.
    var fault: String? {
        do throws(QueryEncodingError) {
            guard let scalar = try QueryValue(scalar: self) else { return nil }
            _ = try QueryEncoding.standard.text(of: scalar)
            return nil
        } catch {
            return error.reason
        }
    }
}

extension [String: any PathVariable] {
    /// Checks that all values have a text form, because an empty segment does not say what is wrong.
    ///
    /// - Throws: ``SwiftyError/Code/invalidURL``.
    func checkTexts() throws(SwiftyError) {
        for (name, value) in self.sorted(by: { $0.key < $1.key }) {
            guard let fault = value.fault else { continue }
            let reason = "the path variable {\(name)} has no text: \(fault)"
            throw SwiftyError(.invalidURL, stage: .building, reason: reason)
        }
    }
}

@available(*, unavailable, message: "a path variable always has a value: unwrap the optional first")
extension Optional: PathVariable {
    /// Not available.
    public var pathText: String { "" }
}
