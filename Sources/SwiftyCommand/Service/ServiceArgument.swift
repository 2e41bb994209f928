// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.UUID

/// A value that an argument of a ``ServiceCommand`` can have.
///
/// `String`, `Int`, `Double`, `Bool` and `UUID` are such values. An enumeration with raw values needs no code:
///
///     enum Sort: String, CaseIterable, ServiceArgument {
///         case created, updated
///     }
public protocol ServiceArgument: Sendable {
    /// Reads a word of the command line; `nil` if it is no such value.
    init?(commandLine word: String)
    /// What help and errors call the value, such as `INTEGER` or `created|updated`.
    static var argumentForm: String { get }
}

extension String: ServiceArgument {
    /// Takes the word as it is.
    public init?(commandLine word: String) { self = word }
    /// `TEXT`.
    public static var argumentForm: String { "TEXT" }
}

extension Int: ServiceArgument {
    /// Reads a decimal number.
    public init?(commandLine word: String) { self.init(word) }
    /// `INTEGER`.
    public static var argumentForm: String { "INTEGER" }
}

extension Double: ServiceArgument {
    /// Reads a finite decimal number.
    public init?(commandLine word: String) {
        guard let value = Double(word), value.isFinite else { return nil }
        self = value
    }
    /// `NUMBER`.
    public static var argumentForm: String { "NUMBER" }
}

extension Bool: ServiceArgument {
    /// Reads `true` or `false`.
    public init?(commandLine word: String) { self.init(word) }
    /// `true|false`.
    public static var argumentForm: String { "true|false" }
}

extension UUID: ServiceArgument {
    /// Reads a UUID in the form of RFC 9562.
    public init?(commandLine word: String) { self.init(uuidString: word) }
    /// `UUID`.
    public static var argumentForm: String { "UUID" }
}

extension ServiceArgument where Self: RawRepresentable, RawValue: ServiceArgument {
    /// Reads the raw value of a case.
    public init?(commandLine word: String) {
        guard let value = RawValue(commandLine: word) else { return nil }
        self.init(rawValue: value)
    }

    /// The form of the raw value.
    public static var argumentForm: String { RawValue.argumentForm }
}

extension ServiceArgument where Self: RawRepresentable & CaseIterable, RawValue: ServiceArgument {
    /// The raw values of the cases: `created|updated`.
    public static var argumentForm: String { allCases.map { "\($0.rawValue)" }.joined(separator: "|") }
}
