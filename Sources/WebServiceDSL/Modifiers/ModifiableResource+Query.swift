// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension ModifiableResource {
    /// Adds a query parameter: `.query("page", 2)`.
    ///
    /// - Parameters:
    ///   - name: The name of the parameter.
    ///   - value: The value; see ``query(_:encoding:)-([String:Any?],_)``. For `nil` there is no parameter, or one
    ///     without a value, as the encoding says.
    ///   - encoding: The encoding; that of the ``WebService`` if `nil`.
    @discardableResult
    public func query(_ name: String, _ value: Any?, encoding: QueryEncoding? = nil) -> Self {
        query([name: value], encoding: encoding)
    }

    /// Adds query parameters, in the order of their names.
    ///
    /// Values may be strings, numbers, `Bool`, `Date`, `URL`, `UUID`, enums with raw values, optionals, `Encodable`
    /// values, and arrays and dictionaries of these; see ``QueryEncoding`` for their text forms. A value without one
    /// fails the load with ``SwiftyError/Code/queryEncodingFailed``. Each call appends its parameters to those of the
    /// base URL, the path and earlier calls.
    ///
    /// - Parameters:
    ///   - parameters: The values, by name.
    ///   - encoding: The encoding; that of the ``WebService`` if `nil`.
    @discardableResult
    public func query(_ parameters: [String: Any?], encoding: QueryEncoding? = nil) -> Self {
        addQuery(encoding) { () throws(QueryEncodingError) in
            try QueryValue.sorted(parameters)
        }
    }

    /// Adds query parameters in the order given; names may repeat.
    ///
    ///     .query([("q", "swift"), ("page", "2"), ("page", "3")])
    @discardableResult
    public func query(_ pairs: [(String, String?)], encoding: QueryEncoding? = nil) -> Self {
        addQuery(encoding) { QueryValue.members(of: pairs) }
    }

    /// Adds the properties of an `Encodable` value as query parameters, in their order; ``QueryEncoding/keys`` says how
    /// their names are written.
    @_disfavoredOverload
    @discardableResult
    public func query(_ parameters: some Encodable, encoding: QueryEncoding? = nil) -> Self {
        addQuery(encoding) { () throws(QueryEncodingError) in
            try QueryValue.properties(of: parameters)
        }
    }

    /// Encodes before it locks the resource, because encoding runs the caller's code.
    private func addQuery(
        _ encoding: QueryEncoding?,
        _ parameters: () throws(QueryEncodingError) -> [QueryValue.Member]
    ) -> Self {
        let encoding = encoding ?? draft.coding.query
        do throws(QueryEncodingError) {
            let text = try encoding.encode(parameters())
            return modify { $0.addQuery(text) }
        } catch {
            return modify { $0.fail(.queryEncodingFailed, "the query cannot be encoded: \(error.reason)") }
        }
    }
}
