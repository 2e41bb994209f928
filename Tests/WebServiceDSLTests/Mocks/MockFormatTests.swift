// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import WebServiceDSL

@Suite("A mock file", .timeLimit(.minutes(15)))
struct MockFormatTests {
    private let variables = MockVariables(["user": "a\"b", "query.page": "2"], template: "users/{user}")

    private func responses(_ name: String, _ text: String) throws(MockSyntaxError) -> [MockResponse] {
        try MockFormat(ofFileNamed: name).responses(in: Data(text.utf8), of: name, variables)
    }

    private func fault(_ name: String, _ text: String) -> String? {
        do throws(MockSyntaxError) {
            _ = try responses(name, text)
            return nil
        } catch {
            return "\(error.line): \(error.reason)"
        }
    }

    private func head(_ response: MockResponse) -> ResponseHead? {
        guard case .response(let head, _) = response.outcome else { return nil }
        return head
    }

    private func content(_ response: MockResponse) -> String? {
        guard case .response(_, let content) = response.outcome else { return nil }
        return String(decoding: content, as: UTF8.self)
    }

    @Test("is read in time that grows with its length, whatever its lines are", arguments: ["\n", "\n\n"])
    func growth(lineBreak: String) throws {
        for line in ["### a", "# a", "###", ""] {
            for end in ["", "x", "HTTP/1.1 201 Created\n\nz"] {
                let lines = String(repeating: line + lineBreak, count: 5_000)
                // Quadratic time would be many minutes.
                _ = try? responses("a.http", "HTTP/1.1 200 OK\n\n" + lines + end)
                _ = try? responses("a.http", lines + "HTTP/1.1 200 OK\n\n" + end)
            }
        }
        let text = "HTTP/1.1 200 OK\n\n### a\n### b\ntext\n### c\n# d\n\n### e\nHTTP/1.1 201 Created\n\nz\n### f\n"
        let all = try responses("a.http", text)
        #expect(all.map(content) == ["### a\n### b\ntext", "z\n### f"])
        #expect(all.map { head($0)?.statusCode } == [200, 201])
    }

    // MARK: Messages

    @Test("as a message has a status, fields in their order, and content", arguments: ["\n", "\r\n"])
    func message(lineBreak: String) throws {
        let text = """
            # A comment.
            HTTP/1.1 201 All right
            Content-Type: text/plain
            Set-Cookie: a=1
            Set-Cookie: b=2

            first
            second

            """.replacing("\n", with: lineBreak)
        let response = try #require(try responses("x.http", text).first)
        #expect(head(response)?.statusCode == 201)
        #expect(head(response)?.reasonPhrase == "All right")
        #expect(head(response)?.headers[values: .setCookie] == ["a=1", "b=2"])
        #expect(content(response) == "first\(lineBreak)second")
    }

    @Test("as messages has several answers, with settings and failures")
    func sequence() throws {
        let text = """
            ### busy
            # @latency 200 ms
            HTTP/2 503
            Retry-After: 1
            ### gone
            # @failure connectionLost the cable was cut
            # @latency 1.5 s
            ###

            HTTP/1.1 200 OK

            {"a": 1}

            ### half
            # @cut 3
            # @rate 2 kB/s
            HTTP/1.1 200 OK

            abcdef
            ###
            """
        let all = try responses("x.http", text)
        #expect(all.count == 4)
        #expect(all.map { head($0)?.statusCode } == [503, nil, 200, 200])
        #expect(all.map(\.latency) == [.milliseconds(200), .milliseconds(1500), .zero, .zero])
        #expect(head(all[0])?.httpVersion == .http2)
        guard case .failure(let error) = all[1].outcome else { return #expect(Bool(false)) }
        #expect(error.code == .connectionLost)
        #expect(error.reason == "the cable was cut")
        #expect(content(all[2]) == "{\"a\": 1}\n")
        #expect(content(all[3]) == "abcdef")
        #expect(all[3].cut == 3)
        #expect(all[3].bytesPerSecond == 2000)
    }

    @Test("as a message has content of exactly its Content-Length, whatever is in it")
    func contentLength() throws {
        let content = "a\n### no separator\n\n"
        let head = "HTTP/1.1 200 OK\nContent-Length: \(content.utf8.count)\n\n"
        let all = try responses("x.http", head + content + "\n###\nHTTP/1.1 204 No Content\n")
        #expect(all.count == 2)
        #expect(self.content(all[0]) == content)
        #expect(self.content(all[1]) == "")
        // The response to a HEAD request.
        #expect(try self.content(responses("x.http", "HTTP/1.1 200 OK\nContent-Length: 5\n\n")[0]) == "")
        #expect(
            fault("x.http", "HTTP/1.1 200 OK\nContent-Length: 5\n\nabc\n")
                == "3: the Content-Length is 5, but the content has 3 bytes; correct or remove the field"
        )
    }

