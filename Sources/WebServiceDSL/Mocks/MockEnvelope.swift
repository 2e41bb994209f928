// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Reads the responses of a mock file in JSON: an object with the members below, or an array of such objects.
///
///     {"status": 200, "headers": {"Link": "…"}, "body": {"login": "{{user}}"}, "latency": "200 ms"}
///
/// The content is a `body` that is a string, or any other `body` as it is written in the file; `base64` in place of
/// `body` allows binary content. The other members are `rate`, `cut`, `failure` and `verbatim`, as in messages, and
/// `comment`.
struct MockEnvelope {
    private var settings = MockSettings()
    private var status = 200
    private var headers = HTTPFields()
    private var content: [UInt8] = []
    private var contentType: String?
    private var contentLine = 1
    private var isResponse = false

    static func responses(
        in bytes: [UInt8],
        _ variables: MockVariables
    ) throws(MockSyntaxError) -> [MockResponse] {
        let text = bytes.withoutByteOrderMark
        // JSON in UTF-16 would also be read.
        if String(validating: text, as: UTF8.self) == nil { throw MockSyntaxError(1, "the text is not UTF-8") }
        guard let json = JSONText(text) else {
            throw MockSyntaxError(1, "this is not JSON\(mistake(in: text).map { ": \($0)" } ?? "")")
        }
        let parts = json.parts()
        if parts.isEmpty { throw MockSyntaxError(1, "there is no answer, such as {\"status\": 200}") }
        if json.isObject { return [try MockEnvelope(parts, variables).response(variables)] }
        var responses: [MockResponse] = []
        for element in parts {
            guard element.value.isObject else {
                throw MockSyntaxError(element.line, "an answer is an object, such as {\"status\": 200}")
            }
            let members = element.value.parts(fromLine: element.line)
            responses.append(try MockEnvelope(members, variables).response(variables))
        }
        return responses
    }

    private init(_ members: [JSONText.Part], _ variables: MockVariables) throws(MockSyntaxError) {
        let isVerbatim = members.contains { $0.name == "verbatim" && $0.value.bytes.elementsEqual("true".utf8) }
        var names: Set<String> = []
        for member in members {
            let isNew = names.insert(member.name == "base64" ? "body" : member.name).inserted
            if !isNew { throw MockSyntaxError(member.line, "a second \"\(member.name)\", or a second content") }
            try read(member, isVerbatim ? nil : variables)
        }
    }

    private mutating func read(
        _ member: JSONText.Part,
        _ variables: MockVariables?
    ) throws(MockSyntaxError) {
        isResponse = isResponse || ["status", "headers", "body", "base64"].contains(member.name)
        switch member.name {
        case "comment": break
        case "status": status = try Self.status(member)
        case "headers": headers = try Self.fields(member, variables)
        case "body", "base64": try readContent(member)
        case "verbatim" where !["true", "false"].contains(String(decoding: member.value.bytes, as: UTF8.self)):
            throw MockSyntaxError(member.line, "\"verbatim\" is true or false")
        case "latency", "rate", "cut", "failure", "verbatim":
            let value = (try? Self.decode(String.self, member)) ?? String(decoding: member.value.bytes, as: UTF8.self)
            try settings.set(Substring(member.name), to: value[...], line: member.line)
        default:
            throw MockSyntaxError(
                member.line,
                "an answer has no \"\(member.name)\"; there are status, headers, body, base64, latency, rate, cut, "
                    + "failure, verbatim and comment"
            )
        }
    }

    private mutating func readContent(_ member: JSONText.Part) throws(MockSyntaxError) {
        contentLine = member.line
        if member.value.bytes.elementsEqual("null".utf8) { return }
        let text = try? Self.decode(String.self, member)
        if member.name == "base64" {
            guard let bytes = text.flatMap({ Data(base64Encoded: $0) }) else {
                throw MockSyntaxError(member.line, "the text of \"base64\" is not in Base64")
            }
            (content, contentType) = (Array(bytes), "application/octet-stream")
        } else if let text {
            (content, contentType) = (Array(text.utf8), "text/plain; charset=utf-8")
        } else {
            (content, contentType) = (Array(member.value.bytes), "application/json")
        }
    }

    private func response(_ variables: MockVariables) throws(MockSyntaxError) -> MockResponse {
        if let failure = settings.failure {
            guard !isResponse else { throw MockSyntaxError(contentLine, "an answer with a failure has no response") }
            return try settings.applied(to: .failure(failure), line: contentLine)
        }
        if !content.isEmpty, MockResponse.hasNoContent(status) {
            throw MockSyntaxError(contentLine, "a response with status \(status) has no content")
        }
        var headers = headers
        if let contentType, !headers.contains(.contentType) { headers[.contentType] = contentType }
        let isJSON = headers[.contentType].map(MediaType.isJSON) ?? false
        let content =
            settings.isVerbatim ? content : try variables.fill(content, line: contentLine, isJSON: isJSON)
        let head = ResponseHead(statusCode: status, headers: headers)
        return try settings.applied(to: .response(head, content: Data(content)), line: contentLine)
    }

    private static func status(_ member: JSONText.Part) throws(MockSyntaxError) -> Int {
        guard let status = try? decode(Int.self, member), (200...999).contains(status) else {
            throw MockSyntaxError(member.line, "the status is not a number from 200 to 999")
        }
        return status
    }

    /// The fields of an object whose values are strings, or arrays of them.
    private static func fields(
        _ member: JSONText.Part,
        _ variables: MockVariables?
    ) throws(MockSyntaxError) -> HTTPFields {
        var fields = HTTPFields()
        guard member.value.isObject else {
            throw MockSyntaxError(member.line, "\"headers\" is an object, such as {\"Link\": \"…\"}")
        }
        for field in member.value.parts(fromLine: member.line) {
            guard let values = (try? decode([String].self, field)) ?? (try? [decode(String.self, field)]) else {
                throw MockSyntaxError(
                    field.line,
                    "the value of \"\(field.name)\" is neither a text nor an array of texts"
                )
            }
            guard let name = HTTPField.Name(field.name), name != .transferEncoding else {
                throw MockSyntaxError(field.line, "\"\(field.name)\" cannot be a field of a mocked response")
            }
            for value in values {
                let raw = Array(value.utf8)
                let value = String(decoding: try variables?.fill(raw, line: field.line) ?? raw, as: UTF8.self)
                guard HTTPField.isValidValue(value) else {
                    throw MockSyntaxError(field.line, "the value of \(name) contains a control character")
                }
                fields.append(HTTPField(name: name, value: value))
            }
        }
        return fields
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ member: JSONText.Part) throws -> Value {
        try JSONDecoder().decode(type, from: Data(member.value.bytes))
    }

    /// The reason why a text is not JSON, in Foundation's words.
    private static func mistake(in text: ArraySlice<UInt8>) -> String? {
        do {
            _ = try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
            return nil
        } catch {
            let details = (error as NSError).userInfo["NSDebugDescription"] as? String
            return Redaction.oneLine(details ?? "\(error)")
        }
    }
}
