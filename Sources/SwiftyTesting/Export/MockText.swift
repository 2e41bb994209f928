// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// Writes answers as the text of a mock file: the inverse of the parser.
struct MockText {
    private let answers: [Answer]

    /// - Parameter indentsJSON: Whether JSON on one line gets a line for each member.
    init(_ answers: [MockResponse], indentsJSON: Bool) {
        self.answers = answers.map { Answer($0, indentsJSON: indentsJSON) }
    }

    /// The extension of the file: that of messages, unless some content is binary, or cannot be written in a message.
    var suffix: String { answers.allSatisfy(\.isPlainMessage) ? ".http" : ".response.json" }

    /// The content of a file.
    ///
    /// - Parameter name: The name of the file, whose extension determines the format.
    /// - Throws: ``SwiftyError/Code/fileUnwritable`` if the extension is unknown, or its format cannot express the
    ///   answers.
    func bytes(forFileNamed name: String) throws(SwiftyError) -> [UInt8] {
        let reason: String
        switch MockFormat(ofFileNamed: name) {
        case .messages where answers.allSatisfy(\.canBeMessage):
            return Array(answers.map(\.message).joined(separator: "###\n".utf8))
        case .messages: reason = "its content would be read as the end of an answer; use the extension .response.json"
        case .envelope:
            let objects = answers.map(\.envelope)
            let text = objects.count == 1 ? objects[0] : "[\n\(objects.joined(separator: ",\n"))\n]"
            return Array("\(text)\n".utf8)
        case .content: reason = "the name of a mock file with status and fields ends in .http or .response.json"
        }
        throw SwiftyError(
            .fileUnwritable,
            stage: .content,
            reason: "the mock file \(name) cannot be written: \(reason)"
        )
    }
}

/// One answer as it is written: without the fields that a mocked response does not have.
private struct Answer {
    private let failure: SwiftyError?
    private let head: ResponseHead
    private let fields: HTTPFields
    private let content: Data

    init(_ answer: MockResponse, indentsJSON: Bool) {
        switch answer.outcome {
        case .failure(let error):
            (failure, head, fields, content) = (error, ResponseHead(statusCode: 0), [:], Data())
        case .response(let head, let content):
            (failure, self.head) = (nil, head)
            fields = head.headers.forMockFile(hasContent: !content.isEmpty)
            // The length of a part is that of its range.
            let mayBeIndented = indentsJSON && head.statusCode != 206 && fields.isJSON && !fields.hasDigest
            self.content = mayBeIndented ? Self.indented(content) ?? content : content
        }
    }

    /// The content with a line for each member and element; `nil` if it is not JSON, or already has several lines.
    private static func indented(_ content: Data) -> Data? {
        guard !content.contains(.lineFeed) else { return nil }
        return JSONText(content).map { Data($0.formatted(indentation: 2)) }
    }

    /// The failure as written in a mock file: its code, or the general one if a file cannot name it, and its reason.
    private var failureText: String? {
        guard let failure else { return nil }
        let hasName = SwiftyError.Code.ofTransports.contains(failure.code)
        return "\(hasName ? failure.code : .transportFailed) \(Redaction.line(failure.reason))"
    }

    /// Whether braces could be read as a variable.
    private var hasBraces: Bool {
        content.firstRange(of: Data("{{".utf8)) != nil || fields.contains { $0.value.contains("{{") }
    }

    private var isText: Bool {
        !content.contains { $0.isASCIIControl && !$0.isSpaceTabOrLineEnd }
            && String(validating: content, as: UTF8.self) != nil
    }
}

// MARK: - Messages

extension Answer {
    /// Whether a message can express the answer, and is text.
    var isPlainMessage: Bool { isText && canBeMessage }

    /// Whether a message can express the content.
    var canBeMessage: Bool { !needsLength || !looksMissing }

    /// Whether the content gets an explicit length. Without one, the parser would end it at a separator, or take its
    /// last CR for a part of the line break after it; binary content always has one.
    private var needsLength: Bool {
        !isText || content.last == .carriageReturn || content.starts(with: Self.separator)
            || content.firstRange(of: Data([.lineFeed] + Self.separator)) != nil
    }

