// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// A `multipart/form-data` body (RFC 7578).
struct MultipartForm: Sendable {
    struct Part: Sendable {
        let name: String
        let fileName: String?
        let mimeType: String?
        let content: BodySource
    }

    var parts: [Part] = []
    /// 192 random bits, so that no content can contain it by design or by chance.
    let boundary = "swifty-" + RandomToken.hexadecimal(words: 3)

    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// Reads and encodes all parts, one after another.
    func encode() async throws(SwiftyError) -> Data {
        var data = Data()
        for part in parts {
            data.append(Data("--\(boundary)\r\n\(part.header)\r\n".utf8))
            data.append(try await part.content.read().bytes)
            data.append(Data("\r\n".utf8))
        }
        data.append(Data("--\(boundary)--\r\n".utf8))
        return data
    }
}

extension MultipartForm.Part {
    /// The part's header fields, each with its line end.
    var header: String {
        var text = "Content-Disposition: form-data; name=\"\(Self.quote(name))\""
        if let fileName { text += "; filename=\"\(Self.quote(fileName))\"" }
        text += "\r\n"
        if let mimeType { text += "Content-Type: \(mimeType)\r\n" }
        return text
    }

    /// The error of a part with a control character in its header, which could end the line and so the header; `nil` if
    /// it has none.
    var validationError: String? {
        let texts = [("name", name), ("file name", fileName ?? ""), ("media type", mimeType ?? "")]
        for (what, text) in texts where text.utf8.contains(where: \.isASCIIControl) {
            return "the \(what) of a multipart part contains a control character"
        }
        return nil
    }

    /// Quotes as browsers do (WHATWG HTML, "multipart/form-data encoding algorithm"): a double quote becomes `%22`.
    private static func quote(_ text: String) -> String {
        text.replacing("\"", with: "%22")
    }
}

/// Random text that cannot be guessed.
enum RandomToken {
    /// Hexadecimal digits of 64 random bits for each word.
    static func hexadecimal(words: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<words).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}
