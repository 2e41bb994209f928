// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("swifty batch", .timeLimit(.minutes(15)))
struct BatchTests {
    @Test("prints one object for every line, from a file or a pipe")
    func lines() async throws {
        let server = try LoopbackServer()
        let lines = (1...40).map { #"{"url":"\#(server.url)/anything/\#($0)","body":{"n":\#($0)}}"# }
        let input = Data((lines.joined(separator: "\n\n") + "\n").utf8)
        let piped = try await Program.swifty("batch", "-c", "4", input: input)
        let folder = try TemporaryFolder()
        let file = try folder.file("in.jsonl", input)
        let read = try await Program.swifty("batch", file.path)
        for run in [piped, read] {
            let objects = try run.output.split(separator: "\n").map { line in
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            }
            #expect(run.status == 0)
            #expect(Set(objects.compactMap { $0["line"] as? Int }).count == 40)
            #expect(objects.allSatisfy { $0["status"] as? Int == 200 })
        }
        #expect(Set(server.log.requests.map(\.path)).count == 40)
    }

    @Test("reports which lines failed, and continues")
    func failures() async throws {
        let server = try LoopbackServer()
        let input = Data("nonsense\n{\"url\":\"http://127.0.0.1:1/\"}\n{\"url\":\"\(server.url)/ip\"}\n".utf8)
        let run = try await Program.swifty("batch", "-c", "1", input: input)
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 1)
        #expect(lines.count == 3)
        #expect(lines[0].contains("invalidLine"))
        #expect(lines[1].contains("connectionFailed"))
        #expect(lines[2].contains(#""status":200"#))
        #expect(try await Program.swifty("batch", "/no/such/file").status == 64)
    }

    @Test("sends no line that is not UTF-8")
    func otherText() async throws {
        let server = try LoopbackServer()
        var input = Data("{\"url\":\"\(server.url)/post\",\"body\":\"".utf8)
        input += [0xE9]
        input += Data("\"}\n{\"url\":\"\(server.url)/ip\"}\n".utf8)
        let run = try await Program.swifty("batch", "-c", "1", input: input)
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 1)
        #expect(lines.count == 2)
        #expect(lines[0].contains("invalidLine") && lines[0].contains("not UTF-8"), "\(run.output)")
        #expect(lines[1].contains(#""status":200"#), "\(run.output)")
        #expect(server.log.requests.map(\.path) == ["/ip"])
    }
}
