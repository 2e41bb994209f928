// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("Shutdown and idleness", .serialized, .timeLimit(.minutes(15)))
struct ShutdownTests {
    @Test("a shutdown ends every transfer, and fails later ones")
    func inFlight() async throws {
        let server = try ScriptedServer([.readRequest, .stall])
        let transport = CurlTransport(configuration: .with { $0.loops = 2 })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let error = try await transport.failure(of: .to(server.url))
                    #expect(error.code == .shutdown)
                    #expect(error.sent == .maybeSent)
                }
            }
            try await until { server.log.requests.count == 50 }
            await transport.shutdown()
            try await group.waitForAll()
        }
        let error = try await transport.failure(of: .to(server.url))
        #expect(error.code == .shutdown)
        #expect(error.sent == .notSent)
        await transport.shutdown()
        try await until { server.openConnectionCount == 0 }
    }

    @Test("several simultaneous shutdowns all return")
    func concurrentShutdowns() async throws {
        let server = try ScriptedServer([.readRequest, .respond(200)])
        for _ in 0..<20 {
            let transport = CurlTransport()
            _ = try await transport.get(server.url)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { await transport.shutdown() } }
            }
        }
    }

    @Test("a shutdown during sends forgets none of them")
    func racingSends() async throws {
        let server = try ScriptedServer([.readRequest, .stall])
        for _ in 0..<20 {
            let transport = CurlTransport()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask { _ = try? await transport.failure(of: .to(server.url)) }
                }
                group.addTask { await transport.shutdown() }
            }
        }
    }

    @Test("an unused transport can be shut down")
    func unused() async throws {
        let transport = CurlTransport()
        await transport.shutdown()
        #expect(try await transport.failure(of: .to("http://127.0.0.1:1")).code == .shutdown)
    }

    @Test("a transport that is released ends its thread and closes its descriptors")
    func released() async throws {
        let server = try ScriptedServer([.readRequest, .respond(200)])
        let name = "swifty-curl-7"
        do {
            let transport = CurlTransport(configuration: .with { $0.loops = 8 })
            for port in 0..<50 where ThisProcess.threadNames.filter({ $0 == name }).isEmpty {
                _ = try? await transport.get("http://127.0.0.1:\(port + 1)")
            }
            _ = try await transport.get(server.url)
            #expect(ThisProcess.threadNames.contains(name))
        }
        try await until { !ThisProcess.threadNames.contains(name) }
        try await until { server.openConnectionCount == 0 }
    }

    @Test("a loop with nothing to do uses no processor time")
    func idle() async throws {
        let server = try ScriptedServer([.readRequest, .respond(200), .stall])
        let transport = CurlTransport(configuration: .with { $0.loops = 9 })
        for port in 0..<90 where ThisProcess.threadTime(of: "swifty-curl-8") == nil {
            _ = try? await transport.get("http://127.0.0.1:\(port + 1)")
        }
        _ = try await transport.get(server.url)
        // The work after a transfer, such as closing its sockets, ends soon; no event reports its end.
        try await untilStable { ThisProcess.threadTime(of: "swifty-curl-8") }
        let before = try #require(ThisProcess.threadTime(of: "swifty-curl-8"))
        // In this second nothing happens.
        try await Task.sleep(for: .seconds(1))
        let after = try #require(ThisProcess.threadTime(of: "swifty-curl-8"))
        #expect(after - before < 50_000_000, "nanoseconds in one idle second")
        await transport.shutdown()
    }

    @Test("sockets are closed when another program is started")
    func closeOnExec() async throws {
        let server = try ScriptedServer([.readRequest, .respond(200), .stall])
        let transport = CurlTransport()
        _ = try await transport.get(server.url)
        let open = ThisProcess.descriptorsWithoutCloseOnExec(toPort: server.port)
        #expect(open.isEmpty)
        await transport.shutdown()
    }
}
