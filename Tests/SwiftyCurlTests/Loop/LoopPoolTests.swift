// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Synchronization
import TestSupport
import Testing

@Suite("Several loops", .timeLimit(.minutes(15)))
struct LoopPoolTests {
    private let threads = ThreadNames()

    /// The names of the threads on which transfers reported their connections.
    private final class ThreadNames: Sendable {
        private let state = Mutex<Set<String>>([])

        var all: Set<String> { state.withLock(\.self) }

        func noteCurrent() {
            let name = ThisProcess.currentThreadName
            state.withLock { _ = $0.insert(name) }
        }
    }

    private func observed(_ request: NetworkRequest) -> NetworkRequest {
        var request = request
        request.onEvent = { [threads] event in
            if case .connected = event { threads.noteCurrent() }
        }
        return request
    }

    /// Lets a number of loads wait for a server that does not respond.
    private func wait(_ count: Int, with transport: CurlTransport) async throws {
        let server = try ScriptedServer([.readRequest, .stall])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let error = try await transport.failure(of: observed(.to(server.url)))
                    #expect(error.code == .shutdown)
                }
            }
            try await until { server.log.requests.count == count }
            await transport.shutdown()
            try await group.waitForAll()
        }
    }

    @Test("a host with few requests keeps to one loop")
    func quietHost() async throws {
        try await wait(32, with: CurlTransport(configuration: .with { $0.loops = 3 }))
        #expect(threads.all.count == 1)
    }

    @Test("hosts that are reached through one proxy share its loop and connection")
    func proxiedHosts() async throws {
        let proxy = try ScriptedServer.repeating("proxied")
        let transport = CurlTransport.through(proxy)
        for number in 0..<10 { _ = try await transport.load(observed(.to("http://host-\(number).test/"))) }
        #expect(threads.all.count == 1)
        #expect(proxy.connectionCount == 1)
    }

    @Test("a busy host uses all loops")
    func busyHost() async throws {
        try await wait(100, with: CurlTransport(configuration: .with { $0.loops = 3 }))
        #expect(threads.all == ["swifty-curl-0", "swifty-curl-1", "swifty-curl-2"])
    }

    @Test("a busy host that becomes quiet returns to its loop")
    func quietAgain() async throws {
        let transport = CurlTransport(configuration: .with { $0.loops = 3 })
        let exchange: [ScriptedServer.Step] = [.readRequest, .respond(200, content: "ok")]
        let server = try ScriptedServer(Array(repeating: exchange, count: 50).flatMap { $0 })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { _ = try await transport.get(server.url) } }
            try await group.waitForAll()
        }
        for _ in 0..<20 { _ = try await transport.load(observed(.to(server.url))) }
        #expect(threads.all.count == 1)
        await transport.shutdown()
    }

    @Test("over TLS, requests with room on one connection stay on it")
    func streams() async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport { $0.loops = 3 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<60 {
                let request = try observed(peer.request("ok/\(index)"))
                group.addTask { _ = try await transport.load(request) }
            }
            try await group.waitForAll()
        }
        #expect(threads.all.count == 1)
        await transport.shutdown()
    }
}
