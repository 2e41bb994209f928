// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("The programs", .timeLimit(.minutes(15)))
struct ProgramTests {
    @Test("quickstart shows every kind of load from end to end")
    func quickstart() async throws {
        let run = try await Program.run("quickstart", [])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        for line in [
            #""origin" : "127.0.0.1""#, #"{"name":"Ada"} and My: Header"#, "a%2Fb%20%C3%BC?page=1",
            "200 of 200 authenticated, the token was fetched 1 time(s)", "203.0.113.7", "unacceptableStatus",
            "on com.background.processing",
            "Everything worked.",
        ] {
            #expect(run.output.contains(line), "\(line) is missing in\n\(run.output)")
        }
    }

    @Test("quickstart runs against a given server, and fails with a message if no server answers")
    func quickstartServer() async throws {
        let server = try LoopbackServer()
        let run = try await Program.run("quickstart", ["--server", server.url])
        #expect(run.status == 0)
        #expect(server.log.count(path: "/bearer") == 200)
        let unreachable = try await Program.run("quickstart", ["--server", "http://127.0.0.1:1"])
        #expect(unreachable.status == 1)
        #expect(unreachable.output.contains("connectionFailed"))
        #expect(try await Program.run("quickstart", ["--server"]).status == 64)
    }

    @Test("link libcurl, and not FoundationNetworking")
    func linkage() throws {
        let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        for name in ["quickstart", "swifty"] {
            let binary = try Data(contentsOf: products.appendingPathComponent(name), options: .mappedIfSafe)
            #expect(binary.range(of: Data("libFoundationNetworking.so".utf8)) == nil)
            #expect(binary.range(of: Data("libcurl.so".utf8)) != nil)
        }
    }

    @Test("use no proxy from the environment")
    func environmentProxy() async throws {
        let server = try LoopbackServer()
        let dead = "http://127.0.0.1:1"
        let proxies = ["http_proxy": dead, "HTTP_PROXY": dead, "ALL_PROXY": dead, "all_proxy": dead]
        let run = try await Program.run("swifty", ["\(server.url)/ip"], environment: proxies)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("127.0.0.1"), "\(run.errors)")
    }
}
