// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

@Suite("A cassette that processes record", .timeLimit(.minutes(15)))
struct RecordProcessTests {
    private let folder: TemporaryFolder
    private var cassette: String { folder.path("c.har") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("c.har") }.sorted()
    }

    @Test("is the old one or a whole new one when the process is killed, without secrets, and is recorded again")
    func killed() async throws {
        let server = try LoopbackServer()
        let secret = "Authorization:Bearer canary-field"
        let old = try await Program.swifty("--record", cassette, "\(server.url)/get", secret)
        #expect(old.status == 0)
        let lines = (0..<12).map { #"{"url":"\#(server.url)/bytes/100000?seed=\#($0)&token=canary-query"}"# }
        let input = try folder.file("lines", lines.joined(separator: "\n"))
        var random = SplitMix(seed: 1)
        let temporary = cassette + ".new"
        for round in 0..<16 {
            server.log.clear()
            unlink(temporary)
            let process = try ChildProcess(
                Program.products.appending(path: "swifty").path,
                ["batch", input.path, "--record", cassette],
                environment: ["SWIFTY_RECORD": "all"]
            )
            try await until { server.log.count == lines.count || !process.isRunning }
            // In the first rounds at any time, before, while and after the file is written; then in its middle.
            let pause = round < 8 ? Int.random(in: 0..<200, using: &random) : 0
            try await Task.sleep(for: .milliseconds(pause))
            try await onOwnThread {
                while round >= 8, process.isRunning, access(temporary, F_OK) != 0 { usleep(50) }
                kill(process.id, SIGKILL)
                process.wait()
            }
            let count = try Cassette(contentsOf: cassette).count
            #expect(count == 1 || count == lines.count)
            for name in try names() {
                let bytes = try folder.data(name)
                #expect(bytes.firstRange(of: Data("canary".utf8)) == nil, "\(name)")
            }
        }
        try folder.file("c.har.new", "what a killed process has left")
        let run = try await Program.run(
            "swifty",
            ["batch", input.path, "--record", cassette],
            environment: ["SWIFTY_RECORD": "all"]
        )
        #expect(run.status == 0)
        #expect(try Cassette(contentsOf: cassette).count == lines.count)
        #expect(try names() == ["c.har"], "nothing is left of the killed ones")
    }

    @Test("stays the old one when a batch is interrupted")
    func interrupted() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/wait") { _ in
            try await hang()
            return .text("never")
        }
        #expect(try await Program.swifty("--record", cassette, "\(server.url)/get").status == 0)
        let old = try folder.data("c.har")
        let lines = ["get", "wait"].map { #"{"url":"\#(server.url)/\#($0)"}"# }
        let input = try folder.file("lines", lines.joined(separator: "\n"))
        let run = try await Program.run(
            "swifty",
            ["batch", input.path, "--record", cassette],
            environment: ["SWIFTY_RECORD": "all"],
            interruption: { server.log.count == 3 }
        )
        #expect(run.status == 130)
        #expect(run.errors.contains("\(cassette) is not written."), "\(run.errors)")
        #expect(try folder.data("c.har") == old)
        #expect(try names() == ["c.har"])
    }

    @Test("is recorded by one process at a time; the second one is told which file")
    func two() async throws {
        let server = try LoopbackServer()
        let gate = Gate()
        server.route("GET", "/wait") { _ in
            await gate.wait()
            return .text("done")
        }
        let words = ["--record", cassette, "\(server.url)/wait"]
        async let first = Program.run("swifty", words)
        try await until { server.log.count == 1 }
        let second = try await Program.run("swifty", words)
        #expect(second.status == 23)
        #expect(second.errors == "swifty: the cassette \(cassette) is being recorded by another test or process\n")
        let inside = await #expect(throws: SwiftyError.self) {
            try await withCassette(folder.path("c"), mode: .all) {}
        }
        #expect(inside?.code == .fileInUse)
        gate.open()
        #expect(try await first.status == 0)
        #expect(server.log.count == 1)
        #expect(try Cassette(contentsOf: cassette).count == 1)
        #expect(try names() == ["c.har"])
    }
}
