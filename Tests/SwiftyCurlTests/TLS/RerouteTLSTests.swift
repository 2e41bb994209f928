// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

@Suite("Connecting elsewhere over TLS", .timeLimit(.minutes(15)), .serialized)
struct RerouteTLSTests {
    private func request(_ url: String, to server: NginxServer) throws -> NetworkRequest {
        var request = try NetworkRequest.to(url)
        request.connectsTo = HostAndPort(of: try TargetURI("http://127.0.0.1:\(server.port)"))
        return request
    }

    private func transport(trusting server: NginxServer) -> CurlTransport {
        CurlTransport(configuration: .with { $0.settings.tls.trust = .file(server.certificateAuthority) })
    }

    @Test("the certificate must be for the target, not for the address", arguments: [true, false])
    func certificate(http2: Bool) async throws {
        let server = try await NginxServer.start(http2: http2)
        let transport = transport(trusting: server)
        for _ in 0..<3 {
            #expect(try await transport.load(request("https://localhost", to: server)).head.statusCode == 200)
        }
        let wrong = try await transport.failure(of: request("https://api.example.com", to: server))
        #expect(wrong.code == .certificateInvalid)
        #expect(wrong.sent == .notSent)
        #expect(wrong.reason.contains("api.example.com"))
        let address = try await transport.failure(of: .to("https://127.0.0.1:\(server.port)"))
        #expect(address.code == .certificateInvalid)
        #expect(try await transport.load(request("https://localhost", to: server)).metrics.isConnectionReused)
        try await until { server.log.count == 4 }
        #expect(server.connections.count == 1)
    }

    @Test("a request that requires a new connection does not join the shared one")
    func newConnection() async throws {
        let server = try await NginxServer.start()
        let transport = transport(trusting: server)
        var request = try request("https://localhost", to: server)
        _ = try await transport.load(request)
        request.requiresNewConnection = true
        #expect(try await !transport.load(request).metrics.isConnectionReused)
        request.requiresNewConnection = false
        #expect(try await transport.load(request).metrics.isConnectionReused)
        try await until { server.log.count == 3 }
        #expect(server.connections.count == 2)
    }

    @Test("simultaneous requests share a connection only with those to the same target")
    func multiplexing() async throws {
        let server = try await NginxServer.start()
        let transport = transport(trusting: server)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<100 {
                let isRight = index % 2 == 0
                let request = try request(isRight ? "https://localhost" : "https://api.example.com", to: server)
                group.addTask {
                    do {
                        return try await transport.load(request).head.httpVersion == .http2 && isRight
                    } catch let error as SwiftyError {
                        return error.code == .certificateInvalid && !isRight
                    }
                }
            }
            for try await isAsExpected in group { #expect(isAsExpected) }
        }
        try await until { server.log.count == 50 }
    }
}
