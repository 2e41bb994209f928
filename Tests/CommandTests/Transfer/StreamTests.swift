// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("With --stream, content", .timeLimit(.minutes(15)))
struct StreamTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: TYPE\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Runs a command whose output goes to a file, and interrupts it when the file has a text.
    private func run(_ arguments: String, until text: String) async throws -> (Program, output: String) {
        let folder = try TemporaryFolder()
        let output = folder.path("output")
        let command = "exec '\(Program.products.path)/swifty' \(arguments) > '\(output)'"
        let run = try await Program.run("/bin/sh", ["-c", command]) {
            (try? folder.data("output")).map { String(decoding: $0, as: UTF8.self).contains(text) } ?? false
        }
        return (run, String(decoding: try folder.data("output"), as: UTF8.self))
    }

    @Test(
        "is printed as it arrives, and Ctrl-C ends it",
        arguments: [
            ("text/event-stream", "data: 1\n\n"), ("application/x-ndjson", "{\"a\":1}\n"), ("text/plain", "no line"),
        ]
    )
    func arrival(type: String, text: String) async throws {
        let chunk = "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
        let server = try ScriptedServer([
            .readRequest, .send(Self.head.replacing("TYPE", with: type) + chunk), .stall,
        ])
        let (run, output) = try await run("--stream \(server.url)", until: text)
        #expect(run.status == 130)
        #expect(run.errors.isEmpty, "\(run.errors)")
        #expect(output == text)
        try await until { server.openConnectionCount == 0 }
    }

    @Test("follows the head and precedes the timings, and the status counts as always")
    func parts() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/e") { _ in .text("no such thing\n", status: 404) }
        }
        let run = try await Program.swifty("--stream", "--print", "Hhbm", "\(server.url)/e")
        #expect(run.status == 0)
        let order = ["GET /e HTTP/1.1\n", "HTTP/1.1 404 Not Found\n", "no such thing\n", "total "]
        var rest = run.output[...]
        for part in order {
            let place = try #require(rest.firstRange(of: part), "\(part) is missing, or out of order: \(run.output)")
            rest = rest[place.upperBound...]
        }
        #expect(run.errors == "swifty: GET \(server.url)/e returned 404 Not Found\n")
        #expect(try await Program.swifty("--stream", "--check-status", "\(server.url)/e").status == 4)
        let head = try await Program.swifty("--stream", "-H", "\(server.url)/e")
        #expect(head.output.hasSuffix("\n\n"))
        #expect(!head.output.contains("no such thing"))
    }

    @Test("has no limit of size, is decoded, and is never short without an error")
    func completeness() async throws {
        let content = Data(repeating: 7, count: 40 << 20)
        let server = try LoopbackServer { server in
            server.route("GET", "/large") { _ in .data(content) }
        }
        let large = try await Program.swifty("--stream", "\(server.url)/large")
        #expect(large.status == 0, "\(large.errors)")
        #expect(large.bytes == content)
        let limited = try await Program.swifty("--stream", "--max-body", "1M", "\(server.url)/large")
        #expect(limited.status == 1)
        #expect(limited.errors.contains("--max-body"), "\(limited.errors)")
        #expect(limited.bytes.count <= 1 << 20)
        let coded = try await Program.swifty("-N", "\(server.url)/gzip")
        #expect(try coded.json()["gzipped"] as? Bool == true)
        let short = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .close,
        ])
        let cut = try await Program.swifty("--stream", short.url)
        #expect(cut.output == "short")
        #expect(cut.status == 1)
        #expect(cut.errors.contains("connectionLost"), "\(cut.errors)")
    }

    @Test("arrives no faster than --limit-rate")
    func rate() async throws {
        let server = try LoopbackServer()
        let clock = ContinuousClock()
        let duration = try await clock.measure {
            let run = try await Program.swifty("--limit-rate", "10K", "--stream", "\(server.url)/bytes/20480")
            #expect(run.bytes.count == 20_480)
        }
        // The last tenth of a second is not waited for.
        #expect(duration > .seconds(1.5))
        let upload = try await clock.measure {
            let content = Data(repeating: 1, count: 20_480)
            let run = try await Program.run(
                "swifty",
                ["--limit-rate", "10k", "\(server.url)/post", "-m"],
                input: content
            )
            #expect(run.status == 0)
        }
        #expect(upload > .seconds(1.5))
    }
}
