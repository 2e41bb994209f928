// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

/// Reads the responses of a mock file in the format of HTTP messages.
///
///     # Lines that begin with "#" before a status line are comments; "# @" begins a setting.
///     # @latency 200 ms
///     HTTP/1.1 200 OK
///     Content-Type: application/json
///
///     {"login": "{{user}}"}
///     ###
///     # @failure connectionLost
///
/// A line `###`, optionally followed by a title, separates one answer from the next. The line break before it, and that
/// at the end of the file, do not belong to the content. With a `Content-Length`, the content has exactly that length,
/// even if it contains such lines.
struct MockMessageParser {
    private var lines: MockLines
    private let variables: MockVariables

    static func responses(
        in bytes: [UInt8],
        _ variables: MockVariables
    ) throws(MockSyntaxError) -> [MockResponse] {
        var parser = MockMessageParser(lines: MockLines(bytes), variables: variables)
        var responses: [MockResponse] = []
        while let response = try parser.next() { responses.append(response) }
        if responses.isEmpty { throw MockSyntaxError(1, missingStatusLine) }
        return responses
    }

    private static let missingStatusLine = "there is no status line, such as \"HTTP/1.1 200 OK\""

    /// The next answer; `nil` at the end of the file.
    private mutating func next() throws(MockSyntaxError) -> MockResponse? {
        var settings = MockSettings()
        while let line = lines.next() {
            if line.isEmpty { continue }
            if lines.isSeparator(line) {
                if let answer = try failure(settings) { return answer }
            } else if line.first == UInt8(ascii: "#") {
                try read(comment: line, &settings)
            } else {
                if settings.failure != nil {
                    throw MockSyntaxError(
                        lines.number,
                        "an answer with a failure has no response; separate them by ###"
                    )
                }
                let start = lines.number
                let response = try response(statusLine: line, settings)
                return try settings.applied(to: response, line: start)
            }
        }
        return try failure(settings)
    }

    /// The answer of settings without a response: a failure; `nil` if nothing was set.
    private func failure(_ settings: MockSettings) throws(MockSyntaxError) -> MockResponse? {
        if let error = settings.failure { return try settings.applied(to: .failure(error), line: lines.number) }
        if settings.isEmpty { return nil }
        throw MockSyntaxError(lines.number, Self.missingStatusLine)
    }

    private func read(comment: ArraySlice<UInt8>, _ settings: inout MockSettings) throws(MockSyntaxError) {
        let text = comment.dropFirst().trimmingSpacesAndTabs()
        guard text.first == UInt8(ascii: "@") else { return }
        let name = text.dropFirst().prefix { !$0.isSpaceOrTab }
        let value = text[name.endIndex...].trimmingSpacesAndTabs()
        try settings.set(
            Substring(decoding: name, as: UTF8.self),
            to: Substring(decoding: value, as: UTF8.self),
            line: lines.number
        )
    }

    private mutating func response(
        statusLine: ArraySlice<UInt8>,
        _ settings: MockSettings
    ) throws(MockSyntaxError) -> MockResponse.Outcome {
        let status = try readStatus(statusLine)
        let variables = settings.isVerbatim ? nil : self.variables
        var (headers, hasContent) = try readFields(variables)
        let first = lines.number + 1
        let raw = hasContent ? try readContent(headers) : []
        if !raw.isEmpty, MockResponse.hasNoContent(status.code) {
            throw MockSyntaxError(first, "a response with status \(status.code) has no content")
        }
        let isJSON = headers[.contentType].map(MediaType.isJSON) ?? false
        let content = try variables?.fill(raw, line: first, isJSON: isJSON) ?? raw
        if content.count != raw.count, headers.contains(.contentLength) {
            headers[.contentLength] = "\(content.count)"
        }
        let head = ResponseHead(
            statusCode: status.code,
            reasonPhrase: status.reason,
            httpVersion: status.version,
            headers: headers
        )
        return .response(head, content: Data(content))
    }

    private func readStatus(
        _ line: ArraySlice<UInt8>
    ) throws(MockSyntaxError) -> (version: ResponseHead.HTTPVersion, code: Int, reason: String) {
        let parts = line.split(separator: .space, maxSplits: 2, omittingEmptySubsequences: false)
        let texts = parts.map { String(decoding: $0, as: UTF8.self) }
        guard texts.count >= 2, texts[0].hasPrefix("HTTP/"),
            let version = ResponseHead.HTTPVersion(rawValue: String(texts[0].dropFirst(5))),
            let code = Int(texts[1]), texts[1].utf8.count == 3
        else {
            let text = Redaction.oneLine(String(decoding: line, as: UTF8.self))
            throw MockSyntaxError(lines.number, "\"\(text)\" is not a status line, such as \"HTTP/1.1 200 OK\"")
        }
        if code < 200 { throw MockSyntaxError(lines.number, "the status \(code) is not that of a final response") }
        return (version, code, texts.count > 2 ? texts[2] : "")
    }

    /// - Returns: The fields, and whether an empty line ends them, so that content may follow.
    private mutating func readFields(
        _ variables: MockVariables?
    ) throws(MockSyntaxError) -> (headers: HTTPFields, hasContent: Bool) {
        var headers = HTTPFields()
        while let line = lines.next() {
            if line.isEmpty { return (headers, true) }
            if lines.isSeparator(line) {
                lines.goBack()
                return (headers, false)
            }
            headers.append(try readField(line, variables))
        }
        return (headers, false)
    }

    private func readField(
        _ line: ArraySlice<UInt8>,
        _ variables: MockVariables?
    ) throws(MockSyntaxError) -> HTTPField {
        let text = Redaction.oneLine(String(decoding: line, as: UTF8.self))
        guard let colon = line.firstIndex(of: .colon),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        else {
            throw MockSyntaxError(
                lines.number,
                "\"\(text)\" is not a header field, such as \"Content-Type: text/plain\""
            )
        }
        if name == .transferEncoding {
            throw MockSyntaxError(lines.number, "the content is not coded for the transfer; remove Transfer-Encoding")
        }
        let raw = Array(line[(colon + 1)...].trimmingSpacesAndTabs())
        let value = try variables?.fill(raw, line: lines.number) ?? raw
        let decoded = String(decoding: value, as: UTF8.self)
        guard HTTPField.isValidValue(decoded) else {
            throw MockSyntaxError(lines.number, "the value of \(name) contains a control character")
        }
        return HTTPField(name: name, value: decoded)
    }

    private mutating func readContent(_ headers: HTTPFields) throws(MockSyntaxError) -> [UInt8] {
        guard let text = headers[.contentLength] else { return Array(lines.takeUntilSeparator()) }
        let line = lines.number
        guard let length = Int(text), length >= 0 else {
            throw MockSyntaxError(line, "the Content-Length \"\(text)\" is not a number of bytes")
        }
        // A response to HEAD announces a length, but has no content.
        if lines.isBlankUntilSeparator { return [] }
        let start = lines
        guard let content = lines.take(length), lines.isBlankUntilSeparator else {
            var all = start
            let count = all.takeUntilSeparator().count
            throw MockSyntaxError(
                line,
                "the Content-Length is \(length), but the content has \(count) bytes; correct or remove the field"
            )
        }
        return Array(content)
    }
}
