// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Each of these sets the body in place of the one before, and `Content-Type` unless the request has one of its own.
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
        let encoder = encoder ?? draft.coding.encoder
        return setJSON(.encodingFailed) { try encoder.encode(value) }
    }

    /// Sends a dictionary as a JSON object, its keys in sorted order.
    ///
    /// What JSON cannot express fails the load with ``SwiftyError/Code/jsonEncodingFailed``.
    @discardableResult
    public func json(_ object: [String: Any]) -> Self {
        setJSON(object, [])
    }

    /// Sends an array as a JSON array.
    @discardableResult
    public func json(_ array: [Any]) -> Self {
        setJSON(array, [])
    }

    /// Sends form fields as `application/x-www-form-urlencoded`, written like query parameters.
    @discardableResult
    public func fields(_ fields: [String: Any?], encoding: QueryEncoding? = nil) -> Self {
        let encoding = encoding ?? draft.coding.query
        do throws(QueryEncodingError) {
            let text = try encoding.encode(QueryValue.sorted(fields))
            return modify { $0.setBody(.data(Data(text.utf8)), contentType: "application/x-www-form-urlencoded") }
        } catch {
            return modify { $0.fail(.fieldsEncodingFailed, "the fields cannot be encoded: \(error.reason)") }
        }
    }

    /// Sends text in UTF-8.
    @discardableResult
    public func text(_ text: String, mimeType: String = "text/plain; charset=utf-8") -> Self {
        modify { $0.setBody(.data(Data(text.utf8)), contentType: mimeType) }
    }

    /// Sends the content of a file, which is read when the request is loaded.
    ///
    /// A file that cannot be read fails the load with ``SwiftyError/Code/bodyUnreadable``.
    ///
    /// - Parameter mimeType: the media type; guessed from the file's extension if `nil`.
    @discardableResult
    public func file(_ path: String, mimeType: String? = nil) -> Self {
        modify { $0.setBody(.file(path: path), contentType: mimeType ?? MediaType.forFile(named: path)) }
    }

    /// Sends what an asynchronous sequence produces.
    ///
    /// - Parameters:
    ///   - length: the number of bytes, if it is known; another number fails the load.
    ///   - mimeType: the media type.
    ///   - makeChunks: makes the sequence; called once for each load and each attempt.
    @discardableResult
    public func stream<Chunks: AsyncSequence>(
        length: Int64? = nil,
        mimeType: String = "application/octet-stream",
        _ makeChunks: @escaping @Sendable () async throws -> Chunks
    ) -> Self where Chunks.Element == Data, Chunks: SendableMetatype, Chunks.AsyncIterator: SendableMetatype {
        let body = StreamedBody(length: length) { write in
            for try await chunk in try await makeChunks() { try write(chunk) }
        }
        return modify { $0.setBody(.stream(body), contentType: mimeType) }
    }

    /// Sends an array or a dictionary, whose keys are sorted.
    func setJSON(_ value: Any, _ options: JSONSerialization.WritingOptions) -> Self {
        setJSON(.jsonEncodingFailed) {
            guard JSONSerialization.isValidJSONObject(value) else { throw NotJSON() }
            return try JSONSerialization.data(
                withJSONObject: value,
                options: options.union([.sortedKeys, .withoutEscapingSlashes])
            )
        }
    }

    /// Encodes before it takes the resource's lock, since encoding runs the caller's code.
    private func setJSON(_ code: SwiftyError.Code, _ encode: () throws -> Data) -> Self {
        do {
            let data = try encode()
            return modify { $0.setBody(.data(data), contentType: "application/json") }
        } catch {
            return modify { $0.fail(code, "the body cannot be encoded as JSON: \(error)", underlying: error) }
        }
    }
}

/// A value that JSON has no form for.
private struct NotJSON: Error, CustomStringConvertible {
    var description: String { "it holds a value that is not a string, number, Bool, array, dictionary or null" }
}