    @Test("uses the variables of the request, escaped in JSON, and adapts the length")
    func fill() throws {
        let text =
            "HTTP/1.1 200 OK\nContent-Type: application/json\nLink: <?page={{query.page}}>\n"
            + "Content-Length: 12\n\n[\"{{user}}\"]"
        let response = try #require(try responses("x.http", text).first)
        #expect(content(response) == #"["a\"b"]"#)
        #expect(head(response)?["Link"] == "<?page=2>")
        #expect(head(response)?["Content-Length"] == "8")
        #expect(try content(responses("x.txt", "{{user}} {{ user }} {{other}}")[0]) == "a\"b {{ user }} {{other}}")
        #expect(try content(responses("x.json", "\"{{user}}\"")[0]) == #""a\"b""#)
        #expect(
            try content(responses("x.http", "# @verbatim\nHTTP/1.1 200 OK\n\n{{user}} {{x}}")[0]) == "{{user}} {{x}}"
        )
    }

    @Test(
        "as a message with a fault is an error with its line and what to do",
        arguments: [
            ("", "1: there is no status line"),
            ("# only a comment\n", "1: there is no status line"),
            ("200 OK\n", "1: \"200 OK\" is not a status line"),
            ("\n\nHTTP/1.1 20 OK\n", "3: \"HTTP/1.1 20 OK\" is not a status line"),
            ("HTTP/1.1 100 Continue\n", "1: the status 100 is not that of a final response"),
            ("HTTP/1.1 200 OK\nno field\n", "2: \"no field\" is not a header field"),
            ("HTTP/1.1 200 OK\nA: b\n c\n", "3: \" c\" is not a header field"),
            ("HTTP/1.1 200 OK\nA : b\n", "2: \"A : b\" is not a header field"),
            ("HTTP/1.1 200 OK\nA: b\u{1}\n", "2: the value of A contains a control character"),
            ("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n", "2: the content is not coded for the transfer"),
            ("HTTP/1.1 204 No Content\n\nx", "3: a response with status 204 has no content"),
            ("# @latncy 3 s\nHTTP/1.1 200 OK\n", "1: \"latncy\" is not a setting; there are latency"),
            ("# @latency soon\nHTTP/1.1 200 OK\n", "1: the latency \"soon\" is not a time such as"),
            ("# @rate 0 B/s\nHTTP/1.1 200 OK\n", "1: the rate \"0 B/s\" is not one such as"),
            ("# @cut -1\nHTTP/1.1 200 OK\n", "1: the cut \"-1\" is not the number of bytes"),
            ("# @failure timeOut\n", "1: \"timeOut\" is not a failure of a transfer; there are addressDenied"),
            ("# @failure timedOut\nHTTP/1.1 200 OK\n", "2: an answer with a failure has no response"),
            ("# @latency 1 s\n###\nHTTP/1.1 200 OK\n", "2: there is no status line"),
            ("# @cut 2\nHTTP/1.1 200 OK\n\nab\n", "2: the cut after 2 bytes is not within the 2 of the content"),
            ("# @cut 2\n# @failure timedOut\n", "2: an answer with a failure has no content"),
            (
                "HTTP/1.1 200 OK\n\na\n{{usr}}\n",
                "4: {{usr}} is not a variable of \"users/{user}\": the request has {{query.page}}, {{user}}; # @"
            ),
        ]
    )
    func messageFault(text: String, reason: String) {
        let found = fault("x.http", text)
        #expect(found?.hasPrefix(reason) == true, "\(found ?? "no error")")
    }

    @Test("as a message keeps headings of Markdown, and takes words behind a separator")
    func headings() throws {
        let text =
            "HTTP/1.1 200 OK\n\n# Title\n\n### Usage\nx\n### The second\n# comment\nHTTP/1.1 201 Created\n\n### End\n"
        let answers = try responses("x.http", text)
        let contents = answers.map(content)
        #expect(contents == ["# Title\n\n### Usage\nx", "### End"])
        #expect(try responses("x.http", "HTTP/1.1 200 OK\n\na\n### next\n# @failure timedOut\n").count == 2)
        #expect(try responses("x.http", "HTTP/1.1 200 OK\n\na\n####\nb\n###\nHTTP/1.1 200 OK\n").count == 2)
    }

    // MARK: JSON

    @Test("in JSON has a status, fields and content as they are written")
    func envelope() throws {
        let text = """
            {
              "comment": "a user",
              "status": 201,
              "headers": {"Link": "<{{user}}>", "Set-Cookie": ["a=1", "b=2"]},
              "body": {"number": 1.10, "big": 12345678901234567890, "name": "{{user}}", "brackets": "}]\\""}
            }
            """
        let response = try #require(try responses("x.response.json", text).first)
        #expect(head(response)?.statusCode == 201)
        #expect(head(response)?["Link"] == "<a\"b>")
        #expect(head(response)?.headers[values: .setCookie] == ["a=1", "b=2"])
        #expect(head(response)?["Content-Type"] == "application/json")
        #expect(
            content(response)
                == #"{"number": 1.10, "big": 12345678901234567890, "name": "a\"b", "brackets": "}]\""}"#
        )
    }

    @Test("in JSON has several answers, with settings and failures")
    func envelopes() throws {
        let text = """
            [
              {"failure": "timedOut", "latency": "2 s"},
              {"status": 404, "body": "none \\u0041", "cut": 2, "rate": "1 MiB/s"},
              {"base64": "AAEC"},
              {"body": null, "verbatim": true}
            ]
            """
        let all = try responses("x.response.json", text)
        #expect(all.map { head($0)?.statusCode } == [nil, 404, 200, 200])
        #expect(
            all.map { head($0)?["Content-Type"] } == [
                nil, "text/plain; charset=utf-8", "application/octet-stream", nil,
            ]
        )
        #expect(all.map(content) == [nil, "none A", "\u{0}\u{1}\u{2}", ""])
        #expect(all[0].latency == .seconds(2))
        #expect(all[1].cut == 2)
        #expect(all[1].bytesPerSecond == 1 << 20)
    }

    @Test(
        "in JSON with a fault is an error with its line and what to do",
        arguments: [
            ("{", "1: this is not JSON"),
            ("[]", "1: there is no answer, such as"),
            ("{}", "1: there is no answer, such as"),
            ("[\n1]", "2: an answer is an object, such as"),
            ("{\n\"statuss\": 200}", "2: an answer has no \"statuss\"; there are status"),
            ("{\n\n\"status\": 99}", "3: the status is not a number from 200 to 999"),
            ("{\"headers\": {\n\"A\": 1}}", "2: the value of \"A\" is neither a text nor an array of texts"),
            ("{\"headers\": {\n\"A b\": \"\"}}", "2: \"A b\" cannot be a field of a mocked response"),
            ("{\"headers\": {\"A\": \"\\n\"}}", "1: the value of A contains a control character"),
            ("{\"base64\": \"?\"}", "1: the text of \"base64\" is not in Base64"),
            ("{\"status\": 204,\n\"body\": 1}", "2: a response with status 204 has no content"),
            ("{\"status\": 200, \"failure\": \"timedOut\"}", "1: an answer with a failure has no response"),
            ("{\"latency\": 3}", "1: the latency \"3\" is not a time such as"),
            ("{\"headers\": \"A: b\"}", "1: \"headers\" is an object"),
            ("{\"headers\": [\"a\"]}", "1: \"headers\" is an object"),
            ("{\"verbatim\": \"yes\"}", "1: \"verbatim\" is true or false"),
            ("{\"verbatim\": false, \"body\": \"{{x}}\"}", "1: {{x}} is not a variable of"),
            ("{\"body\": 1,\n \"base64\": \"\"}", "2: a second \"base64\", or a second content"),
            ("{\"status\": 200, \"status\": 201}", "1: a second \"status\", or a second content"),
            ("{\"cut\": 5, \"body\": \"abc\"}", "1: the cut after 5 bytes is not within the 3 of the content"),
            ("{\"body\": \"{{x}}\"}", "1: {{x}} is not a variable of"),
        ]
    )
    func envelopeFault(text: String, reason: String) {
        let found = fault("x.response.json", text)
        #expect(found?.hasPrefix(reason) == true, "\(found ?? "no error")")
    }

    @Test("of random bytes is read or refused, and never traps")
    func random() {
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "HTTP/1.1 200 OK\n", "###", "\n", "{{", "}}", "{{user}}", "# @cut 1\n", "\"", "\\", "[", "{", "}", "]", ":",
            ",", "1", "A: b\n", "Content-Length: 3\n", "\u{FEFF}", "é", "\r", "\0",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            for name in ["x.http", "x.response.json", "x.json"] { _ = try? responses(name, text) }
        }
    }
}
