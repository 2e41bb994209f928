// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

@Suite("swifty serve with mock files or a cassette", .timeLimit(.minutes(15)))
struct ServeMocksTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func mock(_ name: String, _ text: String) throws {
        let path = folder.path("Mocks/\(name)")
        let parent = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private func serve(_ arguments: String...) async throws -> PeerServer {
        try await PeerServer.start(Program.products.appending(path: "swifty").path) { ports, _ in
            ["serve", "--port", "\(ports[0])"] + arguments
        }
    }

    private func failure(_ body: () async throws -> Void) async -> SwiftyError? {
        do { try await body() } catch { return error as? SwiftyError }
        return nil
    }

    private var mocks: String { folder.path("Mocks") }
    private let swifty = Swifty { $0.retry = RetryPolicy(maximumAttempts: 1) }

    @Test("finds the files by template, method and name, with sequences and variables")
    func convention() async throws {
        try mock(
            "users/{user}/repos.GET.http",
            "HTTP/1.1 503 Busy\n###\nHTTP/1.1 200 OK\nX-A: {{query.sort}}\n\n{{user}}"
        )
        try mock("users/apple/repos.json", "[]")
        try mock("users.POST.response.json", #"{"status": 201, "body": {"id": 1}}"#)
        try mock("index.txt", "root")
        let server = try await serve("--mocks", mocks)
        let base = BaseResource(server.url, networkInterface: swifty)
        let first = try await base.get("users/ada/repos").query(["sort": "x"]).validate(status: .any).load()
        #expect(first.statusCode == 503)
        for _ in 0..<2 {
            let response = try await base.get("users/ada%20b/repos").query(["sort": "x"]).load()
            #expect(response.string == "ada b")
            #expect(response.head?["X-A"] == "x")
        }
        #expect(try await base.get("users/apple/repos").load().string == "[]")
        #expect(try await base.post("users").json(["a": 1]).load().statusCode == 201)
        #expect(try await base.get().load().string == "root")
        let head = try await base.head("users/bob/repos").query(["sort": "y"]).load()
        #expect(head.statusCode == 200)
        #expect(head.data == nil)
        // A file that is changed is served as it is now.
        try mock("index.txt", "changed")
        #expect(try await base.get().load().string == "changed")
    }

    @Test("breaks connections and waits as the files say")
    func faults() async throws {
        try mock("cut.http", "# @cut 3\nHTTP/1.1 200 OK\n\nabcdef")
        try mock("lost.http", "# @failure connectionLost")
        try mock("silent.http", "# @failure timedOut")
        try mock("late.http", "# @latency 300 ms\nHTTP/1.1 200 OK\n\nlate")
        try mock("slow.http", "# @rate 50 B/s\nHTTP/1.1 200 OK\n\n0123456789")
        let server = try await serve("--mocks", mocks)
        let base = BaseResource(server.url, networkInterface: swifty)
        let cut = await failure { try await base.get("cut").load() }
        #expect(cut?.code == .connectionLost)
        #expect(cut?.content == Data("abc".utf8), "\(cut as Any)")
        #expect(await failure { try await base.get("lost").load() }?.code == .connectionLost)
        let silent = await failure { try await base.get("silent").timeout(firstByte: .milliseconds(500)).load() }
        #expect(silent?.timeLimit == .firstByte)
        let late = try await base.get("late").load()
        #expect(late.string == "late")
        #expect(try #require(late.metrics.transfer).firstByte >= .milliseconds(300))
        let slow = try await base.get("slow").load()
        #expect(slow.string == "0123456789")
        // From the call on: a busy client may get the head together with the content.
        #expect(try #require(slow.metrics.transfer).total >= .milliseconds(90))
    }

    @Test("answers 404 with the nearest files, and 500 for a file that is broken")
    func unanswered() async throws {
        try mock("users/{user}.GET.json", "{}")
        try mock("users/{user}.DELETE.http", "HTTP/1.1 204 No Content\n")
        try mock("bad.http", "HTTP/1.1 200 OK\nno field\n")
        let server = try await serve("--mocks", mocks)
        let base = BaseResource(server.url, networkInterface: swifty)
        let missing = try await base.put("users/7").query(["token": "canary"]).validate(status: .any).load()
        let reason =
            "no mock answers PUT /users/7?token=REDACTED; nearest: "
            + "users/{user}.DELETE.http, but the method is PUT; users/{user}.GET.json, but the method is PUT; "
            + "bad.http, but it is the file of \"bad\"; a file that answers it: \(mocks)/users/7.PUT.http"
        #expect(missing.statusCode == 404)
        #expect(missing.string == "\(reason)\n")
        let broken = try await base.get("bad").validate(status: .any).load()
        #expect(broken.statusCode == 500)
        let fault = "\(mocks)/bad.http:2: \"no field\" is not a header field, such as \"Content-Type: text/plain\""
        #expect(broken.string == "\(fault)\n")
        #expect(
            server.folder.lines("stderr").filter { $0.hasPrefix("swifty: ") } == [
                "swifty: \(reason)", "swifty: \(fault)",
            ]
        )
    }

