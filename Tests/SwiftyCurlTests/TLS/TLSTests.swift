// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("TLS and HTTP/2", .timeLimit(.minutes(15)))
struct TLSTests {
    private func transport(trusting server: NginxServer, also host: String = "localhost") -> CurlTransport {
        CurlTransport(
            configuration: .with {
                $0.settings.tls.trust = .file(server.certificateAuthority)
                for name in ["localhost", host] {
                    $0.settings.addresses.overrides[HostAndPort(host: name, port: server.port)] = ["127.0.0.1"]
                }
            }
        )
    }

    @Test("a certificate of an unknown authority is rejected, with the reason in the error")
    func untrusted() async throws {
        let server = try await NginxServer.start()
        let error = try await CurlTransport().failure(of: .to(server.url, method: .post, content: Data("x".utf8)))
        #expect(error.code == .certificateInvalid)
        #expect(error.stage == .tls)
        #expect(error.sent == .notSent)
        #expect(error.reason.contains("certificate"))
        let hint = "(TransportSettings.tls.trust trusts another authority; "
        #expect(error.description.contains(hint), "\(error)")
        #expect((error as NSError).localizedRecoverySuggestion == error.hint)
        #expect(server.log.isEmpty)
    }

    @Test("a certificate for another host is rejected")
    func wrongHost() async throws {
        let server = try await NginxServer.start()
        let transport = transport(trusting: server, also: "other.test")
        let error = try await transport.failure(of: .to("https://other.test:\(server.port)/"))
        #expect(error.code == .certificateInvalid)
        #expect(error.sent == .notSent)
        #expect(error.reason.contains("other.test"))
        // The error must be about the name, not about the authority.
        #expect(error.hint == "TransportSettings.tls.unverifiedNames skips the check of the name (not safe)")
    }

    @Test("a certificate of the configured authority is accepted, and HTTP/2 is used")
    func ownAuthority() async throws {
        let server = try await NginxServer.start()
        let transport = transport(trusting: server)
        let response = try await transport.get(server.url)
        #expect(response.text == #"{"ok":true}"#)
        #expect(response.head.httpVersion == .http2)
        #expect(response.head.headers[.contentType] == "application/json")
        #expect(response.metrics.tls > .zero)
        #expect(response.metrics.connect > .zero)
        let second = try await transport.get(server.url).metrics
        #expect(second.isConnectionReused)
        #expect(second.tls == .zero)
    }

    @Test("a hundred simultaneous loads share one connection")
    func multiplexing() async throws {
        let server = try await NginxServer.start()
        let transport = transport(trusting: server)
        try await withThrowingTaskGroup(of: ResponseHead.HTTPVersion.self) { group in
            for _ in 0..<100 { group.addTask { try await transport.get(server.url).head.httpVersion } }
            for try await version in group { #expect(version == .http2) }
        }
        try await until { server.log.count == 100 }
        #expect(server.connections.count == 1)
    }

    @Test("methods and content work over HTTP/2")
    func methods() async throws {
        let server = try await NginxServer.start()
        let transport = transport(trusting: server)
        // nginx responds without reading the content, and gives no room for more of it than fits into the first window.
        for size in [0, 10, 65_536, 500_000] {
            let response = try await transport.load(
                .to(server.url, method: .put, content: Data(repeating: 1, count: size))
            )
            #expect(response.head.statusCode == 200)
        }
        #expect(try await transport.load(.to(server.url, method: .head)).content.isEmpty)
        try await until { server.log.count == 5 }
        #expect(server.log.last?.contains("HEAD / HTTP/2.0") == true)
    }

    @Test("cancelling one load does not affect others on the connection")
    func cancelOneStream() async throws {
        let server = try await NginxServer.start()
        let transport = transport(trusting: server)
        _ = try await transport.get(server.url)
        let cancellation = LoadCancellation()
        // In the middle of its response, however slow the machine is.
        var request = try NetworkRequest.to("\(server.url)/slow")
        request.onEvent = { event in
            if case .responseHead = event { cancellation.cancel() }
        }
        let cancelled = request
        async let failure = transport.failure(of: cancelled, cancellation: cancellation)
        async let slow = transport.load(.to("\(server.url)/slow"))
        #expect(try await failure.code == .cancelled)
        #expect(try await slow.text.contains("daemon off"))
        let metrics = try await transport.get(server.url).metrics
        #expect(metrics.isConnectionReused)
    }

    @Test("a server without HTTP/2 gets HTTP/1.1 over kept connections")
    func http1() async throws {
        let server = try await NginxServer.start(http2: false)
        let transport = transport(trusting: server)
        for _ in 0..<20 {
            #expect(try await transport.get(server.url).head.httpVersion == .http1_1)
        }
        try await until { server.log.count == 20 }
        #expect(server.connections.count == 1)
    }

    @Test("a server without TLS fails the handshake")
    func noTLS() async throws {
        let server = try ScriptedServer([.skip(100), .send("HTTP/1.1 400 Bad Request\r\n\r\n"), .close])
        let url = server.url.replacingOccurrences(of: "http:", with: "https:")
        let error = try await CurlTransport().failure(of: .to(url))
        #expect(error.code == .tlsFailed)
        #expect(error.stage == .tls)
        #expect(error.sent == .notSent)
    }
}
