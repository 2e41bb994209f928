// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("swifty send", .timeLimit(.minutes(15)))
struct SendTests {
    @Test("prints exactly the received bytes in a pipe")
    func bytes() async throws {
        let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let server = try LoopbackServer { server in
            server.route("GET", "/bytes") { _ in LoopbackResponse(status: 200, content: content) }
        }
        let run = try await Program.swifty("\(server.url)/bytes")
        #expect(run.status == 0)
        #expect(run.bytes == content)
        #expect(run.errors == "")
    }

    @Test("sends items as header fields, query, JSON, form and multipart")
    func items() async throws {
        let server = try LoopbackServer()
        let json = try await Program.swifty(
            "put",
            "\(server.url)/anything?a=1",
            "X-A:b",
            "X-Empty;",
            "q==x y",
            "name=Ada",
            "age:=36"
        )
        let sent = try #require(server.log.requests.last)
        #expect(json.status == 0)
        #expect(sent.method == "PUT")
        #expect(sent["X-A"] == "b")
        #expect(sent["X-Empty"] == "")
        #expect(sent.target == "/anything?a=1&q=x%20y")
        #expect(sent["Content-Type"] == "application/json")
        #expect(String(decoding: sent.content, as: UTF8.self) == #"{"name":"Ada","age":36}"#)
        _ = try await Program.swifty("--form", "\(server.url)/post", "a=1", "b=x y")
        #expect(server.log.requests.last.map { String(decoding: $0.content, as: UTF8.self) } == "a=1&b=x%20y")
        let folder = try TemporaryFolder()
        let file = try folder.file("up.txt", Data("content".utf8))
        let upload = try await Program.swifty("\(server.url)/post", "t=1", "f@\(file.path)")
        let echo = try upload.json()
        #expect((echo["files"] as? [String: String]) == ["f": "content"])
        #expect((echo["form"] as? [String: String]) == ["t": "1"])
    }

    @Test("prints request and response with -v, without secrets")
    func verbose() async throws {
        let server = try LoopbackServer { server in
            server.route("POST", "/in") { _ in LoopbackResponse(status: 201, headers: [("Set-Cookie", "s=geheim")]) }
        }
        let arguments = [
            "-v", "-a", "ada:geheim", "POST", "\(server.url)/in", "token==geheim", "password=geheim", "x=1",
        ]
        let run = try await Program.run("swifty", arguments)
        #expect(run.status == 0)
        #expect(!run.output.contains("geheim"))
        #expect(!run.output.contains("YWRhOmdlaGVpbQ=="))
        for line in ["POST /in?token=REDACTED HTTP/1.1", "Authorization: REDACTED", "HTTP/1.1 201 Created", "x"] {
            #expect(run.output.contains(line), "\(line) is missing in\n\(run.output)")
        }
        let shown = try await Program.run("swifty", ["--show-secrets"] + arguments)
        #expect(shown.output.contains("Basic YWRhOmdlaGVpbQ=="))
        #expect(shown.output.contains("s=geheim"))
    }

    @Test("ends with a status that scripts can distinguish, and one line")
    func statuses() async throws {
        let server = try LoopbackServer()
        let url = server.url
        let cases: [([String], Int32)] = [
            (["\(url)/status/500"], 0), (["--check-status", "\(url)/status/204"], 0),
            (["--check-status", "\(url)/status/304"], 3), (["--check-status", "\(url)/status/404"], 4),
            (["--check-status", "\(url)/status/503"], 5), (["\(url)/delay/5", "--timeout", "0.2"], 2),
            (["http://127.0.0.1:1/"], 7), (["http://name.invalid/"], 7), (["ftp://a.test"], 64),
            (["G T", url], 64), (["http://u:p@127.0.0.1:1"], 7), (["GET", url, "a=1"], 64),
            (["--timeout", "0", url], 64),
            (["--nonsense", url], 64), (["--max-redirects", "2", url], 64), (["--mock", "missing.json", url], 64),
        ]
        for (arguments, status) in cases {
            let run = try await Program.run("swifty", arguments)
            let lines = run.errors.split(separator: "\n")
            #expect(run.status == status, "\(arguments): \(run.status) \(run.errors)")
            let isGood = arguments.contains { $0.hasSuffix("/204") }
            #expect(lines.count == (isGood ? 0 : 1), "\(arguments): \(run.errors)")
        }
    }

