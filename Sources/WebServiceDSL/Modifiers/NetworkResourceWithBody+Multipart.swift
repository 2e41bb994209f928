// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// Each modifier adds a part to `multipart/form-data` content (RFC 7578), in the order of the calls.
///
/// The parts are read while they are sent. The content has a length if all parts have one, and can be sent again if all
/// parts can be read again.
///
/// Names and file names are quoted as browsers do (WHATWG HTML, "multipart/form-data encoding algorithm"): `"`, CR and
/// LF become `%22`, `%0D` and `%0A`; before that, line ends in names become CR LF. Another control character, and one
/// in a media type or header field, fails the load with ``SwiftyError/Code/invalidHeader``; so does a header field
/// `Content-Disposition`.
extension NetworkResourceWithBody {
    /// Adds a part with a text value.
    ///
    /// - Parameters:
    ///   - name: The name of the part.
    ///   - value: The text.
    ///   - headers: Further header fields of the part.
    @discardableResult
    public func multipart(name: String, value: String, headers: [String: String] = [:]) -> Self {
        multipart(name: name, data: Data(value.utf8), headers: headers)
    }

    /// Adds a part with the text that a value has as a query parameter or form field: a number, a `Bool`, a `Date`, an
    /// enum with a raw value.
    ///
    /// A value without a text form, or with several elements, fails the load with
    /// ``SwiftyError/Code/fieldsEncodingFailed``.
    ///
    /// - Parameters:
    ///   - name: The name of the part.
    ///   - value: The value. For `nil` there is no part, or an empty one, as the encoding says.
    ///   - encoding: The encoding; that of the ``WebService`` if `nil`.
    ///   - headers: Further header fields of the part.
    @_disfavoredOverload
    @discardableResult
    public func multipart(
        name: String,
        value: Any?,
        encoding: QueryEncoding? = nil,
        headers: [String: String] = [:]
    ) -> Self {
        let encoding = encoding ?? draft.coding.query
        do throws(QueryEncodingError) {
            if let value, let text = try encoding.text(ofAny: value) {
                return multipart(name: name, value: text, headers: headers)
            }
            return encoding.nils == .omitted ? self : multipart(name: name, value: "", headers: headers)
        } catch {
            return modify { $0.fail(.fieldsEncodingFailed, "the part \(name) cannot be encoded: \(error.reason)") }
        }
    }

    /// Adds a part with bytes.
    ///
    /// - Parameters:
    ///   - name: The name of the part.
    ///   - data: The bytes.
    ///   - fileName: The file name for the server; none if `nil`.
    ///   - contentType: The media type; none if `nil`.
    ///   - headers: Further header fields of the part.
    @discardableResult
    public func multipart(
        name: String,
        data: Data,
        fileName: String? = nil,
        contentType: String? = nil,
        headers: [String: String] = [:]
    ) -> Self {
        addPart(name, fileName: fileName, contentType: contentType, headers: headers, content: .data(data))
    }

    /// Adds a part with the content of a file, which is read while it is sent; see
    /// ``NetworkResourceWithBody/file(_:contentType:)``.
    ///
    /// - Parameters:
    ///   - name: The name of the part.
    ///   - path: The path of the file.
    ///   - fileName: The file name for the server; the file's own name if `nil`.
    ///   - contentType: The media type; if `nil`, it follows from the extension of the file name.
    ///   - headers: Further header fields of the part.
    @discardableResult
    public func multipart(
        name: String,
        file path: String,
        fileName: String? = nil,
        contentType: String? = nil,
        headers: [String: String] = [:]
    ) -> Self {
        let fileName = fileName ?? path.split(separator: "/").last.map(String.init) ?? path
        let contentType = contentType ?? MediaType.forFile(named: fileName)
        return addPart(name, fileName: fileName, contentType: contentType, headers: headers, content: .file(path: path))
    }

    /// Adds a part with the elements of an asynchronous sequence, which are taken while they are sent.
    ///
    /// - Parameters:
    ///   - name: The name of the part.
    ///   - makeChunks: Makes the sequence; called once for each time that the part is sent.
    ///   - fileName: The file name for the server; none if `nil`.
    ///   - contentType: The media type; none if `nil`.
    ///   - length: The number of bytes, if it is known; another number fails the load with
    ///     ``SwiftyError/Code/contentUnreadable``.
    ///   - headers: Further header fields of the part.
    ///   - isReplayable: Whether `makeChunks` may be called again, for another attempt, and then makes a sequence of
    ///     the same bytes.
    @discardableResult
    public func multipart<Chunks: AsyncSequence>(
        name: String,
        stream makeChunks: @escaping @Sendable () async throws -> Chunks,
        fileName: String? = nil,
        contentType: String? = nil,
        length: Int64? = nil,
        headers: [String: String] = [:],
        isReplayable: Bool = true
    ) -> Self where Chunks.Element == Data, Chunks: SendableMetatype, Chunks.AsyncIterator: SendableMetatype {
        let body = ContentStream(length: length, isReplayable: isReplayable, sequence: makeChunks)
        return modify { $0.checkLength(ofStream: length) }
            .addPart(name, fileName: fileName, contentType: contentType, headers: headers, content: .stream(body))
    }

    /// Adds a part that a closure writes while it is sent; see ``ContentWriter``.
    ///
    /// - Parameters:
    ///   - name: The name of the part.
    ///   - write: Writes the content of the part; runs once for each time that it is sent.
    ///   - fileName: The file name for the server; none if `nil`.
    ///   - contentType: The media type; none if `nil`.
    ///   - length: The number of bytes, if it is known; another number fails the load with
    ///     ``SwiftyError/Code/contentUnreadable``.
    ///   - headers: Further header fields of the part.
    ///   - isReplayable: Whether the closure may run again, for another attempt, and then writes the same bytes.
    @discardableResult
    public func multipart(
        name: String,
        stream write: @escaping @Sendable (ContentWriter) async throws -> Void,
        fileName: String? = nil,
        contentType: String? = nil,
        length: Int64? = nil,
        headers: [String: String] = [:],
        isReplayable: Bool = true
    ) -> Self {
        let body = ContentStream(length: length, isReplayable: isReplayable, writing: write)
        return modify { $0.checkLength(ofStream: length) }
            .addPart(name, fileName: fileName, contentType: contentType, headers: headers, content: .stream(body))
    }

    private func addPart(
        _ name: String,
        fileName: String?,
        contentType: String?,
        headers: [String: String],
        content: DraftContent
    ) -> Self {
        let part = MultipartForm.Part(
            name: name,
            fileName: fileName,
            contentType: contentType,
            headers: headers,
            content: content
        )
        return modify { draft in
            if let error = part.validationError { draft.fail(.invalidHeader, error) }
            var form = MultipartForm()
            if case .multipart(let existing) = draft.content { form = existing }
            form.parts.append(part)
            draft.setContent(.multipart(form), contentType: form.contentType)
        }
    }
}
