// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date

/// How values become query parameters and form fields.
///
/// Whatever the styles, the order is stable (the keys of dictionaries are sorted; pairs and the properties of `Encodable`
/// values keep their order), and every key and value is percent-encoded down to RFC 3986's unreserved characters, so that
/// data can never add a parameter.
public struct QueryEncoding: Sendable {
    /// How the elements of an array are written, for `["a": [1, 2]]`.
    public enum ArrayStyle: Sendable, Hashable {
        /// `a=1&a=2`
        case repeated
        /// `a[]=1&a[]=2`
        case brackets
        /// `a[0]=1&a[1]=2`
        case indexed
        /// `a=1,2`; commas inside of an element are encoded. Elements must be scalars.
        case commaSeparated
    }

    /// How the keys of a nested dictionary are written, for `["a": ["b": 1]]`.
    public enum NestingStyle: Sendable, Hashable {
        /// `a[b]=1`
        case brackets
        /// `a.b=1`
        case dots
    }

    /// How a Bool is written.
    public enum BoolStyle: Sendable, Hashable {
        /// `true`, `false`
        case literal
        /// `1`, `0`
        case numeric
    }

    /// How a Date is written.
    public enum DateStyle: Sendable {
        /// `2026-01-31T12:00:00Z`, in UTC
        case iso8601
        /// Seconds since 1970, with a fraction only if there is one.
        case secondsSince1970
        /// Whole milliseconds since 1970.
        case millisecondsSince1970
        /// Any other way.
        case custom(@Sendable (Date) -> String)
    }

    /// How nil is written.
    public enum NilStyle: Sendable, Hashable {
        /// Not at all.
        case omitted
        /// `a=`
        case emptyValue
        /// `a`
        case nameOnly
    }

    /// How the elements of an array are written.
    public var arrays: ArrayStyle
    /// How the keys of a nested dictionary are written.
    public var nesting: NestingStyle
    /// How a Bool is written.
    public var bools: BoolStyle
    /// How a Date is written.
    public var dates: DateStyle
    /// How nil is written.
    public var nils: NilStyle

    /// Makes an encoding; each style has the value of ``standard`` unless given.
    public init(
        arrays: ArrayStyle = .repeated,
        nesting: NestingStyle = .brackets,
        bools: BoolStyle = .literal,
        dates: DateStyle = .iso8601,
        nils: NilStyle = .omitted
    ) {
        self.arrays = arrays
        self.nesting = nesting
        self.bools = bools
        self.dates = dates
        self.nils = nils
    }

    /// Repeated names, brackets for nesting, `true`/`false`, ISO 8601 dates, no nils.
    public static let standard = QueryEncoding()

    /// What Flipkart's Swifty and many PHP and Rails servers expect: `a[]=1`, `a[b]=1`, `1`/`0`.
    public static let brackets = QueryEncoding(arrays: .brackets, bools: .numeric)
}
