// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The parts of the message, for requests that were described in another way.
extension RequestDraft {
    /// Makes the draft of a GET request without a URL, outside of any service.
    package init() {
        self.init(method: .get, template: "", coding: .standard)
    }

    /// The bytes of the content; `nil` without content, and if it is produced while it is sent.
    package var contentData: Data? {
        if case .data(let data) = content { data } else { nil }
    }

    /// Whether the content is produced while it is sent.
    package var hasProducedContent: Bool { content != nil && contentData == nil }

    /// The header fields that were set, with the type of the content.
    package var fieldsWithContentType: HTTPFields {
        var fields = headers
        if let contentType, content != nil, !fields.contains(.contentType) { fields[.contentType] = contentType }
        return fields
    }

    /// Sets the target in place of the base URL, the path and all parameters. Its fragment is not sent.
    package mutating func setTarget(_ url: URL?) {
        setTarget(url?.absoluteString ?? "")
    }

    /// Sets the target of the text of a URL.
    mutating func setTarget(_ text: String) {
        query = ""
        do throws(TargetURI.ValidationError) {
            let target = try Self.target(text)
            (self.target, template, hasTemplate) = (target, target.path, false)
        } catch {
            fail(.invalidURL, "the URL \"\(Redaction.redact(malformed: text))\" cannot be used: \(error.reason)")
        }
    }

    /// The target of the text of a URL. Its origin, the costly part, is looked up among those of base URLs.
    private static func target(_ text: String) throws(TargetURI.ValidationError) -> TargetURI {
        var slashes = 0
        let end = text.utf8.firstIndex { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            return slashes == 3 || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        }
        guard let end else { return try BaseTarget.target(of: text).target }
        let origin = try BaseTarget.target(of: String(text[..<end])).target
        let parts = text[end...].prefix { $0 != "#" }.split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        return origin.replacing(path: String(parts.first ?? ""), query: parts.count > 1 ? String(parts[1]) : nil)
    }

    package mutating func setMethod(_ text: String) {
        guard let method = HTTPRequest.Method(text), method != .connect else {
            return fail(.invalidMethod, "\"\(Redaction.oneLine(text))\" cannot be the method of a request")
        }
        self.method = method
    }

    /// Sets header fields in place of all others, and of the type of the content.
    package mutating func replaceHeaders(with fields: [String: String]) {
        (headers, contentType) = ([:], nil)
        setHeaders(fields)
    }

    /// Sets the bytes of the content, whose type is among the header fields; `nil` removes the content.
    package mutating func replaceContent(with data: Data?) {
        content = data.map { .data($0) }
    }

    /// Sets content that can be read once, whose type is among the header fields.
    ///
    /// - Parameter length: The number of bytes; `nil` if it is not known.
    package mutating func replaceContent<Chunks: AsyncSequence>(
        length: Int64?,
        sequence makeChunks: @escaping @Sendable () async throws -> Chunks
    ) where Chunks.Element == Data, Chunks: SendableMetatype, Chunks.AsyncIterator: SendableMetatype {
        checkLength(ofStream: length)
        content = .stream(ContentStream(length: length, isReplayable: false, sequence: makeChunks))
    }

    /// Sets the limit for silence.
    package mutating func setIdleTimeout(_ limit: Duration) {
        if limit <= .zero { fail(.invalidTimeout, "the time limit is \(limit); it must be longer than zero") }
        timeouts.idle = limit
    }

    /// Method, URL, header fields and content, on several lines, without secrets.
    package var details: String {
        let redactor = redactor
        let fields = fieldsWithContentType
        var lines = [summary.description]
        lines += fields.map { "\($0.name.rawName): \(redactor.value($0.value, of: $0.name.rawName))" }
        if let creationError { lines.append("# \(redactor.text(creationError.description))") }
        if let content {
            lines += ["", ExplainedContent(contentType: fields[.contentType], redactor: redactor).text(of: content)]
        }
        return lines.joined(separator: "\n")
    }
}
