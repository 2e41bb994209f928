// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("swifty serve", .timeLimit(.minutes(15)))
struct ServeTests {
    @Test("responds on the given port until it is interrupted")
    func port() async throws {
        // None that the system gives to the servers of other tests.
        let port = Int.random(in: 20_000..<30_000)
        let swifty = "'\(Program.products.path)/swifty'"
        let shell = """
            \(swifty) serve --port \(port) & server=$!
            for try in $(seq 100); do \(swifty) -b :\(port)/ip 2>/dev/null && break; sleep 0.1; done
            kill -INT $server; wait $server
            """
        let run = try await Program.run("/bin/sh", ["-c", shell])
        #expect(run.status == 130)
        #expect(run.output.contains("http://127.0.0.1:\(port)\n"))
        #expect(run.output.contains(#""origin" : "127.0.0.1""#))
    }

    @Test("lists its routes at the root")
    func routes() async throws {
        let server = try LoopbackServer()
        let run = try await Program.swifty("\(server.url)")
        #expect(run.output.contains("GET /bytes/{n}\n"), "\(run.output)")
        #expect(run.output.contains("any /anything/*\n"), "\(run.output)")
    }

    @Test("fails with a message if the port is taken")
    func taken() async throws {
        let server = try LoopbackServer()
        let run = try await Program.swifty("serve", "--port", "\(server.port)")
        #expect(run.status == 1)
        #expect(run.errors.contains("port \(server.port) cannot be opened"))
    }
}
