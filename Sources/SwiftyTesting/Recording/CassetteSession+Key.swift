// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

extension CassetteSession {
    /// The redacted identity of a request; requests with equal keys get the same answers.
    struct Key: Sendable {
        let method: String
        let url: String
        /// The URL with its query parameters sorted by name and in one encoding: programs write them differently.
        private let target: StoredText
        private let content: StoredText
        private let value: JSONValue?

        /// - Parameter secrets: What the request says about its secrets; a stored one says nothing.
        init(_ request: HARRequest, redaction: CassetteRedaction, secrets: RequestSecrets? = nil) {
            var redactor = EntryRedactor(redaction, secrets)
            let request = redactor.redact(request)
            method = request.method
            url = request.url
            target = StoredText(Self.ordered(request.url), delimiters: "/?&#")
            let type = request.postData?.mimeType.lowercased() ?? ""
            // The boundaries of multipart content are random.
            var text = type.hasPrefix("multipart/") ? "" : request.postData?.text ?? ""
            if type.contains("x-www-form-urlencoded") { text = FormContent.text(FormContent.items(text)) }
            content = StoredText(text)
            value = type.contains("json") ? JSONValue(Data(text.utf8)) : nil
        }

        private static func ordered(_ url: String) -> String {
            guard let mark = url.firstIndex(of: "?") else { return url }
            let items = FormContent.items(String(url[mark...].dropFirst())).enumerated()
                // Parameters of one name keep their order, which may be significant.
                .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            return url[...mark] + FormContent.text(items.map(\.element))
        }

        func isWritten(like request: Key) -> Bool {
            url == request.url && isSame(as: request)
        }

        /// Whether another request has this target and content; the query and JSON may be written differently.
        func isSame(as request: Key) -> Bool {
            guard method == request.method, target.text == request.target.text else { return false }
            return content.text == request.content.text || hasValue(of: request)
        }

        /// Whether this may be the redacted form of another request, which still contains secrets that only its
        /// response or another exchange reveals.
        func mayBe(_ request: Key) -> Bool {
            hasTarget(of: request) && (content.mayBe(request.content.text) || hasValue(of: request))
        }

        /// Whether another request may have this method and this URL.
        func hasTarget(of request: Key) -> Bool {
            method == request.method && target.mayBe(request.url)
        }

        private func hasValue(of request: Key) -> Bool {
            guard let value, let other = request.value else { return false }
            return value == other
        }

        /// The distance of another request, which ranks near misses.
        func distance(from other: Key) -> Int {
            url.editDistance(to: other.url) + (method == other.method ? 0 : 2)
        }
    }
}

/// Text in which secrets may have been replaced.
private struct StoredText: Sendable {
    let text: String
    /// The fragments between redacted secrets; `nil` if there are none.
    private let parts: [ArraySlice<UInt8>]?
    /// The bytes that a secret cannot contain in this notation.
    private let delimiters: [UInt8]

    init(_ text: String, delimiters: String = "") {
        (self.text, self.delimiters) = (text, Array(delimiters.utf8))
        let all = Array(text.utf8)
            .split(separator: Array(Redaction.placeholder.utf8), omittingEmptySubsequences: false)
        parts = all.count > 1 ? all : nil
    }

    /// Whether another string equals this one, with anything in place of the secrets.
    func mayBe(_ other: String) -> Bool {
        if text == other { return true }
        guard let parts, let first = parts.first, let last = parts.last else { return false }
        var rest = Array(other.utf8)[...]
        guard rest.starts(with: first), rest.dropFirst(first.count).suffix(last.count).elementsEqual(last) else {
            return false
        }
        rest = rest.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: part), canBeSecret(rest[..<range.lowerBound]) else { return false }
            rest = rest[range.upperBound...]
        }
        return canBeSecret(rest)
    }

    private func canBeSecret(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.contains { delimiters.contains($0) }
    }
}
