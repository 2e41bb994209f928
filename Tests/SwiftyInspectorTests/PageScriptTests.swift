// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyInspector
import SwiftySupport
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

/// The script runs in an interpreter, with a small document: Tests/Peers/page.py.
@Suite("The script of an inspector's page", .timeLimit(.minutes(15)))
struct PageScriptTests {
    /// What the page shows.
    private struct Shown: Decodable {
        var rows: [[String]]
        /// The index of the chosen row; -1 for none.
        var chosen: Int
        var counts: String
        var pause: String
        /// `nil` if no load is shown.
        var detail: [String]?
        var hash: String
        var downloads: [String]

        /// The first cells of the rows.
        var numbers: [String] { rows.map { $0[0] } }
    }

    private let inspector = Inspector()

    /// Makes three loads: `GET /a` with 200, `POST /b` with 503, and one that fails.
    private func load() async throws {
        let stub = StubTransport { request throws(SwiftyError) in
            if request.target.path == "/c" { throw SwiftyError(.connectionFailed, stage: .connect) }
            let status = request.target.path == "/b" ? 503 : 200
            let head = ResponseHead(statusCode: status, headers: [.contentType: "application/json"])
            return TransportResponse(head: head, content: Data(#"{"a":1}"#.utf8))
        }
        let swifty = Swifty(transport: stub) { $0.use(inspector) }
        let base = BaseResource("https://api.example.com", networkInterface: swifty)
        _ = try await base.get("a").header("X-Own", "<b>&</b>").load()
        _ = try await base.post("b").tag("sign-up").validate(status: .any).load()
        await #expect(throws: SwiftyError.self) { try await base.get("c").load() }
        await inspector.flush()
    }

    /// What the page shows at first, and after each action.
    private func play(_ actions: String..., url: String? = nil) async throws -> [Shown] {
        let arguments = [ExternalProgram.peer("page.py"), try url ?? inspector.serve()] + actions
        let run = try await Program.run(ExternalProgram.python, arguments)
        #expect(run.status == 0, "\(run.errors)")
        return try JSONDecoder().decode([Shown].self, from: run.bytes)
    }

    @Test("lists the loads, and shows one after a click")
    func click() async throws {
        try await load()
        let shown = try await play("click:2", "click:0")
        #expect(shown[0].numbers == ["3", "2", "1"])
        #expect(shown[0].rows[0][2...4] == ["GET", "https://api.example.com/c", "connectionFailed"])
        #expect(shown[0].rows[1][2...6] == ["POST", "https://api.example.com/b", "503", "application/json", "7 B"])
        #expect(shown[0].counts.hasPrefix("3 loads, 0 in flight, 1 errors, p50 "))
        #expect(shown[0].detail == nil)
        let detail = try #require(shown[1].detail)
        #expect(shown[1].chosen == 2)
        #expect(shown[1].hash == shown[0].hash + "/1")
        #expect(detail[0] == "GET https://api.example.com/a")
        #expect(detail.contains { $0.contains("attempt 1 begins") })
        #expect(detail.contains { $0.contains("X-Own <b>&</b>") })
        #expect(detail.contains("{\n  \"a\": 1\n}"))
        #expect(shown[2].detail?.contains { $0.contains("error") && $0.contains("connect") } == true)
        await inspector.stop()
    }

    @Test("shows at once the load that its URL names")
    func link() async throws {
        try await load()
        let shown = try await play(url: inspector.serve() + "/2")
        #expect(shown[0].chosen == 1)
        #expect(shown[0].detail?.first == "POST https://api.example.com/b")
        await inspector.stop()
    }

    @Test("filters by the terms of the documentation")
    func filter() async throws {
        try await load()
        let results = [
            "status:503": ["2"], "status:5xx": ["2"], "status:20": [], "method:post": ["2"],
            "-method:post": ["3", "1"],
            "host:api": ["3", "2", "1"], "tag:SIGN": ["2"], "source:network": ["3", "2", "1"], "error": ["3"],
            "-error com/a": ["1"], ">1000s": [], "<1000s -status:503": ["3", "1"], "json": ["2", "1"],
            "": ["3", "2", "1"],
            "(": [], "status:(": ["3", "2", "1"],
        ]
        for (term, numbers) in results {
            #expect(try await play("type:\(term)")[1].numbers == numbers, "\(term)")
        }
        await inspector.stop()
    }

    @Test("pauses, clears, and saves a file")
    func buttons() async throws {
        try await load()
        let shown = try await play("pause", "pause", "click:0", "har", "clear")
        #expect(shown.map(\.pause) == ["Pause", "Resume", "Pause", "Pause", "Pause", "Pause"])
        #expect(shown[4].downloads == ["swifty.har"])
        #expect(shown[3].detail != nil)
        #expect(shown[5].rows.isEmpty)
        #expect(shown[5].detail == nil)
        #expect(inspector.loads.isEmpty)
        await inspector.stop()
    }

    @Test("says so if the token is wrong")
    func token() async throws {
        try await load()
        let shown = try await play(url: inspector.serve().dropLast(1) + "x")
        #expect(shown[0].rows.isEmpty)
        #expect(shown[0].counts == "The token in the URL is missing or wrong.")
        await inspector.stop()
    }
}
