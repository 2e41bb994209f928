// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The parameters of a query, a fragment or a form: pairs of names and values in their order, whose names may repeat.
///
///     let parameters = QueryParameters(query: "tag=swift&tag=http&page=2")
///     parameters["page"]                  // 2
///     parameters.values(of: "tag")        // swift, http
///     for (name, value) in parameters { print(name, value) }
///     let search = try parameters.decode(Search.self)
///
/// The text is parsed as `application/x-www-form-urlencoded` (URL Standard of the WHATWG, §5.1): `&` separates pairs,
/// and the first `=` separates name and value; a pair without `=` has an empty value, and an empty pair is skipped. `+`
/// is a space, and percent-encoding is decoded; a `%` without two hexadecimal digits stays as it is.
///
/// Parsing never fails. Bytes that are not UTF-8 become U+FFFD, as the standard says, but ``decode(_:encoding:)``
/// refuses the value. The time and the memory are in proportion to the length of the text, without a limit for it.
///
/// Names are compared as they are: case counts, and `filter[name]` is one name. ``decode(_:encoding:)`` knows brackets.
public struct QueryParameters: Sendable {
    /// A name with its value.
    struct Pair: Sendable {
        let name: String
        let value: String
        /// Whether name and value are the text that was sent, and not one with U+FFFD for bytes that are not UTF-8.
        var isExact = true
    }

    let pairs: [Pair]

    /// Makes parameters of names and values that are not encoded.
    public init(_ pairs: [(name: String, value: String)] = []) {
        self.pairs = pairs.map { Pair(name: $0.name, value: $0.value) }
    }

    /// Parses the query of a URL as the URL has it: percent-encoded, without the question mark.
    public init(query: String) {
        self.init(form: query.utf8)
    }

    /// Parses a fragment with parameters, such as that of an OAuth redirect (RFC 6749 §4.2.2): percent-encoded, without
    /// the number sign.
    public init(fragment: String) {
        self.init(form: fragment.utf8)
    }

    /// Parses the content of a form: `Data`, or any bytes.
    public init(form content: some Collection<UInt8>) {
        pairs = FormContent.pairs(Array(content)).map { Pair(nameBytes: $0.name, valueBytes: $0.value) }
    }
}

// MARK: Values

extension QueryParameters {
    /// The first value of a name; `nil` without one.
    public subscript(name: String) -> String? {
        pairs.first { $0.name == name }?.value
    }

    /// All values of a name, in their order.
    public func values(of name: String) -> [String] {
        pairs.filter { $0.name == name }.map(\.value)
    }

    /// All names and values, in their order.
    public var all: [(name: String, value: String)] {
        Array(self)
    }
}

extension QueryParameters: RandomAccessCollection {
    /// The position of the first pair.
    public var startIndex: Int { pairs.startIndex }

    /// The position after the last pair.
    public var endIndex: Int { pairs.endIndex }

    /// The pair at a position.
    public subscript(position: Int) -> (name: String, value: String) {
        (pairs[position].name, pairs[position].value)
    }
}

extension QueryParameters: Hashable {
    /// Whether both have the same names and values in the same order.
    public static func == (left: QueryParameters, right: QueryParameters) -> Bool {
        left.elementsEqual(right, by: ==)
    }

    /// Hashes the names and values in their order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for (name, value) in self {
            hasher.combine(name)
            hasher.combine(value)
        }
    }
}

extension QueryParameters.Pair {
    fileprivate init(nameBytes: [UInt8], valueBytes: [UInt8]) {
        let name = String(validating: nameBytes, as: UTF8.self)
        let value = String(validating: valueBytes, as: UTF8.self)
        self.init(
            name: name ?? String(decoding: nameBytes, as: UTF8.self),
            value: value ?? String(decoding: valueBytes, as: UTF8.self),
            isExact: name != nil && value != nil
        )
    }
}
