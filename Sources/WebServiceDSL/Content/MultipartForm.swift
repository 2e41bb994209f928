// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Content of the type `multipart/form-data` (RFC 7578).
struct MultipartForm: Sendable {
    struct Part: Sendable {
        let name: String
        let fileName: String?
        let contentType: String?
        /// The further fields of the part's header, by name.
        var headers: [String: String] = [:]
        var content: DraftContent
    }

    var parts: [Part] = []
    /// 192 random bits, so that no content can contain it by design or by chance.
    let boundary = "swifty-" + RandomToken.hexadecimal(words: 3)

    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The size up to which neighbouring parts in memory are joined.
    private static let memoryLimit = 1 << 20

    /// The same form for one load; see ``DraftContent/forLoad()``.
    func forLoad() -> MultipartForm {
        var form = self
        for index in form.parts.indices { form.parts[index].content = parts[index].content.forLoad() }
        return form
    }

    /// Opens all parts, one after another. Only small parts in memory are copied.
    func open() async throws(SwiftyError) -> NetworkRequest.Content {
        var segments: [NetworkRequest.Content] = []
        for part in parts {
            segments.append(.data(Data("--\(boundary)\r\n\(part.header)\r\n".utf8)))
            segments.append(try await part.content.open())
            segments.append(.data(Data("\r\n".utf8)))
        }
        segments.append(.data(Data("--\(boundary)--\r\n".utf8)))
        let merged = MultipartSource.merge(segments, limit: Self.memoryLimit)
        return merged.count == 1 ? merged[0] : .source(MultipartSource(merged))
    }
}

extension MultipartForm.Part {
    /// The part's header fields, each with its line end.
    var header: String {
        var text = "Content-Disposition: form-data; name=\"\(quotedName)\""
        if let fileName { text += "; filename=\"\(Self.quote(fileName))\"" }
        text += "\r\n"
        if let contentType { text += "Content-Type: \(contentType)\r\n" }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
        return text
    }

    /// The reason why the part's header cannot be sent; `nil` if it can.
    ///
    /// Control characters are refused, because they could end a line and so the header; in names, only those that are
    /// not escaped.
    var validationError: String? {
        let names = [("name", name), ("file name", fileName ?? "")]
        for (what, text) in names where text.utf8.contains(where: { $0.isASCIIControl && !$0.isLineEnd }) {
            return "the \(what) of a multipart part contains a control character"
        }
        if let contentType, contentType.utf8.contains(where: \.isASCIIControl) {
            return "the media type of a multipart part contains a control character"
        }
        return headers.keys.sorted().firstResult { fieldError($0) }
    }

    private func fieldError(_ key: String) -> String? {
        guard let name = HTTPField.Name(key), HTTPField.isValidValue(headers[key] ?? "") else {
            return "a header field of a multipart part is not valid"
        }
        if name == .contentDisposition { return "the Content-Disposition of a multipart part cannot be replaced" }
        if name == .contentType, contentType != nil { return "a multipart part has two media types" }
        return nil
    }
}

// MARK: Quoting

// As browsers do (WHATWG HTML, "multipart/form-data encoding algorithm").
extension MultipartForm.Part {
    /// The name, whose line ends are all CR LF.
    private var quotedName: String {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in name.unicodeScalars {
            switch (previous, scalar) {
            case ("\r", "\n"): break
            case (_, "\r"), (_, "\n"): result.append(contentsOf: "\r\n".unicodeScalars)
            default: result.append(scalar)
            }
            previous = scalar
        }
        return Self.quote(String(result))
    }

    /// Escapes the double quote and the characters that would end the line.
    private static func quote(_ text: String) -> String {
        text.replacingScalars(["\"": "%22", "\r": "%0D", "\n": "%0A"])
    }
}

extension UInt8 {
    fileprivate var isLineEnd: Bool { self == UInt8(ascii: "\r") || self == UInt8(ascii: "\n") }
}
