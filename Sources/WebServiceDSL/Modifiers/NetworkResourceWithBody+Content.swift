// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Each modifier replaces the content, and sets `Content-Type` unless the request already has one.
extension NetworkResourceWithBody {
    /// Sends an `Encodable` value as JSON.
    ///
    /// A value that cannot be encoded fails the load with ``SwiftyError/Code/encodingFailed``.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder; that of the ``WebService`` if `nil`.
    @_disfavoredOverload
    @discardableResult
    public func json(_ value: some Encodable, encoder: JSONEncoder? = nil) -> Self {
        let encoder = encoder ?? draft.coding.json.encoder
        return setJSON(.encodingFailed) { try encoder.encode(value) }
    }

    /// Sends a dictionary as a JSON object, its keys in sorted order; `Encodable` values with the encoder of the
    /// ``WebService``.
    ///
    /// A value that JSON cannot express fails the load with ``SwiftyError/Code/jsonEncodingFailed``.
    @discardableResult
    public func json(_ object: [String: Any]) -> Self {
        setJSON(object, [])
    }

    /// Sends an array as a JSON array; `Encodable` elements with the encoder of the ``WebService``.
    ///
    /// A value that JSON cannot express fails the load with ``SwiftyError/Code/jsonEncodingFailed``.
    @discardableResult
    public func json(_ array: [Any]) -> Self {
        setJSON(array, [])
    }

    /// Sends form fields as `application/x-www-form-urlencoded`, encoded like query parameters.
    ///
    /// A value without a text form fails the load with ``SwiftyError/Code/fieldsEncodingFailed``.
    ///
    /// - Parameters:
    ///   - fields: The values, by name.
    ///   - encoding: The encoding; that of the ``WebService`` if `nil`.
    @discardableResult
    public func fields(_ fields: [String: Any?], encoding: QueryEncoding? = nil) -> Self {
        setFields(encoding) { () throws(QueryEncodingError) in
            try QueryValue.sorted(fields)
        }
    }

    /// Sends form fields in the order given; names may repeat.
    @discardableResult
    public func fields(_ pairs: [(String, String?)], encoding: QueryEncoding? = nil) -> Self {
        setFields(encoding) { QueryValue.members(of: pairs) }
    }

    /// Sends the properties of an `Encodable` value as form fields, in their order; ``QueryEncoding/keys`` says how
    /// their names are written.
    @_disfavoredOverload
    @discardableResult
    public func fields(_ value: some Encodable, encoding: QueryEncoding? = nil) -> Self {
        setFields(encoding) { () throws(QueryEncodingError) in
            try QueryValue.properties(of: value)
        }
    }

    /// Allows content in a GET or OPTIONS request, for servers that require one there, as some search APIs do.
    ///
    ///     server.request("GET", "_search").json(query).allowsContent()
    ///
    /// The content of a GET request has no defined meaning (RFC 9110 §9.3.1): proxies and caches may drop it, or answer
    /// without regard to it, and some servers refuse it. HEAD and TRACE requests never carry content. For other methods
    /// it changes nothing.
    @discardableResult
    public func allowsContent() -> Self {
        modify { $0.isContentAllowed = true }
    }

    /// Sends text in UTF-8.
    @discardableResult
    public func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> Self {
        modify { $0.setContent(.data(Data(text.utf8)), contentType: contentType) }
    }

    /// Sets an array or a dictionary, whose keys are sorted, as the content.
    func setJSON(_ value: Any, _ options: JSONSerialization.WritingOptions) -> Self {
        setJSON(.jsonEncodingFailed) { [encoder = draft.coding.json.encoder] in
            guard JSONSerialization.isValidJSONObject(value) else {
                // The compiler prefers these methods to the generic one, also for arrays of `Encodable` values.
                guard let encodable = EncodableElement.container(of: value) else { throw NotJSON() }
                return try encoder.encode(encodable)
            }
            return try JSONSerialization.data(
                withJSONObject: value,
                options: options.union([.sortedKeys, .withoutEscapingSlashes])
            )
        }
    }

    /// Encodes before it locks the resource, because encoding runs the caller's code.
    private func setFields(
        _ encoding: QueryEncoding?,
        _ fields: () throws(QueryEncodingError) -> [QueryValue.Member]
    ) -> Self {
        let encoding = encoding ?? draft.coding.query
        do throws(QueryEncodingError) {
            let text = try encoding.encode(fields())
            return modify { $0.setContent(.data(Data(text.utf8)), contentType: "application/x-www-form-urlencoded") }
        } catch {
            return modify { $0.fail(.fieldsEncodingFailed, "the fields cannot be encoded: \(error.reason)") }
        }
    }

    /// Encodes before it locks the resource, because encoding runs the caller's code.
    private func setJSON(_ code: SwiftyError.Code, _ encode: () throws -> Data) -> Self {
        do {
            let data = try encode()
            return modify { $0.setContent(.data(data), contentType: "application/json") }
        } catch {
            return modify { $0.fail(code, "the content cannot be encoded as JSON: \(error)", underlying: error) }
        }
    }
}

/// The error of a value that JSON cannot express.
private struct NotJSON: Error, CustomStringConvertible {
    var description: String { "it has a value that is not a string, finite number, Bool, array, dictionary or null" }
}

/// An element of an array or a dictionary without a common type.
private struct EncodableElement: Encodable {
    let value: any Encodable

    func encode(to encoder: any Encoder) throws {
        // By a container, so that the strategies of the encoder apply to dates and data.
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    /// The array or dictionary as an `Encodable` value; `nil` if an element is none.
    static func container(of value: Any) -> (any Encodable)? {
        switch value {
        case let array as [Any]:
            let elements = array.compactMap { ($0 as? any Encodable).map(EncodableElement.init) }
            return elements.count == array.count ? elements : nil
        case let object as [String: Any]:
            let members = object.compactMapValues { ($0 as? any Encodable).map(EncodableElement.init) }
            return members.count == object.count ? members : nil
        default: return nil
        }
    }
}
