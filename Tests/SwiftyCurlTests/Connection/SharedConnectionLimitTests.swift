// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import Synchronization
import TestSupport
import Testing

@Suite("A limited number of connections to a host, over TLS", .timeLimit(.minutes(15)))
struct SharedConnectionLimitTests {
    /// Counts the sockets of this process that are connected to a port, again and again until the work has ended.
    private func most(toPort port: Int, during work: () async throws -> Void) async throws -> Int {
        let (isDone, most) = (Gate(), SharedMaximum())
        async let watch: Void = onOwnThread {
            _ = blockUntil(within: .seconds(900)) {
                most.note(OpenSockets.countConnected(toPort: port))
                return isDone.isOpen
            }
        }
        defer { isDone.open() }
        try await work()
        isDone.open()
        try await watch
        return most.value
    }

    private final class SharedMaximum: Sendable {
        private let state = Mutex(0)

        var value: Int { state.withLock { $0 } }

        func note(_ number: Int) {
            state.withLock { $0 = max($0, number) }
        }
    }

    private func load(_ count: Int, lanes: Int, _ request: @escaping @Sendable (Int) async throws -> Void) async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask { for number in stride(from: lane, to: count, by: lanes) { try await request(number) } }
            }
            try await group.waitForAll()
        }
    }

    @Test("lets requests beyond the limit of streams wait for room on the one connection")
    func streams() async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport {
            $0.maximumConcurrentStreams = 5
            $0.settings.connections.maximumPerHost = 1
        }
        let most = try await most(toPort: peer.port) {
            try await load(300, lanes: 100) { number in
                let response = try await transport.load(peer.request("ok/\(number)"))
                #expect(response.head.httpVersion == .http2)
            }
        }
        #expect(most == 1)
        let log = try await transport.get(peer.url("log")).text.split(separator: "\n")
        #expect(log.count == 300)
        #expect(Set(log.map { $0.split(separator: " ")[0] }).count == 1)
    }

    @Test("counts connections that the server ends with GOAWAY until they are closed", arguments: [1, 3])
    func rotation(limit: Int) async throws {
        let server = try await RotatingNginx(requestsPerConnection: 100)
        let transport = transport(server.port, server.certificateAuthority, limit)
        let most = try await most(toPort: server.port) {
            try await load(1_000, lanes: 50) { number in
                let response = try await transport.get("https://localhost:\(server.port)/\(number)")
                #expect(response.text == "ok")
            }
        }
        #expect(most <= limit)
        #expect(most > 0)
    }

    @Test("holds for a server that turns out to speak HTTP/1.1", arguments: [1, 4])
    func http1(limit: Int) async throws {
        let server = try await NginxServer.start(http2: false)
        let transport = transport(server.port, server.certificateAuthority, limit)
        let most = try await most(toPort: server.port) {
            try await load(400, lanes: 200) { _ in
                let response = try await transport.get(server.url)
                #expect(response.head.httpVersion == .http1_1)
            }
        }
        #expect(most == limit)
    }

    private func transport(_ port: Int, _ authority: String, _ limit: Int) -> CurlTransport {
        .limited(to: limit) {
            $0.settings.tls.trust = .file(authority)
            $0.settings.addresses.overrides = [HostAndPort(host: "localhost", port: port): ["127.0.0.1"]]
        }
    }
}
