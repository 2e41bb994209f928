// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTestServers
@testable import SwiftyTesting

@Suite("The text of a mock file", .timeLimit(.minutes(15)))
struct MockTextTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func answer(
        _ status: Int = 200,
        _ fields: [(String, String)] = [],
        _ content: Data,
        reason: String = ""
    ) throws -> MockResponse {
        var headers = HTTPFields()
        for (name, value) in fields {
            headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let head = ResponseHead(statusCode: status, reasonPhrase: reason, headers: headers)
        return MockResponse(.response(head, content: content))
    }

    /// The answers as they are read again from a file.
    private func readAgain(
        _ answers: [MockResponse],
        in name: String,
        indentsJSON: Bool = false
    ) async throws -> [MockResponse] {
        let bytes = try MockText(answers, indentsJSON: indentsJSON).bytes(forFileNamed: name)
        try folder.file(name, Data(bytes))
        return try await MockFile.responses(at: folder.path(name), variables: .none)
    }

    private func parts(_ answer: MockResponse) throws -> (status: Int, fields: [String], content: Data) {
        guard case .response(let head, let content) = answer.outcome else {
            throw SwiftyError(.mockUnavailable, stage: .building)
        }
        return (head.statusCode, head.headers.map { "\($0.name.rawName): \($0.value)" }.sorted(), content)
    }

    @Test("is read again with the same status, fields and content, whatever these are", arguments: 0..<400)
    func roundTrip(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let pieces = [
            "a", "\n", "\r\n", "\r", "###", "### x\n", "{{user}}", "{{", "}}", " ", "\t", "#", "\"", "\\", "ü",
            "\u{1F600}",
            "HTTP/1.1 200 OK\n", "{\"a\":1}", "Content-Length: 3\n", "\0", "\u{FEFF}", "0",
        ]
        let answers = try (0..<Int.random(in: 1...3, using: &random)).map { _ in
            var content = Data()
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                content += Data((pieces.randomElement(using: &random) ?? "").utf8)
            }
            if Int.random(in: 0..<8, using: &random) == 0 { content.append(0xFF) }
            let fields = [("Content-Type", "text/x"), ("X-A", "{{a}}"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")]
            return try answer(Int.random(in: 200...599, using: &random) | 1, fields, content)
        }
        let text = MockText(answers, indentsJSON: true)
        let read = try await readAgain(answers, in: "a" + text.suffix, indentsJSON: true)
        #expect(read.count == answers.count)
        for (one, other) in zip(answers, read) {
            let (one, other) = (try parts(one), try parts(other))
            #expect(one.status == other.status)
            #expect(one.content == other.content, "\(String(reflecting: String(decoding: one.content, as: UTF8.self)))")
            #expect(one.fields == other.fields.filter { !$0.hasPrefix("Content-Length") })
        }
    }

    @Test("is that of a message, without the fields of the connection and of the framing")
    func message() throws {
        let fields = [
            ("Content-Type", "application/json"), ("Connection", "close, X-Hop"), ("X-Hop", "1"),
            ("Keep-Alive", "timeout=5"),
            ("Transfer-Encoding", "chunked"), ("Content-Length", "7"), ("Link", "</2>; rel=next"),
        ]
        let json = try answer(200, fields, Data(#"{"b":[1.10,{}],"a":"x, {\"y\":[]}"}"#.utf8), reason: "OK")
        let error = MockResponse(.failure(SwiftyError(mocked: .connectionLost, reason: "reset\nby peer")))
        let braces = try answer(404, [("Content-Length", "8")], Data("{{user}}".utf8), reason: "Not Found")
        let bytes = try MockText(
            [json, error, answer(204, [("Content-Length", "0")], Data()), braces],
            indentsJSON: true
        ).bytes(forFileNamed: "x.http")
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                HTTP/1.1 200 OK
                Content-Type: application/json
                Link: </2>; rel=next

                {
                  "b": [
                    1.10,
                    {}
                  ],
                  "a": "x, {\\"y\\":[]}"
                }
                ###
                # @failure connectionLost reset\\nby peer
                ###
                HTTP/1.1 204
                ###
                # @verbatim
                HTTP/1.1 404 Not Found

                {{user}}

                """
        )
    }

    @Test("is JSON with Base64 if a content is binary")
    func envelope() async throws {
        let image = try answer(200, [("Content-Type", "image/png")], Data([0x89, 0x50, 0]))
        let json = try answer(201, [("Content-Type", "application/json"), ("A", "1"), ("A", "2")], Data("[1,2]".utf8))
        let lost = MockResponse(.failure(SwiftyError(mocked: .connectionLost)))
        let text = MockText([image, json, lost], indentsJSON: false)
        #expect(text.suffix == ".response.json")
        let bytes = try text.bytes(forFileNamed: "x.response.json")
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                [
                {
                  "status": 200,
                  "headers": {
                    "Content-Type": "image/png"
                  },
                  "base64": "iVAA"
                },
                {
                  "status": 201,
                  "headers": {
                    "Content-Type": "application/json",
                    "A": ["1", "2"]
                  },
                  "body": [1,2]
                },
                {
                  "failure": "connectionLost the mock fails with connectionLost"
                }
                ]

                """
        )
        // In a file that is named as a message, the bytes stand as they are.
        let read = try await readAgain([image], in: "x.http")
        #expect(try parts(read[0]).content == Data([0x89, 0x50, 0]))
        let refused = #expect(throws: SwiftyError.self) { try text.bytes(forFileNamed: "x.png") }
        #expect(refused?.reason.hasSuffix("ends in .http or .response.json") == true)
    }

    @Test(
        "is read again if a content is nearly JSON, or JSON that is nested too deep for a part of the file",
        arguments: [
            "[1,]", "{\"a\":1,}", "[01]", "[1],[2]", "[1]\n[2]", "[\"\t\"]", "[NaN]", "[", "{}", " [1]", "[1]\n",
            String(repeating: "[", count: 511) + String(repeating: "]", count: 511),
        ]
    )
    func nearlyJSON(content: String) async throws {
        let json = try answer(200, [("Content-Type", "application/json")], Data(content.utf8))
        let read = try await readAgain([json, json], in: "a.response.json")
        let contents = try read.map { try parts($0).content }
        #expect(contents == [Data(content.utf8), Data(content.utf8)])
    }

    @Test("keeps JSON as it is written if it has a digest, or lines of its own")
    func exactJSON() throws {
        let json = Data(#"{"a":1}"#.utf8)
        let cases: [([(String, String)], Data)] = [
            ([("Content-Type", "application/json"), ("Content-Digest", "sha-256=:x:")], json),
            ([("Content-Type", "application/json")], Data("{\n\"a\":1}".utf8)),
            ([("Content-Type", "application/json")], Data("{\"a\":".utf8)),
            ([("Content-Type", "text/plain")], json),
        ]
        for (fields, content) in cases {
            let bytes = try MockText([answer(200, fields, content)], indentsJSON: true).bytes(forFileNamed: "a.http")
            #expect(Data(bytes).firstRange(of: content) != nil)
        }
    }

    @Test(
        "indents only whole documents of JSON",
        arguments: [
            (200, "application/json", true), (200, "Application/Problem+JSON ; charset=utf-8", true),
            (200, "application/x-ndjson", false), (200, "application/json-seq", false), (200, "text/jsonl", false),
            (206, "application/json", false),
        ]
    )
    func indentation(status: Int, type: String, isIndented: Bool) throws {
        let json = try answer(status, [("Content-Type", type)], Data(#"{"a":1}"#.utf8))
        for name in ["a.http", "a.response.json"] {
            let bytes = try MockText([json], indentsJSON: true).bytes(forFileNamed: name)
            #expect(String(decoding: bytes, as: UTF8.self).contains("{\n  \"a\": 1\n}") == isIndented)
        }
    }
}
