// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("swifty bench", .timeLimit(.minutes(15)))
struct BenchTests {
    @Test("sends exactly the requested number of loads, and counts their outcomes")
    func counts() async throws {
        let server = try LoopbackServer()
        let run = try await Program.swifty(
            "bench",
            "\(server.url)/bytes/10",
            "-n",
            "300",
            "-c",
            "8",
            "--output",
            "json"
        )
        let object = try run.json()
        #expect(run.status == 0)
        #expect(server.log.count(path: "/bytes/10") == 300)
        for (name, value) in ["requests": 300, "completed": 300, "failed": 0, "attempts": 300, "bytes": 3000] {
            #expect(object[name] as? Int == value, "\(name)")
        }
        #expect(object["statuses"] as? [String: Int] == ["200": 300])
        let latency = try #require(object["latency"] as? [String: Double])
        let ordered = ["p50", "p90", "p99", "p999", "max"].compactMap { latency[$0] }
        #expect(ordered.count == 5)
        #expect(ordered == ordered.sorted())
        #expect(ordered[0] > 0)
        #expect(object["contentMismatches"] == nil)
    }

    @Test("numbers its loads, checks their content, and accepts the options of send")
    func numbers() async throws {
        let server = try LoopbackServer()
        let digest = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"  // foo
        let run = try await Program.swifty(
            "bench",
            "POST",
            "\(server.url)/anything/{n}",
            "id:={n}",
            "X-N:{n}",
            "-n",
            "20",
            "--retry",
            "1",
            "--output",
            "json",
            "--expect-sha256",
            digest
        )
        let requests = server.log.requests
        #expect(run.status == 0)
        #expect(Set(requests.map(\.path)) == Set((0..<20).map { "/anything/\($0)" }))
        for request in requests {
            let number = try #require(request["X-N"])
            #expect(String(decoding: request.content, as: UTF8.self) == "{\"id\":\(number)}")
        }
        #expect(try run.json()["contentMismatches"] as? Int == 20)
        let sent = try await Program.swifty("POST", "\(server.url)/post", "id:={n}")
        #expect(sent.status == 64, "only bench replaces {n}: \(sent.errors)")
    }

    @Test("counts errors by their code, retries, and loads that it cancels itself")
    func failures() async throws {
        let refused = try await Program.swifty("bench", "http://127.0.0.1:1/", "-n", "10", "--output", "json").json()
        #expect(refused["errors"] as? [String: Int] == ["connectionFailed": 10])
        #expect(refused["failed"] as? Int == 10)
        let server = try LoopbackServer()
        let all = try await Program.swifty(
            "bench",
            "\(server.url)/delay/1",
            "-n",
            "10",
            "--cancel",
            "1",
            "--output",
            "json"
        ).json()
        let ended = ["completed", "failed", "cancelled"].compactMap { all[$0] as? Int }
        let cancelled = try #require(all["cancelled"] as? Int)
        #expect(ended.reduce(0, +) == 10)
        #expect(cancelled > 0)
    }

    @Test("has the status of the error if no load got a response, and with --check-status of any error")
    func status() async throws {
        let server = try LoopbackServer()
        let number = server.url
        let cases: [([String], Int32, String)] = [
            (["http://127.0.0.1:1/"], 7, "no load got a response, most failed as GET http://127.0.0.1:1/"),
            (["\(number)/delay/9", "--timeout", "0.2", "-c", "3"], 2, "timedOut"),
            (["\(number)/delay/9", "--cancel", "1", "-c", "3"], 1, "3 of 3 were cancelled"),
            (["\(number)/ip"], 0, ""), (["\(number)/ip", "--check-status"], 0, ""),
            (["\(number)/status/404"], 0, "3 of 3 responses: 404 × 3"),
            (["\(number)/status/404", "--check-status"], 4, "404 × 3"),
            (["\(number)/status/302", "--check-status"], 3, "302 × 3"),
            (["\(number)/status/20{n}", "--check-status"], 0, ""),
            (["\(number)/status/50{n}", "--check-status"], 5, "3 of 3 responses: 500 × 1, 501 × 1, 502 × 1"),
            (["http://127.0.0.1:1{n}/", "--check-status"], 7, "no load got a response"),
        ]
        for (arguments, status, words) in cases {
            let run = try await Program.run("swifty", ["bench", "-n", "3", "--output", "json"] + arguments)
            #expect(run.status == status, "\(arguments): \(run.status) \(run.errors)")
            #expect(words.isEmpty ? run.errors.isEmpty : run.errors.contains(words), "\(arguments): \(run.errors)")
            #expect(try run.json()["requests"] as? Int == 3, "the results are printed in any case")
        }
    }

    @Test("with --check-status reports failures among responses")
    func someFailures() async throws {
        let server = try ScriptedServer { connection in
            connection == 0 ? [.readRequest, .respond(200, content: "ok"), .close] : [.readRequest, .reset]
        }
        let arguments = ["bench", "-n", "3", "-c", "1", server.url]
        let plain = try await Program.run("swifty", arguments)
        #expect(plain.status == 0, "\(plain.errors)")
        let other = try ScriptedServer { connection in
            connection == 0 ? [.readRequest, .respond(200, content: "ok"), .close] : [.readRequest, .reset]
        }
        let checked = try await Program.run("swifty", arguments.dropLast() + [other.url, "--check-status"])
        #expect(checked.status == 1, "\(checked.status) \(checked.errors)")
        #expect(checked.errors.contains("2 of 3 loads failed"), "\(checked.status) \(checked.errors)")
    }

    @Test("keeps to a rate and ends after its duration")
    func pace() async throws {
        let server = try LoopbackServer()
        let object = try await Program.swifty(
            "bench",
            "\(server.url)/ip",
            "--duration",
            "1",
            "--rate",
            "20",
            "-c",
            "4",
            "--output",
            "json"
        ).json()
        let count = try #require(object["requests"] as? Int)
        #expect((5...20).contains(count))
        #expect(server.log.count(path: "/ip") == count)
    }

    @Test("prints the results so far when it is interrupted, also as a table")
    func interruption() async throws {
        let server = try LoopbackServer()
        let run = try await Program.swifty("bench", "\(server.url)/ip", "--duration", "60", "--output", "json") {
            server.log.count(path: "/ip") > 50
        }
        let object = try run.json()
        let completed = try #require(object["completed"] as? Int)
        #expect(run.status == 130)
        #expect(object["interrupted"] as? Bool == true)
        #expect(completed > 0)
        let table = try await Program.swifty("bench", "\(server.url)/ip", "-n", "20")
        #expect(table.output.contains("p99.9"))
        #expect(table.output.contains("200 × 20"))
        #expect(table.errors == "")
    }
}
