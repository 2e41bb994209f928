// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

extension EntryRedactor {
    /// The content without the values of secret members and fields.
    mutating func redact(_ content: HARContent) -> HARContent {
        guard content.encoding == nil, let text = content.text else { return content }
        var content = content
        let type = content.mimeType.lowercased()
        if type.contains("json") {
            content.text = redact(json: text) ?? redact(jsonLines: text)
        } else if type.contains("x-www-form-urlencoded") {
            content.text = String(redact(url: "?" + text).dropFirst())
        } else if type.hasPrefix("multipart/form-data") {
            keepParts(of: text)
        }
        return content
    }

    /// Keeps the values of secret fields in multipart content (RFC 7578).
    private mutating func keepParts(of text: String) {
        for part in text.split(separator: "\r\n--") {
            guard let end = part.firstRange(of: "\r\n\r\n"),
                let name = (try? #/[; ]name="([^"]*)"/#.firstMatch(in: part[..<end.lowerBound]))?.1
            else { continue }
            if redaction.isSecret(name) { keep(String(part[end.upperBound...])) }
        }
    }

    /// Lines of JSON, such as those of a stream. What is no JSON stays as it is.
    private mutating func redact(jsonLines text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { redact(json: String($0)) ?? String($0) }.joined(separator: "\n")
    }

    /// JSON with the values of secret members replaced, and otherwise as it was written; `nil` for another text.
    private mutating func redact(json: String) -> String? {
        let bytes = Array(json.utf8)
        guard (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil else {
            return nil
        }
        var ranges: [Range<Int>] = []
        findSecrets(in: bytes[...], &ranges)
        var (result, start) = ([UInt8](), 0)
        for range in ranges {
            result += bytes[start..<range.lowerBound] + "\"\(Redaction.placeholder)\"".utf8
            start = range.upperBound
        }
        return String(decoding: result + bytes[start...], as: UTF8.self)
    }

    private mutating func findSecrets(in value: ArraySlice<UInt8>, _ ranges: inout [Range<Int>]) {
        let slices = JSONSlices(value)
        for member in slices.members {
            if redaction.isSecret(Self.unescaped(member.name)), !member.value.elementsEqual("null".utf8) {
                let text = try? JSONDecoder().decode(String.self, from: Data(member.value))
                keep(text ?? String(decoding: member.value, as: UTF8.self))
                ranges.append(member.value.startIndex..<member.value.endIndex)
            } else {
                findSecrets(in: member.value, &ranges)
            }
        }
    }

    private static func unescaped(_ name: String) -> String {
        guard name.contains("\\") else { return name }
        return (try? JSONDecoder().decode(String.self, from: Data("\"\(name)\"".utf8))) ?? name
    }
}