    @Test("ends with 64 for what it cannot serve")
    func errors() async throws {
        try mock("a/{x}.http", "HTTP/1.1 200 OK\n")
        try mock("a/{y}.json", "1")
        try mock("b.har", "{\n\"log\": {")
        try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: true)
        let cases = [
            (["--mocks", mocks], "the mock files \(mocks)/a/{x}.http and \(mocks)/a/{y}.json answer the same request"),
            (["--mocks", "/no/such"], "the folder of mock files /no/such does not exist"),
            (["--mocks", folder.path("empty")], "there are no mock files in \(folder.path("empty"))"),
            (["--replay", "/no/such.har"], "there is no cassette /no/such.har"),
            (["--replay", "\(mocks)/b.har"], "\(mocks)/b.har:2: the cassette is damaged: "),
            (["--replay", "x", "--mocks", "y"], "Use only one of --mocks and --replay."),
        ]
        for (arguments, reason) in cases {
            let run = try await Program.run("swifty", ["serve"] + arguments)
            #expect(run.status == 64)
            #expect(run.errors.contains(reason), "\(run.errors)")
            #expect(run.output.isEmpty)
        }
    }

    @Test("replays the answers of a cassette once each, whatever server they came from")
    func replay() async throws {
        let origin = try LoopbackServer()
        let calls = Counter()
        origin.route("GET", "/next") { _ in .text("\(calls.increment())") }
        origin.route("GET", "/away") { _ in LoopbackResponse.status(302).header("Location", "\(origin.url)/next?a=1") }
        let name = folder.path("c")
        let own = BaseResource(origin.url, networkInterface: swifty)
        try await withCassette(name) {
            for _ in 0..<2 { try await own.get("next").query(["token": "canary"]).load() }
            try await own.get("away").load()
            try await own.post("anything").json(["a": 1]).load()
            let gone = await failure {
                try await BaseResource("http://127.0.0.1:1", networkInterface: swifty).get("gone").load()
            }
            #expect(gone?.code == .connectionFailed)
        }
        await origin.stop()
        let server = try await serve("--replay", "\(name).har")
        let base = BaseResource(server.url, networkInterface: swifty)
        // First, on a new connection: on one that was used before, a reset is repeated at once.
        #expect(await failure { try await base.get("gone").load() }?.code == .connectionLost)
        #expect(try await base.get("next").query(["token": "other"]).load().string == "1")
        #expect(try await base.get("next").query(["token": "canary"]).load().string == "2")
        let away = try await base.get("away").load()
        #expect(away.string == "3")
        #expect(away.request?.target.string == "\(server.url)/next?a=1")
        let other = try await base.post("anything").json(["a": 2]).validate(status: .any).load()
        #expect(other.statusCode == 404)
        #expect((other.string ?? "").contains("nearest: POST /anything with other content"), "\(other.string)")
        #expect(try await base.post("anything").json(["a": 1]).load().statusCode == 200)
        let used = try await base.get("next").query(["token": "x"]).validate(status: .any).load()
        #expect(used.string?.contains("has 2 answers to GET /next?token=REDACTED, which were all replayed") == true)
        #expect(server.folder.lines("stderr").count { $0.hasPrefix("swifty: the cassette ") } == 2)
    }
}
