// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("The programs", .timeLimit(.minutes(15)))
struct ProgramTests {
    @Test("quickstart shows each kind of load from end to end, in lines that fit a terminal")
    func quickstart() async throws {
        let run = try await Program.run("quickstart", [])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        for text in [
            "GET http://127.0.0.1", "/anything/a%2Fb%20%C3%BC?page=1", "unacceptableStatus",
            "200 of 200 authenticated; the token was fetched once\n", "203.0.113.7", "3 lines, as they arrived",
            "████████████████████ 100 %, 3000000 bytes", "first byte", "in all", "Everything worked.",
        ] {
            #expect(run.output.contains(text), "\(text) is missing in\n\(run.output)")
        }
    }

    @Test("quickstart prints the service that it loads from, word for word")
    func quickstartService() async throws {
        let output = try await Program.run("quickstart", []).output
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let source = try String(contentsOf: file.appending(path: "Sources/Quickstart/Bin.swift"), encoding: .utf8)
        let start = try #require(source.range(of: "struct Bin"))
        let end = try #require(source.range(of: "\n}\n", range: start.lowerBound..<source.endIndex))
        for line in source[start.lowerBound..<end.upperBound].split(separator: "\n") {
            #expect(output.contains("    \(line)\n"), "\(line) is missing in\n\(output)")
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
