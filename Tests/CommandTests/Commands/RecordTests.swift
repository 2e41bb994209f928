// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("swifty with --record, --save-mock and export", .timeLimit(.minutes(15)))
struct RecordTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private var cassette: String { folder.path("c.har") }

    init() throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer()
    }

    private func statuses() throws -> [Int] {
        let file = try JSONSerialization.jsonObject(with: try folder.data("c.har")) as? [String: Any]
        let entries = (file?["log"] as? [String: Any])?["entries"] as? [[String: Any]]
        return entries?.compactMap { ($0["response"] as? [String: Any])?["status"] as? Int } ?? []
    }

    @Test("records what send has loaded, and answers from it the next time")
    func send() async throws {
        let arguments = ["--record", cassette, "\(server.url)/uuid", "-a", "u:canary-1", "token==canary-2"]
        let first = try await Program.run("swifty", arguments)
        let second = try await Program.run("swifty", arguments)
        #expect(first.status == 0)
        #expect(first.bytes == second.bytes)
        #expect(server.log.count == 1)
        #expect(try statuses() == [200])
        #expect(!String(decoding: try folder.data("c.har"), as: UTF8.self).contains("canary"))
        // What the file lacks is an error, unless the environment says otherwise.
        let other = ["--record", cassette, "\(server.url)/status/418"]
        let missing = try await Program.run("swifty", other)
        #expect(missing.status == 64)
        #expect(missing.errors.contains("SWIFTY_RECORD=new records what is missing"))
        #expect(try await Program.run("swifty", other, environment: ["SWIFTY_RECORD": "new"]).status == 0)
        #expect(try statuses() == [200, 418])
        #expect(try await Program.run("swifty", other, environment: ["SWIFTY_RECORD": "all"]).status == 0)
        #expect(try statuses() == [418])
        let wrong = try await Program.run("swifty", other, environment: ["SWIFTY_RECORD": "maybe"])
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("the modes are once, all, none, new"))
    }

    @Test("records streams, downloads and failures, and nothing of what was cut off")
    func kinds() async throws {
        let cut = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close])
        let all = ["SWIFTY_RECORD": "new"]
        let runs: [([String], Int32)] = [
            (["--stream", "\(server.url)/stream/3"], 0),
            (["-o", folder.path("f"), "\(server.url)/bytes/2000?seed=1"], 0),
            (["http://127.0.0.1:1/"], 7), ([cut.url], 1),
        ]
        for (arguments, status) in runs {
            let run = try await Program.run("swifty", ["--record", cassette] + arguments, environment: all)
            #expect(run.status == status, "\(run.errors)")
        }
        #expect(try statuses() == [200, 200, 0])
        let streamed = try await Program.swifty("--stream", "--record", cassette, "\(server.url)/stream/3")
        #expect(streamed.output.split(separator: "\n").count == 3)
        let failed = try await Program.swifty("--record", cassette, "http://127.0.0.1:1/")
        #expect(failed.status == 7)
        #expect(server.log.count == 2)
    }

    @Test("records all lines of a batch")
    func batch() async throws {
        let lines = (1...20).map { #"{"url":"\#(server.url)/get?n=\#($0)"}"# }.joined(separator: "\n")
        for _ in 0..<2 {
            let run = try await Program.swifty("batch", "--record", cassette, "-c", "4", input: Data(lines.utf8))
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.split(separator: "\n").count == 20)
        }
        #expect(server.log.count == 20)
        #expect(try statuses().count == 20)
        let damaged = try folder.file("d.har", "{\"log\": {\n\"version\": ")
        let run = try await Program.swifty("batch", "--record", damaged.path, input: Data(lines.utf8))
        #expect(run.status == 64)
        #expect(run.errors.contains("\(damaged.path):2: the cassette is damaged: "), "\(run.errors)")
    }

    @Test("saves a response as a mock file, which is served and exists only once")
    func saveMock() async throws {
        let path = folder.path("json.http")
        let run = try await Program.swifty("--save-mock", path, "\(server.url)/get?token=canary")
        #expect(run.status == 0)
        let text = String(decoding: try folder.data("json.http"), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200 OK\nContent-Type: application/json\n"))
        #expect(!text.contains("canary"))
        #expect(try await Program.swifty("--mock", path, ":1/").json()["url"] is String)
        let count = server.log.count
        let again = try await Program.swifty("--save-mock", path, "\(server.url)/get")
        #expect(again.status == 23)
        #expect(again.errors == "swifty: The file \(path) cannot be written: it exists.\n")
        #expect(server.log.count == count)
        let cases = [["--save-mock", "x.txt"], ["--save-mock", folder.path("y.http"), "--stream"]]
        for arguments in cases {
            #expect(try await Program.run("swifty", arguments + ["\(server.url)/get"]).status == 64)
        }
        #expect(server.log.count == count)
        let image = folder.path("image.response.json")
        _ = try await Program.swifty("--save-mock", image, "\(server.url)/bytes/300?seed=1")
        let shown = try await Program.swifty("--mock", image, ":1/")
        let bytes = try await Program.swifty("\(server.url)/bytes/300?seed=1").bytes
        #expect(bytes.count == 300)
        #expect(shown.bytes == bytes)
    }

    @Test("exports a cassette as mock files, and prints their names")
    func export() async throws {
        for path in ["users/1", "status/404", "uuid"] {
            let url = "\(server.url)/\(path.hasPrefix("status") ? path : "anything/\(path)")"
            _ = try await Program.run("swifty", ["--record", cassette, url], environment: ["SWIFTY_RECORD": "new"])
        }
        let mocks = folder.path("Mocks")
        let run = try await Program.swifty("export", cassette, mocks)
        #expect(run.status == 0, "\(run.errors)")
        let names = ["anything/users/1.GET.http", "anything/uuid.GET.http", "status/404.GET.http"]
        #expect(run.output == names.map { "\(mocks)/\($0)\n" }.joined())
        let again = try await Program.swifty("export", cassette, mocks)
        #expect(again.status == 23)
        #expect(again.errors.contains("\(mocks)/anything/users/1.GET.http exists"))
        #expect(try await Program.swifty("export", "--force", "--exact", cassette, mocks).status == 0)
        let missing = try await Program.swifty("export", "/no/such.har", mocks)
        #expect(missing.status == 64)
        #expect(
            missing.errors == "swifty: there is no cassette /no/such.har\n"
        )
    }
}
