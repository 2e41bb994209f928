// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

@Suite("A limited number of connections to a host", .timeLimit(.minutes(15)))
struct ConnectionLimitTests {
    @Test("is never exceeded by thousands of requests", arguments: [1, 4, 64])
    func manyRequests(limit: Int) async throws {
        let count = Thoroughness.isSanitized ? 2_000 : 10_000
        let server = try CountingServer(limit: limit)
        let transport = CurlTransport.limited(to: limit)
        try await transport.load(count, lanes: 500, from: [server], limit: limit)
        #expect(server.most == limit)
        #expect(server.connectionCount == limit)
        #expect(Set(server.targets).count == count)
        await transport.shutdown()
    }

    /// Some requests end their connection, demand a new one, or are lost with a connection and repeated; half of them
    /// are routed to the same server.
    @Test("is kept whatever ends the connections, by all identities together", arguments: [1, 3, 16], [1, 3])
    func variety(limit: Int, loops: Int) async throws {
        let server = try CountingServer(limit: limit)
        let transport = CurlTransport.limited(to: limit) { $0.loops = loops }
        let route = HostAndPort(host: "127.0.0.1", port: server.port)
        try await transport.load(1_200, lanes: 60, mayLose: true) { number in
            let path = number % 7 == 0 ? "close" : number % 31 == 0 ? "lose" : "ok"
            var request = try NetworkRequest.to("\(server.url)/\(path)/\(number)", timeouts: .init())
            request.requiresNewConnection = number % 11 == 0
            if number % 2 == 0 { request.connectsTo = route }
            return request
        }
        #expect((1...limit).contains(server.most))
        await transport.shutdown()
    }

    @Test("holds for the whole transport if it has several loops")
    func severalLoops() async throws {
        let server = try CountingServer(limit: 4)
        let transport = CurlTransport.limited(to: 4) { $0.loops = 3 }
        try await transport.load(2_000, lanes: 200, from: [server], limit: 4)
        #expect(server.most == 4)
        #expect(server.connectionCount == 4)
    }

    @Test("applies to each host by itself")
    func otherHosts() async throws {
        let servers = try (0..<3).map { _ in try CountingServer(limit: 2) }
        let transport = CurlTransport.limited(to: 2)
        try await transport.load(600, lanes: 60, from: servers, limit: 2)
        #expect(servers.map(\.most) == [2, 2, 2])
    }

    @Test("does not exist by default: as many connections as requests are open, however many begin simultaneously")
    func unlimited() async throws {
        let server = try CountingServer(limit: 500)
        let transport = CurlTransport()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<500 { group.addTask { _ = try await transport.get("\(server.url)/hold/\(number)") } }
            try await until { server.targets.count == 500 }
            server.release()
            try await group.waitForAll()
        }
        #expect(server.most == 500)
        #expect(server.connectionCount == 500)
    }

    @Test("below one is an error of every load", arguments: [0, -1, .min])
    func invalid(limit: Int) async throws {
        let server = try CountingServer()
        let error = try await CurlTransport.limited(to: limit).failure(of: .to(server.url))
        #expect(error.code == .invalidSettings)
        #expect(error.sent == .notSent)
        #expect(server.connectionCount == 0)
    }
}

extension CurlTransport {
    /// A transport that opens at most this number of connections to a host.
    static func limited(to limit: Int, _ change: (inout Configuration) -> Void = { _ in }) -> CurlTransport {
        CurlTransport(
            configuration: .with {
                $0.settings.connections.maximumPerHost = limit
                change(&$0)
            }
        )
    }

    /// Loads from servers that do not respond before each has as many connections as it may have.
    fileprivate func load(_ count: Int, lanes: Int, from servers: [CountingServer], limit: Int) async throws {
        async let loads: Void = load(count, lanes: lanes) { number in
            try .to("\(servers[number % servers.count].url)/hold/\(number)", timeouts: .init())
        }
        try await until { servers.allSatisfy { $0.targets.count == limit } }
        for server in servers { server.release() }
        try await loads
    }

    /// Sends a number of requests, as many simultaneously as there are lanes.
    ///
    /// - Parameter mayLose: Whether a load may fail because its connection was lost.
    func load(
        _ count: Int,
        lanes: Int,
        mayLose: Bool = false,
        _ request: @escaping @Sendable (Int) throws -> NetworkRequest
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for number in stride(from: lane, to: count, by: lanes) {
                        let request = try request(number)
                        switch await self.result(of: request) {
                        case .success(let response): #expect(response.text == request.target.path)
                        case .failure(let error): #expect(mayLose && error.code == .connectionLost, "\(error)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