    /// Whether nothing but line breaks comes before a separator or the end. With a length, the parser takes that for a
    /// response to HEAD, which has no content.
    private var looksMissing: Bool {
        let rest = content.drop { $0 == .lineFeed || $0 == .carriageReturn }
        return rest.isEmpty || rest.starts(with: Self.separator)
    }

    private static let separator = Array("###".utf8)

    var message: Data {
        if let failureText { return Data("# @failure \(failureText)\n".utf8) }
        var text = hasBraces ? "# @verbatim\n" : ""
        let reason = Redaction.oneLine(head.reasonPhrase)
        text += "HTTP/\(head.httpVersion.rawValue) \(head.statusCode)\(reason.isEmpty ? "" : " \(reason)")\n"
        for field in fields { text += "\(field.name.rawName): \(field.value)\n" }
        if content.isEmpty { return Data(text.utf8) }
        if needsLength { text += "Content-Length: \(content.count)\n" }
        return Data("\(text)\n".utf8) + content + [.lineFeed]
    }
}

// MARK: - Envelopes

extension Answer {
    var envelope: String {
        var members: [String] = []
        if let failureText {
            members.append("\"failure\": \(Self.quoted(failureText))")
        } else {
            members.append("\"status\": \(head.statusCode)")
            if !fields.isEmpty { members.append("\"headers\": {\n\(fieldLines)\n  }") }
            if hasBraces { members.append("\"verbatim\": true") }
            if !content.isEmpty { members.append(contentMember) }
        }
        return "{\n" + members.map { "  \($0)" }.joined(separator: ",\n") + "\n}"
    }

    private var contentMember: String {
        guard isText else { return "\"base64\": \"\(content.base64EncodedString())\"" }
        let text = String(decoding: content, as: UTF8.self)
        return "\"body\": \(isBareJSON ? text : Self.quoted(text))"
    }

    /// Whether the content is an object or an array without spaces around it, which is parsed as written.
    private var isBareJSON: Bool {
        guard let first = content.first, let last = content.last, fields.isJSON else { return false }
        guard "{[".utf8.contains(first), "}]".utf8.contains(last), JSONText(content) != nil else { return false }
        // In the file it is nested deeper, in the object of its answer and in the array of all, and may be too deep.
        return JSONText(Array("[[".utf8) + content + Array("]]".utf8)) != nil
    }

    /// The fields, grouped by name.
    private var fieldLines: String {
        var names: [HTTPField.Name] = []
        for field in fields where !names.contains(field.name) { names.append(field.name) }
        let lines = names.map { name in
            let values = fields[values: name].map(Self.quoted)
            let value = values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]"
            return "    \(Self.quoted(name.rawName)): \(value)"
        }
        return lines.joined(separator: ",\n")
    }

    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}

// MARK: - Fields

extension HTTPFields {
    /// The fields without those of the connection and of the framing (RFC 9110 §7.6.1): a mocked response has neither.
    ///
    /// - Parameter hasContent: Whether the response has content. One without it may keep its `Content-Length`: that of
    ///   a response to HEAD is the length of what GET returns.
    fileprivate func forMockFile(hasContent: Bool) -> HTTPFields {
        let named = self[values: .connection].flatMap { $0.lowercased().split(separator: ",") }
        let dropped = Set(named.map { String($0.trimmingSpacesAndTabs()) }).union(Self.hopByHop)
        return filter { field in
            let name = field.name.canonicalName
            let isFraming = name == "content-length" && (hasContent || field.value == "0")
            return !dropped.contains(name) && !isFraming
        }
    }

    private static let hopByHop: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Whether the content is one JSON document, and not several as in `application/x-ndjson`.
    fileprivate var isJSON: Bool { self[.contentType].map(MediaType.isJSON) ?? false }

    /// Whether a field has a digest of the content, which must then not change.
    fileprivate var hasDigest: Bool {
        contains { ["content-md5", "digest", "content-digest", "repr-digest"].contains($0.name.canonicalName) }
    }
}
