// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import WebServiceDSL

@Suite("The request of a curl command", .timeLimit(.minutes(15)))
struct CURLRequestTests {
    /// Method, URL and fields of a request, line by line, and its content.
    private func text(_ command: String) async throws -> String {
        let draft = CURLRequest(command, function: #function).draft
        let request = try await draft.makeRequest()
        let fields = request.headers.map { "\n\($0.name.rawName): \($0.value)" }.joined()
        let content: String
        switch draft.content {
        case nil: content = ""
        case .data(let data): content = "\n\n" + String(decoding: data, as: UTF8.self)
        case .file(let file): content = "\n\n@\(file.path)"
        case .multipart, .stream: content = "\n\n…"
        }
        return "\(request.method.rawValue) \(request.target.string)\(fields)\(content)"
    }

    private static let form = "Content-Type: application/x-www-form-urlencoded"

    @Test(
        "has its method, URL, fields and content",
        arguments: [
            ("curl a.test", "GET http://a.test/"), ("/usr/bin/curl -sSL https://a.test/x", "GET https://a.test/x"),
            ("curl 'a.test/?u=https://b.test#frag'", "GET http://a.test/?u=https://b.test"),
            ("curl -X PROPFIND a.test", "PROPFIND http://a.test/"), ("curl -X patch a.test", "patch http://a.test/"),
            ("curl -I a.test", "HEAD http://a.test/"), ("curl -g 'a.test/{7}'", "GET http://a.test/%7B7%7D"),
            ("curl a.test -H 'X-A: 1' -H 'x-a: 2' -H 'E;'", "GET http://a.test/\nX-A: 1\nx-a: 2\nE: "),
            ("curl a.test -d a=1 -d 'b=x y'", "POST http://a.test/\n\(form)\n\na=1&b=x y"),
            ("curl a.test --data-urlencode 'a=x y&z'", "POST http://a.test/\n\(form)\n\na=x%20y%26z"),
            ("curl a.test --data-raw @x", "POST http://a.test/\n\(form)\n\n@x"),
            ("curl a.test/?a=1 -G -d b=2 --url-query 'c=x y'", "GET http://a.test/?a=1&c=x%20y&b=2"),
            (
                "curl a.test --json '{' --json '}'",
                "POST http://a.test/\nAccept: application/json\nContent-Type: application/json\n\n{}"
            ),
            ("curl a.test -d {} -H 'content-type: a/b'", "POST http://a.test/\ncontent-type: a/b\n\n{}"),
            ("curl a.test -d {} -H Content-Type:", "POST http://a.test/\n\n{}"),
            ("curl a.test -X GET -d {} -H Content-Type:", "GET http://a.test/\n\n{}"),
            ("curl a.test -u 'ada:pa:ss'", "GET http://a.test/\nAuthorization: Basic YWRhOnBhOnNz"),
            ("curl 'http://ada:pa%3Ass@a.test'", "GET http://a.test/\nAuthorization: Basic YWRhOnBhOnNz"),
            ("curl a.test -u a:b -H 'authorization: x'", "GET http://a.test/\nauthorization: x"),
            ("curl a.test --oauth2-bearer t -r 0-9", "GET http://a.test/\nAuthorization: Bearer t\nRange: bytes=0-9"),
            ("curl a.test -A x -A y -e http://b/ -e c", "GET http://a.test/\nUser-Agent: y\nReferer: c"),
            ("curl a.test -b a=1 -b 'b=2; c=3'", "GET http://a.test/\nCookie: a=1; b=2; c=3"),
            ("curl a.test -b a=1 -H 'Cookie: own'", "GET http://a.test/\nCookie: own"),
        ]
    )
    func parts(command: String, expected: String) async throws {
        #expect(try await text(command) == expected)
    }

    @Test("sends files as content, and has the name of an uploaded file in its URL")
    func files() {
        let draft = { CURLRequest($0, function: #function).draft }
        for command in ["curl -T dir/f.bin a.test", "curl -T dir/f.bin http://a.test/"] {
            let upload = draft(command)
            #expect(upload.fullTarget?.string == "http://a.test/f.bin")
            #expect(upload.method == .put)
            #expect(upload.contentType == nil)
            guard case .file(let file) = upload.content else {
                Issue.record("no file")
                return
            }
            #expect(file.path == "dir/f.bin")
        }
        for option in ["-d", "--data-binary", "--json"] {
            guard case .file(let file) = draft("curl \(option) @x.json a.test").content else {
                Issue.record("no file")
                return
            }
            #expect(file.path == "x.json")
        }
    }

    @Test("has forms with their texts, files, media types and fields")
    func forms() throws {
        let command = #"""
            curl a.test -F 'a=1;type=text/csv; charset=utf-8' -F 'f=@x.png;filename="a;b.png";headers="X-Y: z"' \
              --form-string 'c=@d;e' -H 'Content-Type: multipart/form-data'
            """#
        let draft = CURLRequest(command, function: #function).draft
        #expect(draft.creationError == nil)
        #expect(draft.headers[.contentType] == nil)
        guard case .multipart(let form) = draft.content else {
            Issue.record("no form")
            return
        }
        #expect(form.parts.map(\.name) == ["a", "f", "c"])
        #expect(form.parts.map(\.contentType) == ["text/csv; charset=utf-8", "image/png", nil])
        #expect(form.parts.map(\.fileName) == [nil, "a;b.png", nil])
        #expect(form.parts.map(\.headers) == [[:], ["X-Y": "z"], [:]])
        guard case .data(let data) = form.parts[2].content else {
            Issue.record("no text")
            return
        }
        #expect(String(decoding: data, as: UTF8.self) == "@d;e")
    }

    @Test("has the limits of the command")
    func limits() {
        let options = "-m 5 --connect-timeout 0.5 --retry 2 --limit-rate 2K --max-filesize 1M -A '' -H Accept:"
        let request = CURLRequest("curl \(options) a.test", function: #function)
        #expect(request.draft.creationError == nil)
        #expect(request.draft.timeouts.total == .seconds(5))
        #expect(request.draft.timeouts.connect == .seconds(0.5))
        #expect(request.draft.retryPolicy?.maximumAttempts == 3)
        #expect(request.draft.transfer?.values.download?.bytesPerSecond == 2048)
        #expect(request.contentLimit == 1 << 20)
        #expect(request.draft.removedHeaders == [.userAgent, .accept])
        let unlimited = CURLRequest("curl -m 0 --limit-rate 0 --max-filesize 0 a.test", function: #function)
        #expect(unlimited.draft.creationError == nil)
        #expect(unlimited.contentLimit == nil)
    }

    @Test("has a login for Digest apart")
    func digest() {
        let request = CURLRequest("curl -u ada:pa:ss --digest a.test", function: #function)
        #expect(request.digest?.user == "ada")
        #expect(request.digest?.password == "pa:ss")
        #expect(request.draft.headers.isEmpty)
        #expect(CURLRequest("curl --digest a.test", function: #function).digest == nil)
    }

    @Test(
        "is the same without options for output, messages and connections",
        arguments: [
            "-s", "-sSv", "-o out", "-O", "-J", "-i", "-D h", "-w '%{http_code}'", "-f", "--compressed", "-L", "-N",
            "-#",
            "--max-redirs 3", "--http2", "--http1.1", "--tlsv1.2", "--no-keepalive", "--retry-delay 1", "-C -", "-y 5",
            "--trace t", "--no-progress-meter", "--no-silent", "--ssl-no-revoke", "--proto '=https'", "--noproxy '*'",
        ]
    )
    func ignored(option: String) async throws {
        #expect(try await text("curl \(option) https://a.test") == "GET https://a.test/")
    }
}
