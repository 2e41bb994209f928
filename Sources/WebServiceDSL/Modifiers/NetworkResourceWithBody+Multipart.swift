// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// Each modifier adds a part to a `multipart/form-data` body (RFC 7578), in the order of the calls.
///
/// A control character in a name, file name or media type fails the load with ``SwiftyError/Code/invalidHeader``.
extension NetworkResourceWithBody {
    /// Adds a part with a text value.
    @discardableResult
    public func multipart(name: String, value: String) -> Self {
        addPart(MultipartForm.Part(name: name, fileName: nil, mimeType: nil, content: .data(Data(value.utf8))))
    }

    /// Adds a part with bytes.
    @discardableResult
    public func multipart(
        data: Data,
        withName name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) -> Self {
        addPart(MultipartForm.Part(name: name, fileName: fileName, mimeType: mimeType, content: .data(data)))
    }

    /// Adds a part with the content of a file, which is read into memory for each attempt.
    ///
    /// A file that cannot be read fails the load with ``SwiftyError/Code/bodyUnreadable``.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name of the part.
    ///   - fileName: The file name for the server; the file's own name if `nil`.
    ///   - mimeType: The media type; if `nil`, it follows from the extension of the file name.
    @discardableResult
    public func multipart(
        file path: String,
        withName name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) -> Self {
        let fileName = fileName ?? path.split(separator: "/").last.map(String.init) ?? path
        let mimeType = mimeType ?? MediaType.forFile(named: fileName)
        return addPart(
            MultipartForm.Part(name: name, fileName: fileName, mimeType: mimeType, content: .file(path: path))
        )
    }

    private func addPart(_ part: MultipartForm.Part) -> Self {
        modify { draft in
            if let error = part.validationError { draft.fail(.invalidHeader, error) }
            var form = MultipartForm()
            if case .multipart(let existing) = draft.body { form = existing }
            form.parts.append(part)
            draft.setBody(.multipart(form), contentType: form.contentType)
        }
    }
}