    @Test("describes a load as one JSON object with its members in order")
    func json() async throws {
        let server = try LoopbackServer()
        let run = try await Program.swifty("--output", "json", "\(server.url)/gzip", "-v")
        let object = try run.json()
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").count == 1)
        #expect(object["status"] as? Int == 200)
        #expect(object["httpVersion"] as? String == "1.1")
        #expect(object["error"] is NSNull)
        #expect(object["remoteAddress"] as? String == "127.0.0.1")
        let body = try #require(object["body"] as? String)
        #expect(object["bodyBytes"] as? Int == body.utf8.count)
        #expect(try #require(object["encodedBytes"] as? Int) < body.utf8.count)
        let names = [
            "method", "url", "status", "reason", "httpVersion", "headers", "body", "bodyBytes", "encodedBytes",
            "sha256",
            "timings", "attempts", "redirects", "remoteAddress", "localAddress", "connection", "reused", "error",
        ]
        var rest = run.output[...]
        for name in names {
            let place = try #require(rest.firstRange(of: "\"\(name)\":"), "\(name) is missing, or out of order")
            rest = rest[place.upperBound...]
        }
    }

    @Test("describes bytes in Base64, with their digest")
    func base64() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/b") { _ in LoopbackResponse(status: 200, content: Data([0xFF, 0x00])) }
        }
        let object = try await Program.swifty("--output", "json", "\(server.url)/b").json()
        #expect(object["body"] as? String == "/wA=")
        #expect(object["bodyEncoding"] as? String == "base64")
        // printf '\377\0' | sha256sum
        #expect(object["sha256"] as? String == "ea5dbf9596d187e9500f23e9a680109475341cf4e81f7e043f7d97152c10772f")
    }

    @Test("describes a failure with the same object")
    func jsonFailure() async throws {
        let run = try await Program.swifty("--output", "json", "--retry", "1", "http://127.0.0.1:1/x")
        let object = try run.json()
        let error = try #require(object["error"] as? [String: Any])
        #expect(run.status == 7)
        #expect(object["status"] is NSNull)
        #expect(object["url"] as? String == "http://127.0.0.1:1/x")
        #expect(error["code"] as? String == "connectionFailed")
        #expect(error["sent"] as? String == "notSent")
        #expect((object["attempts"] as? [Any])?.count == 2)
        #expect((object["timings"] as? [String: Any])?.count == 6)
    }

    @Test("limits each attempt to --attempt-timeout")
    func attemptTimeout() async throws {
        let server = try ScriptedServer { connection in
            connection == 0 ? [.readRequest, .stall] : [.readRequest, .respond(200, content: "second")]
        }
        let run = try await Program.swifty("--attempt-timeout", "2", "--retry", "1", server.url)
        #expect(run.status == 0)
        #expect(run.output.contains("second"))
        #expect(server.log.requests.count == 2)
        let stuck = try ScriptedServer([.readRequest, .stall])
        let once = try await Program.swifty("--attempt-timeout", "1", stuck.url)
        #expect(stuck.log.requests.count == 1)
        #expect(once.status == 2)
        #expect(once.errors.contains("the attempt took longer than 1.0 seconds"))
    }

    @Test("repeats failed attempts with --retry, counted at the server, and prints the last response")
    func retries() async throws {
        let server = try LoopbackServer()
        let cases: [([String], status: Int, count: Int)] = [
            ([], 503, 1), (["--retry", "0"], 503, 1), (["--retry", "2"], 503, 3), (["--retry", "2"], 404, 1),
            (["--retry", "2", "--retry-all"], 404, 3), (["--retry", "2", "POST"], 500, 1),
            (["--retry", "2", "--idempotency-key", "POST"], 500, 3),
        ]
        for (arguments, status, count) in cases {
            server.log.clear()
            let words = ["--output", "json"] + arguments + ["\(server.url)/status/\(status)"]
            let run = try await Program.run("swifty", words)
            #expect(server.log.count == count, "\(arguments), \(status)")
            let shown = try run.json()["status"] as? Int
            #expect(run.status == 0, "\(arguments), \(status)")
            #expect(shown == status, "\(arguments), \(status)")
        }
    }

    @Test("saves content under a safe and unused name")
    func download() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/d") { _ in
                let headers = [("Content-Disposition", "attachment; filename=../../evil.txt")]
                return LoopbackResponse(status: 200, headers: headers, content: Data("x".utf8))
            }
        }
        let folder = try TemporaryFolder()
        for _ in 0..<2 {
            let shell = "cd '\(folder.url.path)' && '\(Program.products.path)/swifty' -d \(server.url)/d"
            #expect(try await Program.run("/bin/sh", ["-c", shell]).status == 0)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == ["evil-1.txt", "evil.txt"])
        let path = folder.url.appending(path: "named").path
        let named = try await Program.swifty("-o", path, "\(server.url)/d")
        #expect(named.bytes.isEmpty)
        #expect(FileManager.default.contents(atPath: path) == Data("x".utf8))
    }

    @Test("prints what it would send, as HTTP and as curl, and sends nothing")
    func dryRun() async throws {
        let server = try LoopbackServer()
        let arguments = ["POST", "\(server.url)/x", "a=1", "-a", "tok", "--idempotency-key", "--priority", "high"]
        let text = try await Program.run("swifty", ["--dry-run"] + arguments)
        for line in ["POST /x HTTP/1.1\n", "Idempotency-Key: ", "Priority: u=1", "Content-Length: 9\n\n{\"a\":\"1\"}"] {
            #expect(text.output.contains(line), "\(line) is missing in\n\(text.output)")
        }
        let curl = try await Program.run("swifty", ["--curl", "--show-secrets", "--timeout", "3"] + arguments)
        #expect(server.log.requests.isEmpty)
        #expect(curl.output.hasPrefix("curl -X 'POST' "))
        let sent = try await Program.run("/bin/sh", ["-c", curl.output])
        let request = try #require(server.log.requests.last)
        #expect(sent.status == 0)
        #expect(request["Authorization"] == "Bearer tok")
        #expect(String(decoding: request.content, as: UTF8.self) == #"{"a":"1"}"#)
    }

    @Test("prints a command for curl whose words a shell reads as they are, whatever is in them")
    func quotedWords() async throws {
        // A combining accent makes one character of a quote and itself, and still two for a shell.
        let path = "a'\u{301}; echo injected; '"
        let words = ["--curl", "--unix-socket", path, "-o", path, "http://a.test/"]
        let command = try await Program.run("swifty", words).output
        let read = try await Program.run("/bin/sh", ["-c", "curl() { printf '%s\\n' \"$@\"; }; \(command)"])
        #expect(read.output.split(separator: "\n").contains { $0.utf8.elementsEqual(path.utf8) }, "\(command)")
        #expect(!read.output.split(separator: "\n").contains("injected"))
    }

    @Test("responds from a mock, and accepts TNL's configuration file")
    func files() async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let mock = try folder.file("m.json", Data(#"{"mocked":true}"#.utf8))
        #expect(try await Program.swifty("--mock", mock.path, server.url).output == #"{"mocked":true}"#)
        let text = #"{"headers":{"X-T":"1"},"body":{"n":1},"config":{"operationTimeout":"0.3"}}"#
        let config = try folder.file("c.json", Data(text.utf8))
        let run = try await Program.swifty("--config", config.path, "\(server.url)/delay/5")
        #expect(run.status == 2)
        #expect(server.log.requests.last?.method == "POST")
        #expect(server.log.requests.last?["X-T"] == "1")
    }

    @Test("ends immediately when it is interrupted")
    func interruption() async throws {
        let server = try LoopbackServer()
        let run = try await Program.swifty("--output", "json", "\(server.url)/delay/9") { !server.log.requests.isEmpty }
        let error = try #require(try run.json()["error"] as? [String: Any])
        #expect(run.status == 130)
        #expect(error["code"] as? String == "cancelled")
    }

    @Test("is quiet when the reader of its output has closed it")
    func brokenPipe() async throws {
        let server = try LoopbackServer()
        let shell = "'\(Program.products.path)/swifty' \(server.url)/stream-bytes/100000 | true"
        let run = try await Program.run("/bin/sh", ["-c", shell])
        #expect(run.status == 0)
        #expect(run.errors == "")
    }
}
