// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The path of a request, as a literal in which each interpolated value is data: `server.get("users/\(user)/repos")`.
///
/// An interpolated value becomes one percent-encoded segment of the path, or part of one, as in `"v\(major).json"`, or
/// part of the query. It never leads to another path, query or server: a user with the name `a/b?admin=1` is sent as
/// `users/a%2Fb%3Fadmin%3D1/repos`. Each ``PathVariable`` can be interpolated, and each enum whose raw value is one.
///
///     server.get("users/\(user)/repos")                  // the template is users/{}/repos
///     server.get("users/\(user, as: "user")/repos")      // users/{user}/repos
///     server.get("files/\(raw: path)")                   // files/{*}: several segments, already percent-encoded
///
/// The template names the request in metrics, traces and mocks. A value whose name marks a secret, as in
/// `\(token, as: "token")`, is hidden in everything that is printed or recorded.
///
/// What is wrong with a value fails the load with ``SwiftyError/Code/invalidURL``: an empty one, one that makes its
/// segment `.` or `..`, and one without a text form (NaN, infinity).
public struct RequestPath: ExpressibleByStringInterpolation, Sendable {
    /// The path with a variable, such as `{}` or `{user}`, in place of each interpolated value.
    let text: String
    /// The interpolated values in their order.
    let values: [Value]
    /// The expansion of a URI Template; `nil` for any other path.
    let expansion: Expansion?

    /// The path whose variables have their values in a dictionary.
    init(_ text: String, expansion: Expansion? = nil) {
        (self.text, values, self.expansion) = (text, [], expansion)
    }

    /// The path of a literal without interpolated values.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The path of a literal with interpolated values.
    public init(stringInterpolation: StringInterpolation) {
        (text, values, expansion) = (stringInterpolation.text, stringInterpolation.values, nil)
    }
}

extension RequestPath {
    /// An interpolated value.
    struct Value: Sendable {
        /// The offset of its variable in the UTF-8 text of the path.
        let offset: Int
        /// The name of its variable; empty without one.
        let name: String
        /// The text, percent-encoded only if it is raw.
        let text: String
        /// Whether it is a relative path, and not a segment.
        let isRaw: Bool
        /// The reason why it cannot be sent; `nil` if it can.
        let fault: String?
    }

    /// The pieces of a literal, collected by the compiler.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var text = ""
        fileprivate var values: [Value] = []

        /// Makes an empty literal with room for its pieces.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 8 * interpolationCount)
            values.reserveCapacity(interpolationCount)
        }

        /// Adds a part of the template.
        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Adds a value as one percent-encoded segment, or part of one.
        ///
        /// - Parameters:
        ///   - value: The value.
        ///   - name: The name of the variable in the template; without one, the template has `{}`.
        public mutating func appendInterpolation<Value: PathVariable>(_ value: Value, as name: String? = nil) {
            append(value.pathText, as: name, fault: value.fault.map { "has no text: \($0)" })
        }

        /// Adds the raw value of an enum as one percent-encoded segment, or part of one.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value, as name: String? = nil)
        where Value.RawValue: PathVariable {
            appendInterpolation(value.rawValue, as: name)
        }

        /// Adds a ``PathVariable`` with a raw value by its ``PathVariable/pathText``.
        public mutating func appendInterpolation<Value: PathVariable & RawRepresentable>(
            _ value: Value,
            as name: String? = nil
        ) where Value.RawValue: PathVariable {
            append(value.pathText, as: name, fault: value.fault.map { "has no text: \($0)" })
        }

        /// Adds a relative path of several segments, which is trusted and already percent-encoded.
        ///
        /// A path with dot segments, a slash at its start, a query, a fragment or another server fails the load with
        /// ``SwiftyError/Code/invalidURL``. Characters that are illegal in a path are percent-encoded.
        ///
        /// - Parameters:
        ///   - path: The path.
        ///   - name: The name of the variable in the template, which has `{name*}`; without one, it has `{*}`.
        public mutating func appendInterpolation(raw path: String, as name: String? = nil) {
            append(path, as: name, isRaw: true, fault: nil)
        }

        fileprivate mutating func append(_ value: String, as name: String?, isRaw: Bool = false, fault: String?) {
            let isNamed = name.map(Self.isName) ?? true
            let variable = isNamed ? name ?? "" : ""
            let nameFault = isNamed ? nil : "has a name that is not made of letters, digits, _ and -"
            let braceFault = isInBraces ? "stands within the braces of another variable" : nil
            let value = Value(
                offset: text.utf8.count,
                name: variable,
                text: value,
                isRaw: isRaw,
                fault: nameFault ?? braceFault ?? fault
            )
            values.append(value)
            text += isRaw ? "{\(variable)*}" : "{\(variable)}"
        }

        /// Whether the text has an opening brace without its pair.
        private var isInBraces: Bool {
            let brace = text.utf8.last { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }
            return brace == UInt8(ascii: "{")
        }

        private static func isName(_ name: String) -> Bool {
            !name.isEmpty && name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "_-".utf8.contains($0) }
        }
    }
}

// If a value did not fit here, the compiler would make a `String` of the literal, without encoding. So what has a text
// fits as well, with a warning, and fails the load. An optional is refused by its unavailable conformance.
extension RequestPath.StringInterpolation {
    /// Adds a value, or the other one if it is `nil`, as one percent-encoded segment, or part of one.
    public mutating func appendInterpolation<Value: PathVariable>(
        _ value: Value?,
        default other: @autoclosure () -> some StringProtocol
    ) {
        if let value { appendInterpolation(value) } else { appendInterpolation(String(other())) }
    }

    /// Fails the load with ``SwiftyError/Code/invalidURL``.
    @available(*, deprecated, message: "a value in a path is a PathVariable, or an enum with such a raw value")
    public mutating func appendInterpolation<Value>(
        _ value: Value?,
        default other: @autoclosure () -> some StringProtocol
    ) {
        refuse(Value.self)
    }

    /// Fails the load with ``SwiftyError/Code/invalidURL``.
    @available(*, deprecated, message: "a value in a path is a PathVariable, or an enum with such a raw value")
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: CustomStringConvertible>(_ value: Value, as name: String? = nil) {
        refuse(Value.self)
    }

    /// Fails the load with ``SwiftyError/Code/invalidURL``.
    @available(*, deprecated, message: "a value in a path is a PathVariable, or an enum with such a raw value")
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: AnyObject>(_ value: Value, as name: String? = nil) {
        refuse(Value.self)
    }

    /// Fails the load with ``SwiftyError/Code/invalidURL``.
    @available(*, deprecated, message: "a value in a path is a PathVariable, or an enum with such a raw value")
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: AnyObject & CustomStringConvertible>(
        _ value: Value,
        as name: String? = nil
    ) {
        refuse(Value.self)
    }

    private mutating func refuse(_ type: Any.Type) {
        append("", as: nil, fault: "is no PathVariable, but a \(type)")
    }
}
