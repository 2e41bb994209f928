// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

extension EntryRedactor {
    /// The content without the values that have names of secrets.
    mutating func redact(_ content: HARContent, coded codings: String? = nil) -> HARContent {
        guard let bytes = content.decoded(codings) else { return content }
        let redacted = redact(bytes, type: content.mimeType)
        return redacted == bytes ? content : content.replaced(by: redacted)
    }

    private mutating func redact(_ bytes: [UInt8], type: String) -> [UInt8] {
        let type = type.lowercased()
        if type.hasPrefix("multipart/") { return redact(parts: bytes) }
        if type.contains("x-www-form-urlencoded") { return scan(bytes, as: .form) }
        // Text has no zero bytes, and nearly all other content has some.
        let isText = ["json", "text/", "xml", "javascript"].contains { type.contains($0) }
        return isText || !bytes.contains(0) ? scan(bytes) : bytes
    }

    /// Multipart content (RFC 2046 §5.1), whose parts may be anything.
    private mutating func redact(parts bytes: [UInt8]) -> [UInt8] {
        guard let lineEnd = bytes.firstIndex(of: .carriageReturn), bytes.starts(with: "--".utf8) else {
            return scan(bytes)
        }
        let delimiter = Array("\r\n".utf8) + bytes[..<lineEnd]
        // The first delimiter has no line end before it.
        let parts = (Array("\r\n".utf8) + bytes).split(separator: delimiter, omittingEmptySubsequences: false)
        let redacted = parts.map { redact(part: Array($0)) }
        return Array(redacted.joined(separator: delimiter).dropFirst(2))
    }

    private mutating func redact(part: [UInt8]) -> [UInt8] {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = part.firstRange(of: separator) else { return part }
        let head = String(decoding: part[..<end.lowerBound], as: UTF8.self)
        let content = Array(part[end.upperBound...])
        let name = (try? #/[; ]name="?([^";\r\n]*)/#.firstMatch(in: head)).map { String($0.1) }
        if let name, redaction.isSecret(name) {
            keep(String(decoding: content, as: UTF8.self))
            return Array(part[..<end.upperBound] + Redaction.placeholder.utf8)
        }
        let type = (try? #/(?i)content-type: *([^\r\n]*)/#.firstMatch(in: head)).map { String($0.1) }
        return part[..<end.upperBound] + redact(content, type: type ?? "")
    }
}

extension HARResponse {
    /// The codings of the content, if it is stored with them.
    var codings: String? {
        guard content._isCoded == true else { return nil }
        return headers.filter { $0.name.lowercased() == "content-encoding" }.map(\.value).joined(separator: ",")
    }
}

extension HARContent {
    /// The bytes without their codings, as far as these are known; `nil` if they are not in their encoding.
    fileprivate func decoded(_ codings: String?) -> [UInt8]? {
        guard let bytes else { return nil }
        return Array(codings.flatMap { try? Swifty.ContentDecoding().decode(bytes, codings: $0) } ?? bytes)
    }

    /// The content with other bytes, which are not coded.
    fileprivate func replaced(by bytes: [UInt8]) -> HARContent {
        var content = HARContent(Data(bytes), type: mimeType, isRequest: size == nil)
        content.compression = compression
        return content
    }

    /// The content without secrets that are known. What is coded and has some is stored decoded.
    func replacing(_ secrets: SecretReplacer, coded codings: String? = nil) -> HARContent {
        var content = self
        content.mimeType = secrets.replace(in: mimeType)
        guard let bytes = content.decoded(codings) else { return content }
        let isJSON = mimeType.lowercased().contains("json") || JSONLiteral.isLikely(in: bytes)
        let replaced = isJSON ? secrets.replace(inJSON: bytes) : secrets.replace(in: bytes)
        return replaced.map { content.replaced(by: $0) } ?? content
    }
}
