// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.UUID

/// A value that fills a variable of a path: `server.get("users/{id}", ["id": 42])`.
///
/// Strings, numbers, `Bool`, `Character` and `UUID` are path variables. An enum with such a raw value becomes one by
/// declaring the conformance, any other type by implementing ``pathText``:
///
///     enum Period: String, PathVariable { case day, week }
///
/// The text becomes exactly one percent-encoded segment of the path, or part of one.
public protocol PathVariable {
    /// The text of the segment, not percent-encoded. An empty text, and one that makes its segment `.` or `..`, fail
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
extension Double: PathVariable {}
extension Float: PathVariable {}
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

extension UUID: PathVariable {
    /// The `uuidString`, in upper case.
    public var pathText: String { uuidString }
}

@available(*, unavailable, message: "a path variable always has a value: unwrap the optional first")
extension Optional: PathVariable {
    /// Not available.
    public var pathText: String { "" }
}
