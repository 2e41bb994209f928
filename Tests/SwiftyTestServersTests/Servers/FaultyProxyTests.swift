// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A proxy with faults", .timeLimit(.minutes(15)))
struct FaultyProxyTests {
    private let server: LoopbackServer
    private let proxy: FaultyProxy
    private let base: BaseResource

    init() throws {
        server = try LoopbackServer()
        proxy = try FaultyProxy(to: server.port)
        base = BaseResource(proxy.url, networkInterface: Swifty(transport: TransportSettings()))
    }

    private func failure(_ resource: NetworkResource) async -> SwiftyError? {
        await #expect(throws: SwiftyError.self) { try await resource.load() }
    }

    @Test("changes nothing without faults, and counts")
    func plain() async throws {
        let content = Data(count: 2_000_000)
        #expect(try await base.post("post").data(content, contentType: "x/y").load().statusCode == 200)
        #expect(try await base.get("bytes/3000000").load().data?.count == 3_000_000)
        #expect(proxy.byteCount(.up) > 2_000_000)
        #expect(proxy.byteCount(.down) > 3_000_000)
        #expect(server.log.requests.first?.content == content)
    }

    @Test("refuses connections when it has stopped")
    func stop() async throws {
        let isRefused = try await refusesConnections {
            let proxy = try FaultyProxy(to: server.port)
            _ = try SocketClient(port: proxy.port).exchange("GET", "/get")
            await proxy.stop()
            return proxy.port
        }
        #expect(isRefused)
    }

    @Test("cuts and resets a response after a number of bytes", arguments: [false, true])
    func cut(_ resets: Bool) async throws {
        proxy.setPath(.down, .ending(after: 5_000, byReset: resets))
        let error = await failure(base.get("bytes/100000"))
        #expect(error?.code == .connectionLost, "\(error as Any)")
        proxy.setPath(.down, FaultyProxy.Path())
        #expect(try await base.get("bytes/100000").load().data?.count == 100_000)
    }

    @Test("cuts a request in its content")
    func request() async throws {
        proxy.setPath(.up, .ending(after: 50_000, byReset: true))
        let error = await failure(base.post("post").data(Data(count: 5_000_000), contentType: "x/y"))
        #expect(error?.sent == .maybeSent, "\(error as Any)")
        #expect(server.log.count == 0)
    }

    @Test("stalls a path, and lets it go on")
    func stall() async throws {
        proxy.setPath(.down, FaultyProxy.Path(isStalled: true))
        let load = Task { try await base.get("bytes/200000").load() }
        _ = try await server.takeRequest(timeout: .seconds(60))
        // The server reads a request after it has written the response to the one before. A relay that has carried two
        // more requests has also had that response to carry.
        let client = try SocketClient(port: proxy.port)
        for number in 2...5 {
            try client.send("GET /bytes/10000 HTTP/1.1\r\nHost: a.test\r\n\r\n")
            try await until { server.log.count == number }
        }
        #expect(proxy.byteCount(.down) == 0)
        proxy.setPath(.down, FaultyProxy.Path())
        #expect(try await load.value.data?.count == 200_000)
        #expect(try client.read(40_000).count == 40_000)
    }

    @Test("slows a path down")
    func slow() async throws {
        proxy.setPath(.down, FaultyProxy.Path(bytesPerSecond: 100_000))
        let duration = try await ContinuousClock().measure {
            let response = try await base.get("bytes/50000").load()
            #expect(response.data?.count == 50_000)
        }
        #expect(duration > .milliseconds(400))
    }

    @Test("delays both directions, without a limit of its own on the rate")
    func latency() async throws {
        proxy.setPath(.up, FaultyProxy.Path(latency: .milliseconds(100)))
        proxy.setPath(.down, FaultyProxy.Path(latency: .milliseconds(100)))
        var duration = try await ContinuousClock().measure {
            let response = try await base.get("bytes/3000000").load()
            #expect(response.data?.count == 3_000_000)
        }
        #expect(duration >= .milliseconds(200))
        duration = try await ContinuousClock().measure { _ = try await base.get("ip").load() }
        #expect(duration >= .milliseconds(200))
        proxy.setPath(.up, FaultyProxy.Path())
        proxy.setPath(.down, .ending(after: 0, byReset: true))
        // Seen while connecting, or after it.
        #expect(await failure(base.get("ip")) != nil)
    }

    @Test("closes and resets kept connections, after which a request goes over a new one")
    func keptConnections() async throws {
        for resets in [true, false] {
            #expect(try await base.get("ip").load().statusCode == 200)
            if resets { proxy.resetConnections() } else { proxy.closeConnections() }
            try await until { proxy.openConnectionCount == 0 }
        }
        #expect(try await base.get("ip").load().statusCode == 200)
        #expect(proxy.connectionCount == 3)
    }

    @Test("refuses connections")
    func refusal() async throws {
        proxy.refusesConnections = true
        let error = await failure(base.get("ip"))
        #expect(error != nil)
        #expect(server.log.count == 0)
        proxy.refusesConnections = false
        #expect(try await base.get("ip").load().statusCode == 200)
    }
}
