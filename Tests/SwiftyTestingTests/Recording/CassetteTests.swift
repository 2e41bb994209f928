// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTestServers
@testable import SwiftyTesting

@Suite("A cassette", .timeLimit(.minutes(15)))
struct CassetteTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("c.har") }
    private var name: String { folder.path("c") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func failure(_ body: () async throws -> Void) async -> SwiftyError? {
        do { try await body() } catch { return error as? SwiftyError }
        return nil
    }

    @Test("keeps its path when the process changes its current folder")
    func relativePath() async throws {
        let error = await failure {
            try await withCassette(at: "no-such/c.har", mode: .none) {
                _ = try await BaseResource("http://127.0.0.1:1", networkInterface: Swifty()).get("x").load()
            }
        }
        let path = FileManager.default.currentDirectoryPath + "/no-such/c.har"
        #expect(error?.reason.contains("there is no cassette \(path) ") == true, "\(error?.reason ?? "no error")")
    }

    @Test("replays what it has recorded, byte for byte, without the server")
    func replay() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        let paths = [
            "get?a=1", "gzip", "deflate", "bytes/1000?seed=3", "uuid", "redirect/2", "status/204", "encoding/utf8",
        ]
        func contents() async throws -> [Data] {
            var all: [Data] = []
            for path in paths { all.append(try await base.get(path).load().data ?? Data()) }
            var streamed = Data()
            for try await part in try await base.get("range/5000").stream() { streamed += part }
            all.append(streamed)
            all.append(try await base.post("anything").json(["n": 1]).load().data ?? Data())
            return all
        }
        let recorded = try await withCassette(name) { try await contents() }
        let count = server.log.count
        #expect(count == paths.count + 2 + 2)
        let replayed = try await withCassette(name) { try await contents() }
        #expect(replayed == recorded)
        #expect(server.log.count == count)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(folder.names == ["c.har"])
    }

    @Test("replays identical requests in their order, and fails when they are used up")
    func order() async throws {
        let server = try LoopbackServer()
        let calls = Counter()
        server.route("GET", "/next") { _ in .text("\(calls.increment())") }
        let resource = BaseResource(server.url, networkInterface: Swifty()).get("next")
        for _ in 0..<2 {
            try await withCassette(name) {
                for number in 1...3 {
                    let text = try await resource.load().text()
                    #expect(text == "\(number)")
                }
            }
        }
        try await withCassette(name) {
            for _ in 1...3 { try await resource.load() }
            let error = await failure { try await resource.load() }
            #expect(error?.code == .mockUnavailable)
            #expect(error?.reason.contains("has 3 answers to GET \(server.url)/next, which were all replayed") == true)
        }
        #expect(calls.value == 3)
    }

    @Test("replays failures and statuses, so that retries happen again")
    func failures() async throws {
        let server = try ScriptedServer { connection in
            connection == 0
                ? [.readRequest, .reset] : [.readRequest, .respond(connection == 1 ? 503 : 200, content: "ok")]
        }
        let swifty = Swifty { $0.retry = RetryPolicy(backoff: .none) }
        for _ in 0..<2 {
            try await withCassette(name) {
                let response = try await BaseResource(server.url, networkInterface: swifty).get("x").load()
                #expect(response.string == "ok")
                #expect(response.metrics.attempts.map(\.statusCode) == [nil, 503, 200])
                #expect(response.metrics.attempts.first?.errorCode == .connectionLost)
            }
        }
        #expect(server.log.count == 3)
    }

    @Test("has no answers that were cut off, and nothing of a block that throws")
    func incomplete() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"
        let server = try ScriptedServer {
            $0 == 0 ? [.readRequest, .send(head), .close] : [.readRequest, .respond(200, content: "ok")]
        }
        let swifty = Swifty { $0.retry = RetryPolicy(backoff: .none) }
        let resource = BaseResource(server.url, networkInterface: swifty).get("x")
        struct Failed: Error {}
        await #expect(throws: Failed.self) {
            try await withCassette(name) {
                try await resource.load()
                throw Failed()
            }
        }
        #expect(folder.names.isEmpty)
        let whole = try ScriptedServer {
            $0 == 0 ? [.readRequest, .send(head), .close] : [.readRequest, .respond(200, content: "ok")]
        }
        let again = BaseResource(whole.url, networkInterface: swifty).get("x")
        try await withCassette(name) { try await again.load() }
        #expect(try Cassette(path: path)?.entries.map(\.response.status) == [200])
    }

    @Test("is recorded anew, added to, or only replayed, as the mode says")
    func modes() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        func statuses() throws -> [Int] { try Cassette(path: path)?.entries.map(\.response.status) ?? [] }
        let missing = await failure {
            try await withCassette(name, mode: .none) { _ = try await base.get("status/200").load() }
        }
        #expect(missing?.code == .mockUnavailable)
        try await withCassette(name, mode: .once) { try await base.get("status/200").load() }
        let unknown = await failure {
            try await withCassette(name, mode: .once) { _ = try await base.get("status/201").load() }
        }
        #expect(unknown?.reason.contains("nearest: GET \(server.url)/status/200; SWIFTY_RECORD=new") == true)
        try await withCassette(name, mode: .new) {
            try await base.get("status/200").load()
            try await base.get("status/202").load()
        }
        #expect(try statuses() == [200, 202])
        #expect(server.log.count == 2)
        try await withCassette(name, mode: .all) { try await base.get("status/204").load() }
        #expect(try statuses() == [204])
        #expect(try RecordMode.fromEnvironment(["SWIFTY_RECORD": "new"]) == .new)
        #expect(try RecordMode.fromEnvironment([:]) == nil)
        let wrong = #expect(throws: SwiftyError.self) { try RecordMode.fromEnvironment(["SWIFTY_RECORD": "yes"]) }
        #expect(wrong?.reason == "SWIFTY_RECORD is \"yes\", but the modes are once, all, none, new")
    }

    @Test("has the answers of simultaneous requests in the order in which they began")
    func concurrent() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        for _ in 0..<2 {
            try await withCassette(name) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<100 {
                        group.addTask {
                            let echo = try await base.get("get").query(["n": number]).load(EchoedQuery.self)
                            #expect(echo.args == ["n": "\(number)"])
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
        #expect(server.log.count == 100)
    }

    private struct EchoedQuery: Decodable { let args: [String: String] }

    @Test("has no secrets, wherever they are, and is still replayed")
    func secrets() async throws {
        let server = try LoopbackServer()
        server.route("POST", "/login") { request in
            .text(
                #"{"access_token": "canary-token-5", "note": "for canary-user-6", "n": 1.10}"#,
                type: "application/json"
            )
            .header("Set-Cookie", "sid=canary-cookie-7; Path=/")
            .header("Location", "/next?signature=canary-location-8")
        }
        var redaction = CassetteRedaction()
        redaction.names = ["user"]
        let base = BaseResource(server.url, networkInterface: Swifty())
        let login = base.post("login").query(["api_key": "canary-query-1", "user": "canary-user-6"])
            .header("Authorization", "Bearer canary-field-2").header(
                key: "Cookie",
                value: "a=canary-cookie-3"
            )
            .json(["password": "canary-content-4", "echo": "canary-query-1"])
        for _ in 0..<2 {
            try await withCassette(name, redaction: redaction) {
                try await login.load()
                try await base.get("get").query(["token": "canary-query-9"]).header(
                    key: "X-Api-Key",
                    value: "canary 10"
                ).load()
            }
        }
        #expect(server.log.count == 2)
        let text = String(decoding: try folder.data("c.har"), as: UTF8.self)
        #expect(!text.contains("canary"), "\(text)")
        #expect(text.contains(#"\"n\": 1.10"#))
        #expect(text.contains("REDACTED"))
        // A program with other secrets gets the same answers.
        try await withCassette(name, redaction: redaction) {
            try await base.get("get").query(["token": "another"]).load()
        }
    }

    @Test("that is damaged or of another version is an error that names the file and the fault")
    func damaged() async throws {
        let creator = #""creator": {"name": "Swifty", "version": ""}"#
        let cases = [
            ("{", "\(path):1: the cassette is damaged: "), ("[]", "\(path):1: the cassette is damaged: "),
            ("{\"log\":\n {}}", "\(path):2: the cassette is damaged: log.entries is missing"),
            ("{\n\n\"log\": x}", "\(path):3: the cassette is damaged: "),
            (
                #"{"log": {"version": "2.0", \#(creator), "entries": []}}"#,
                "the cassette \(path) has the version 2.0"
            ),
            (
                "{\"log\": {\"version\": \"1.2\", \(creator),\n\"entries\": [\n{\"request\":\n {}}]}}",
                "\(path):4: the cassette is damaged: log.entries[0].request.method is missing"
            ),
        ]
        for (text, reason) in cases {
            try folder.file("c.har", text)
            let error = await failure { try await withCassette(name) {} }
            #expect(error?.code == .mockUnavailable)
            #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
        }
        for bad in ["", "../c"] {
            #expect(await failure { try await withCassette(bad) {} }?.code == .mockUnavailable)
        }
    }

    @Test("can be recorded by one block at a time")
    func lock() async throws {
        try await withCassette(name) {
            let error = await failure { try await withCassette(name) {} }
            #expect(error?.code == .fileInUse)
            try Task.checkCancellation()
        }
        #expect(folder.names.isEmpty)
    }

    @Test("of a browser is replayed")
    func foreign() async throws {
        try folder.file(
            "c.har",
            """
            {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"},
              "pages": [], "entries": [{
              "startedDateTime": "2026-11-24T00:00:00.000Z", "time": 12.5, "connection": "1",
              "request": {"method": "GET", "url": "https://x.example/a?b=1", "httpVersion": "h2",
                "headers": [{"name": ":authority", "value": "x.example"}], "queryString": [{"name": "b", "value": "1"}],
                "cookies": [], "headersSize": -1, "bodySize": 0},
              "response": {"status": 200, "statusText": "", "httpVersion": "h2",
                "cookies": [{"name": "a", "value": "b"}],
                "headers": [{"name": "content-encoding", "value": "gzip"}, {"name": "content-length", "value": "9"}],
                "content": {"size": 2, "mimeType": "text/plain", "text": "aGk=", "encoding": "base64"},
                "redirectURL": "", "headersSize": -1, "bodySize": -1, "_transferSize": 900, "_error": null},
              "cache": {}, "timings": {"blocked": 1, "dns": -1, "ssl": -1, "connect": -1,
                "send": 0.1, "wait": 1, "receive": 2}
            }]}}
            """
        )
        let stub = StubTransport(status: 500)
        try await withCassette(name) {
            let base = BaseResource("https://x.example", networkInterface: Swifty(transport: stub))
            let response = try await base.get("a").query(["b": 1]).load()
            #expect(response.string == "hi")
            #expect(response.head?.httpVersion == .http2)
            #expect(response.head?["Content-Length"] == "2")
        }
        #expect(stub.requests.isEmpty)
    }
}

extension TemporaryFolder {
    /// The names of its files, sorted.
    fileprivate var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
