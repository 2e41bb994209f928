// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date

/// The encoding of values as query parameters and form fields.
///
/// In every style the order is stable: the keys of dictionaries are sorted; pairs, arrays and the properties of
/// `Encodable` values keep their order. Only the elements of a `Set` have no stable order. Every key and value is
/// percent-encoded except for the unreserved characters of RFC 3986 §2.3, so that data can never add a parameter.
///
/// A value has the same text as a query parameter, a form field, a part of a form, a ``PathVariable``, and a property
/// of an `Encodable` value:
///
/// | value | text |
/// |---|---|
/// | `String`, `Substring`, `Character` | itself |
/// | integers, also of 128 bits | decimal digits |
/// | `Double`, `Float`, `CGFloat` | the shortest text of the same number: `0.1`, and `3` for `3.0` |
/// | `Decimal`, `NSDecimalNumber` | the exact number: `19.99` |
/// | `NSNumber` | that of the number or `Bool` of which it was made |
/// | `Bool`, `Date`, `nil` | as the encoding says |
/// | `URL`, `URLComponents`, `UUID`, `TimeZone` | the absolute URL, the URL, the `uuidString`, the identifier |
/// | an enum with a raw value | that of the raw value |
///
/// A value without a text form is an error and never a guess: NaN and infinity; dates that are not finite, or with
/// ``DateStyle/iso8601`` outside of the years 1 to 9999; `Data`, `Duration`, `Measurement`, `Locale`, `Calendar`,
/// ranges, and sets of characters or indices; an enum's case without a raw value or values; a dictionary whose keys are
/// neither strings nor integers. The reason of the error says what to pass instead.
public struct QueryEncoding: Sendable {
    /// The form of an array, shown for `["a": [1, 2]]`.
    public enum ArrayStyle: Sendable, Hashable {
        /// `a=1&a=2`
        case repeated
        /// `a[]=1&a[]=2`
        case brackets
        /// `a[0]=1&a[1]=2`
        case indexed
        /// `a=1,2`, with commas inside of an element encoded; elements must be scalars
        case commaSeparated
    }

    /// The form of a nested dictionary, shown for `["a": ["b": 1]]`.
    public enum NestingStyle: Sendable, Hashable {
        /// `a[b]=1`
        case brackets
        /// `a.b=1`
        case dots
    }

    /// The form of a `Bool`.
    public enum BoolStyle: Sendable, Hashable {
        /// `true`, `false`
        case literal
        /// `1`, `0`
        case numeric
    }

    /// The form of a `Date`.
    public enum DateStyle: Sendable {
        /// `2026-01-31T12:00:00Z`, in UTC
        case iso8601
        /// Seconds since 1970, with a fraction only if it is not zero
        case secondsSince1970
        /// Milliseconds since 1970, rounded
        case millisecondsSince1970
        /// The text that the closure returns
        case custom(@Sendable (Date) -> String)
    }

    /// The form of `nil`.
    public enum NilStyle: Sendable, Hashable {
        /// No parameter
        case omitted
        /// `a=`
        case emptyValue
        /// `a`
        case nameOnly
    }

    /// The form of the names of an `Encodable` value's properties, also where values are nested. The keys of
    /// dictionaries and the names of pairs stay as they are.
    public enum KeyStyle: Sendable {
        /// `perPage`
        case unchanged
        /// `per_page`, as `JSONEncoder.KeyEncodingStrategy.convertToSnakeCase` writes it; but capitals alone are one
        /// word, `url` and not `u_rl` for `URL`
        case snakeCase
        /// The text that the closure returns
        case custom(@Sendable (String) -> String)
    }

    /// The form of arrays.
    public var arrays: ArrayStyle
    /// The form of nested dictionaries.
    public var nesting: NestingStyle
    /// The form of `Bool`s.
    public var bools: BoolStyle
    /// The form of `Date`s.
    public var dates: DateStyle
    /// The form of `nil`.
    public var nils: NilStyle
    /// The form of the names of properties.
    public var keys: KeyStyle

    /// Makes an encoding; each form is that of ``standard`` unless given.
    public init(
        arrays: ArrayStyle = .repeated,
        nesting: NestingStyle = .brackets,
        bools: BoolStyle = .literal,
        dates: DateStyle = .iso8601,
        nils: NilStyle = .omitted,
        keys: KeyStyle = .unchanged
    ) {
        self.arrays = arrays
        self.nesting = nesting
        self.bools = bools
        self.dates = dates
        self.nils = nils
        self.keys = keys
    }

    /// `a=1&a=2`, `a[b]=1`, `true`, dates as in ISO 8601, no parameter for `nil`.
    public static let standard = QueryEncoding()

    /// `a[]=1`, `a[b]=1`, and `1` or `0` for a `Bool`: the form that many PHP and Rails servers expect.
    public static let brackets = QueryEncoding(arrays: .brackets, bools: .numeric)
}
