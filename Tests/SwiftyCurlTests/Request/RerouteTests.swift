// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Connecting elsewhere, or anew", .timeLimit(.minutes(15)))
struct RerouteTests {
    private let transport = CurlTransport()

    private func request(_ url: String, to address: String? = nil) throws -> NetworkRequest {
        var request = try NetworkRequest.to(url)
        request.connectsTo = try address.map { HostAndPort(of: try TargetURI($0)) }
        return request
    }

    private func server(_ name: String) throws -> ScriptedServer {
        try ScriptedServer(Array(repeating: [.readRequest, .respond(200, content: name)], count: 20).flatMap { $0 })
    }

    @Test("a rerouted request reaches the other server, and keeps the target's Host")
    func host() async throws {
        let server = try server("staging")
        let response = try await transport.load(request("http://api.example.com/a?b", to: server.url))
        #expect(response.text == "staging")
        #expect(response.metrics.remotePort == server.port)
        #expect(server.log.requests.first?["Host"] == "api.example.com")
        #expect(server.log.requests.first?.target == "/a?b")
    }

    @Test("connections of rerouted and other requests are never mixed, and each kind reuses its own")
    func separation() async throws {
        let (direct, staging, other) = (try server("direct"), try server("staging"), try server("other"))
        for _ in 0..<3 {
            #expect(try await transport.load(request(direct.url)).text == "direct")
            #expect(try await transport.load(request(direct.url, to: staging.url)).text == "staging")
            #expect(try await transport.load(request(direct.url, to: other.url)).text == "other")
            #expect(try await transport.load(request(staging.url)).text == "staging")
        }
        #expect(direct.connectionCount == 1)
        #expect(other.connectionCount == 1)
        #expect(staging.connectionCount == 2)
    }

    @Test("an address in brackets is one host, and the error names a peer that refuses")
    func unreachable() async throws {
        let refused = try await transport.failure(of: request("http://a.test", to: "http://[::1]:1"))
        #expect(refused.code == .connectionFailed)
        #expect(refused.sent == .notSent)
        #expect(refused.reason.contains("[::1]:1"), "\(refused.reason)")
        let unknown = try await transport.failure(of: request("http://127.0.0.1:1", to: "http://nowhere.invalid"))
        #expect(unknown.code == .nameResolutionFailed)
        #expect(unknown.reason.contains("nowhere.invalid"), "\(unknown.reason)")
    }

    @Test(
        "a peer other than a host and port is rejected before anything is sent",
        arguments: [
            ("127.1", 80), ("0x7f.1", 80), ("127.0.0.1:80", 80), ("::1%lo", 80), ("a b", 80), ("", 80), ("a.test", 0),
            ("a.test", 65_536), ("*", 80), ("a.test\r\n", 80),
        ]
    )
    func nonsense(host: String, port: Int) async throws {
        var request = try request("http://127.0.0.1:1")
        request.connectsTo = HostAndPort(host: host, port: port)
        let error = try await transport.failure(of: request)
        #expect(error.code == .invalidURL, "\(error)")
        #expect(error.stage == .building, "\(error)")
        #expect(error.sent == .notSent, "\(error)")
    }

    @Test("all spellings of a peer are equal, and its connection is reused")
    func spellings() async throws {
        let server = try server("ok")
        for host in ["127.0.0.1", "127.0.0.1.", "::ffff:127.0.0.1", "[::FFFF:7f00:1]"] {
            var request = try request("http://a.test")
            request.connectsTo = HostAndPort(host: host, port: server.port)
            #expect(try await transport.load(request).text == "ok")
        }
        #expect(server.connectionCount == 1)
    }

    @Test("a request that requires a new connection gets one, and those after it share again")
    func newConnection() async throws {
        let server = try server("ok")
        _ = try await transport.get(server.url)
        var fresh = try request(server.url)
        fresh.requiresNewConnection = true
        for _ in 0..<2 { #expect(try await !transport.load(fresh).metrics.isConnectionReused) }
        #expect(server.connectionCount == 3)
        for _ in 0..<3 { #expect(try await transport.get(server.url).metrics.isConnectionReused) }
        #expect(server.connectionCount == 3)
    }
}
