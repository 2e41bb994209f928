// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension QueryParameters {
    /// The greatest number of pairs that ``decode(_:encoding:)`` takes: 100,000.
    public static let maximumDecodedCount = 100_000

    /// The greatest number of parts of a name that ``decode(_:encoding:)`` takes: 32. `a[b][c]` has three.
    public static let maximumDepth = 32

    /// Makes a value of the parameters, as a ``QueryEncoding`` writes them.
    ///
    ///     struct Search: Decodable {
    ///         let text: String
    ///         let tags: [String]?
    ///         let filter: [String: Int]
    ///     }
    ///     let query = "text=a&tags=x&tags=y&filter[size]=3"
    ///     let search = try QueryParameters(query: query).decode(Search.self)
    ///
    /// Arrays are read in each of the forms `a=1&a=2`, `a[]=1&a[]=2` and `a[1]=x&a[0]=y`, in which the indices say only
    /// the order, and nested values from brackets, whatever the encoding says. It says these things:
    ///
    /// | encoding | effect |
    /// |---|---|
    /// | ``QueryEncoding/ArrayStyle/commaSeparated`` | a single value is split at its commas |
    /// | ``QueryEncoding/NestingStyle/dots`` | dots separate the parts of a name, in addition to brackets |
    /// | ``QueryEncoding/DateStyle/millisecondsSince1970`` | a `Date` is a number of milliseconds |
    /// | other styles of dates | a `Date` is a number of seconds since 1970 |
    /// | ``QueryEncoding/NilStyle/omitted`` | only a missing parameter is `nil` |
    /// | other styles of `nil` | an empty value is `nil` as well |
    /// | ``QueryEncoding/keys`` | the names of properties are sought in this style; the keys of dictionaries stay |
    ///
    /// A `Bool` is `true`, `false`, `1` or `0`. A `Date` that is not a number is ISO 8601 in the form of RFC 3339 §5.6:
    /// `2026-01-31T12:00:00.5+01:00`. Other scalars have the text that ``QueryEncoding`` gives them. An array, a
    /// dictionary or a nested value without any parameter is empty, unless it is optional. Parameters that the type
    /// does not ask for are ignored.
    ///
    /// A value written by a ``QueryEncoding`` comes back, except for:
    ///
    /// - arrays of arrays or of nested values, which only ``QueryEncoding/ArrayStyle/indexed`` separates;
    /// - an optional that is an empty array or dictionary, or has only properties that are `nil`, which comes back as
    ///   `nil` itself;
    /// - with ``QueryEncoding/NilStyle/omitted``: `nil` in an array;
    /// - with the other styles of `nil`: the empty string in an optional;
    /// - with ``QueryEncoding/ArrayStyle/commaSeparated``: elements with a comma, and an array of one empty string;
    /// - keys of dictionaries that contain brackets, or dots with ``QueryEncoding/NestingStyle/dots``, and empty keys
    ///   of nested dictionaries;
    /// - the fractions of seconds or milliseconds that the style of dates does not write, and dates in a custom style;
    /// - dates before 1582-10-15 in ISO 8601, which are written in the Julian calendar and read in the Gregorian one,
    ///   as RFC 3339 demands;
    /// - enum cases with associated values whose names a style of keys changes.
    ///
    /// - Throws: `DecodingError` with the path of the value: for a missing value; for one that occurs several times, is
    ///   not UTF-8, or is not the text of its type; for a name that has both a value and parts in brackets; for too
    ///   many pairs or parts of a name; and for a type without a text form, such as `Data`.
    public func decode<Value: Decodable>(_ type: Value.Type, encoding: QueryEncoding = .standard) throws -> Value {
        try ParameterDecoder(node: tree(nesting: encoding.nesting), encoding: encoding).decode(type)
    }

    private func tree(nesting: QueryEncoding.NestingStyle) throws(DecodingError) -> ParameterNode {
        guard count <= Self.maximumDecodedCount else {
            throw .invalidParameter([], "There are more than \(Self.maximumDecodedCount) parameters.")
        }
        var root = ParameterNode()
        for pair in pairs {
            let parts = ParameterName.parts(of: pair.name, nesting: nesting)
            guard parts.count <= Self.maximumDepth else {
                throw .invalidParameter([], "A name has more than \(Self.maximumDepth) parts.")
            }
            root.insert(pair, at: parts[...])
        }
        return root
    }
}

extension DecodingError {
    /// An error of parameters. The reason repeats no values, which may be secret.
    static func invalidParameter(_ codingPath: [any CodingKey], _ reason: String) -> DecodingError {
        .dataCorrupted(Context(codingPath: codingPath, debugDescription: reason))
    }
}
