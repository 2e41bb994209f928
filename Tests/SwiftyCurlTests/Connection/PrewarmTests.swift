// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("Connections that are opened ahead of requests", .timeLimit(.minutes(15)))
struct PrewarmTests {
    private let transport = CurlTransport()

    private func request(_ url: String, isNew: Bool = false) throws -> NetworkRequest {
        var request = NetworkRequest(target: try TargetURI(url))
        request.requiresNewConnection = isNew
        return request
    }

    private func prewarm(_ url: String, isNew: Bool = false) async throws {
        try await transport.prewarm(try request(url, isNew: isNew), cancellation: LoadCancellation())
    }

    @Test("carry the next request, and have sent nothing before it")
    func reuse() async throws {
        let server = try ScriptedServer([.readRequest, .respond(200, content: "ok")])
        try await prewarm(server.url)
        try await until { server.connectionCount == 1 }
        #expect(server.log.requests.isEmpty)
        let statistics = await transport.connectionStatistics()
        #expect(statistics.idle == 1)
        #expect(statistics.active == 0)
        #expect(statistics.hosts.keys.first == "http://127.0.0.1:\(server.port)")
        let metrics = try await transport.get(server.url).metrics
        #expect(metrics.connect == .zero)
        #expect(server.connectionCount == 1)
    }

    @Test("are not opened while there is an idle one, unless a new one is demanded")
    func idle() async throws {
        let server = try LoopbackServer()
        for _ in 0..<3 { try await prewarm(server.url) }
        #expect(await transport.connectionStatistics().idle == 1)
        try await prewarm(server.url, isNew: true)
        #expect(await transport.connectionStatistics().idle == 2)
        try await until { server.connectionCount == 2 }
    }

    @Test("stay no longer than they may be idle, however often they are asked for")
    func idleLimit() async throws {
        let server = try LoopbackServer()
        let transport = CurlTransport(
            configuration: .with { $0.settings.connections.maximumIdleTime = .milliseconds(400) }
        )
        let request = try request(server.url)
        let start = ContinuousClock.now
        while server.connectionCount < 2, ContinuousClock.now - start < .seconds(60) {
            try await transport.prewarm(request, cancellation: LoadCancellation())
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(server.connectionCount == 2)
    }

    @Test("carry HTTP/2 over TLS, with the handshake done")
    func http2() async throws {
        var files = try await CertificateFactory.localhost()
        files["x"] = Data("ok".utf8)
        let server = try await NginxServer.start(files: files) { port in
            """
            server {
              listen 127.0.0.1:\(port) ssl http2;
              ssl_certificate server.pem; ssl_certificate_key server.key;
              location / { return 200 "ok"; }
            }
            """
        }
        let name = HostAndPort(host: "localhost", port: server.port)
        let transport = CurlTransport(
            configuration: .with {
                $0.settings.tls.trust = .file(server.certificateAuthority)
                $0.settings.addresses.overrides = [name: ["127.0.0.1"]]
            }
        )
        let request = try request("https://localhost:\(server.port)")
        for _ in 0..<2 { try await transport.prewarm(request, cancellation: LoadCancellation()) }
        #expect(await transport.connectionStatistics().idle == 1)
        try await withThrowingTaskGroup(of: TransferMetrics.self) { group in
            for _ in 0..<10 { group.addTask { try await transport.get(request.target.string).metrics } }
            for try await metrics in group {
                #expect(metrics.tls == .zero)
                #expect(metrics.isConnectionReused)
                #expect(metrics.httpVersion == .http2)
            }
        }
        #expect(await transport.connectionStatistics().idle == 1)
    }

    @Test("fail with the error that a request would have, and leave nothing behind")
    func failures() async throws {
        let refused = await #expect(throws: SwiftyError.self) { try await prewarm("http://127.0.0.1:1") }
        #expect(refused?.code == .connectionFailed)
        #expect(refused?.sent == .notSent)
        #expect(await transport.connectionStatistics() == ConnectionStatistics())
        var slow = try request("http://192.0.2.1:81")
        slow.timeouts.connect = .milliseconds(100)
        let late = await #expect(throws: SwiftyError.self) {
            try await transport.prewarm(slow, cancellation: LoadCancellation())
        }
        #expect([.timedOut, .connectionFailed].contains(late?.code))
    }

    @Test("end when they are cancelled, and with the transport")
    func cancellation() async throws {
        let (cancellation, other) = (LoadCancellation(), CurlTransport())
        cancellation.cancel()
        let request = try request("http://127.0.0.1:9")
        let cancelled = await #expect(throws: SwiftyError.self) {
            try await transport.prewarm(request, cancellation: cancellation)
        }
        #expect(cancelled?.code == .cancelled)
        await other.shutdown()
        let ended = await #expect(throws: SwiftyError.self) {
            try await other.prewarm(request, cancellation: LoadCancellation())
        }
        #expect(ended?.code == .shutdown)
        #expect(await other.connectionStatistics() == ConnectionStatistics())
    }

    @Test("beside requests, none is lost, and each request has its own response")
    func together() async throws {
        let server = try LoopbackServer()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    if number % 2 == 0 {
                        try await prewarm(server.url, isNew: number % 8 == 0)
                        return true
                    }
                    return try await transport.get("\(server.url)/anything/\(number)").text.contains("/\(number)")
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        let statistics = await transport.connectionStatistics()
        #expect(statistics.active == 0)
        #expect(statistics.connecting == 0)
        #expect(statistics.waiting == 0)
        #expect(statistics.idle > 0)
    }
}

@Suite("The connections of a transport", .timeLimit(.minutes(15)))
struct ConnectionStatisticsTests {
    @Test("are counted by what they do")
    func counts() async throws {
        let server = try LoopbackServer()
        let transport = CurlTransport()
        #expect(await transport.connectionStatistics() == ConnectionStatistics())
        let held = Task { try await transport.get("\(server.url)/delay/5") }
        try await until { server.log.requests.count == 1 }
        #expect(await transport.connectionStatistics().active == 1)
        _ = try await held.value
        let statistics = await transport.connectionStatistics()
        #expect(statistics.active == 0)
        #expect(statistics.idle == 1)
    }

    @Test("that have ended are reported once, with their ages")
    func closures() async throws {
        let exchange: [ScriptedServer.Step] = [.readRequest, .respond(200, [("Connection", "close")], content: "ok")]
        let server = try ScriptedServer(exchange)
        let transport = CurlTransport()
        _ = try await transport.get(server.url)
        // Nothing is recorded before somebody asks.
        #expect(transport.takeClosedConnections().isEmpty)
        for _ in 0..<3 { _ = try await transport.get(server.url) }
        let closed = transport.takeClosedConnections()
        #expect(closed.count == 3)
        #expect(closed.allSatisfy { $0.origin == "http://127.0.0.1:\(server.port)" && $0.httpVersion == .http1_1 })
        #expect(closed.allSatisfy { $0.remoteAddress == "127.0.0.1" && $0.age > .zero })
        #expect(transport.takeClosedConnections().isEmpty)
    }
}
