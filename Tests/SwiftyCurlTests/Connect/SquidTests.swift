// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("Through squid", .timeLimit(.minutes(15)), .serialized)
struct SquidTests {
    /// As squid's helper reads it.
    private static let login = "us%20er p@ss"

    private func transport(
        _ squid: SquidProxy,
        secure: Bool,
        password: String? = "p@ss",
        trusting files: [String] = []
    ) throws -> CurlTransport {
        let user = password.map { _ in "us er" }
        let proxy =
            secure
            ? TransportSettings.Proxy(.https, at: squid.secureAddress, user: user, password: password)
            : TransportSettings.Proxy(.http, at: squid.address, user: user, password: password)
        let trust = URL(filePath: "\(squid.certificate).\(UUID().uuidString)")
        try files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n")
            .write(to: trust, atomically: true, encoding: .utf8)
        return CurlTransport(
            configuration: .with {
                $0.settings.proxy = .proxy(proxy)
                if !files.isEmpty { $0.settings.tls.trust = .file(trust.path) }
                $0.settings.addresses.overrides = [squid.secureAddress: ["127.0.0.1"]]
            }
        )
    }

    @Test("http and https loads arrive, over HTTP and HTTPS to the proxy", arguments: [false, true])
    func loads(secure: Bool) async throws {
        let (origin, plain) = (try await NginxServer.start(), try LoopbackServer())
        let squid = try await SquidProxy.start(login: Self.login, tunnelPorts: [origin.port])
        let files = [squid.certificate, origin.certificateAuthority]
        let transport = try transport(squid, secure: secure, trusting: files)
        for isFirst in [true, false] {
            let response = try await transport.get("\(plain.url)/get")
            #expect(response.head.statusCode == 200)
            let tunneled = try await transport.get(origin.url)
            #expect(tunneled.text == #"{"ok":true}"#)
            #expect(tunneled.head.httpVersion == .http2)
            #expect(tunneled.metrics.proxyStatusCode == (isFirst ? 200 : nil))
            #expect(tunneled.metrics.isConnectionReused == !isFirst)
        }
        let large = String(repeating: "x", count: 300_000)
        let post = try await transport.load(.to("\(plain.url)/post", method: .post, content: Data(large.utf8)))
        #expect(post.head.statusCode == 200)
        let seen = plain.log.requests
        #expect(seen.count == 3)
        #expect(seen.allSatisfy { $0["Proxy-Authorization"] == nil })
        try await until { squid.log.count >= 3 }
        #expect(squid.log.allSatisfy { $0.hasPrefix("200 ") }, "\(squid.log)")
        #expect(squid.log.allSatisfy { $0.hasSuffix(" us er") }, "\(squid.log)")
    }

    @Test("without the right password there is a 407 for http, and an error for https", arguments: [nil, "wrong"])
    func wrongPassword(_ password: String?) async throws {
        let plain = try LoopbackServer()
        let squid = try await SquidProxy.start(login: Self.login, tunnelPorts: [443])
        let transport = try transport(squid, secure: false, password: password)
        #expect(try await transport.get("\(plain.url)/get").head.statusCode == 407)
        let error = try await transport.failure(of: .to("https://one.test/", method: .post, content: Data("x".utf8)))
        #expect(error.code == .proxyAuthenticationRequired)
        #expect(error.stage == .connect)
        #expect(error.sent == .notSent)
        #expect(error.proxyStatusCode == 407)
        #expect(plain.connectionCount == 0)
    }

    @Test("a tunnel to a forbidden port or an absent server fails as the proxy's error")
    func denied() async throws {
        // Nothing listens there; a released port may already belong to another test.
        let closed = 1
        let squid = try await SquidProxy.start(tunnelPorts: [closed])
        let transport = try transport(squid, secure: false, password: nil)
        let denied = try await transport.failure(of: .to("https://127.0.0.1:9/"))
        #expect(denied.code == .proxyFailed)
        #expect(denied.proxyStatusCode == 403)
        #expect(denied.sent == .notSent)
        let refused = try await transport.failure(of: .to("https://127.0.0.1:\(closed)/"))
        #expect(refused.code == .proxyFailed)
        #expect(refused.proxyStatusCode == 503)
        #expect(refused.sent == .notSent)
    }

    @Test("the server's certificate is checked through the tunnel, and must be for its name")
    func serverCertificate() async throws {
        let origin = try await NginxServer.start()
        let squid = try await SquidProxy.start(tunnelPorts: [origin.port])
        let right = try transport(squid, secure: false, password: nil, trusting: [squid.certificate])
        let untrusted = try await right.failure(of: .to(origin.url))
        #expect(untrusted.code == .certificateInvalid, "\(untrusted)")
        #expect(untrusted.reason.contains("localhost"))
        #expect(!untrusted.reason.contains("the proxy"), "\(untrusted.reason)")
        #expect(untrusted.proxyStatusCode == 200)
        let files = [squid.certificate, origin.certificateAuthority]
        let wrongName = try await transport(squid, secure: true, password: nil, trusting: files)
            .failure(of: .to("https://127.0.0.1:\(origin.port)/"))
        #expect(wrongName.code == .certificateInvalid)
        #expect(origin.log.isEmpty)
    }

    @Test("the proxy's certificate is checked, for http URLs, too, and nothing is sent in cleartext instead")
    func proxyCertificate() async throws {
        let plain = try LoopbackServer()
        let squid = try await SquidProxy.start(tunnelPorts: [443])
        let stranger = try await NginxServer.start()
        let transport = try transport(squid, secure: true, trusting: [stranger.certificateAuthority])
        for url in ["\(plain.url)/get", "https://one.test/"] {
            let error = try await transport.failure(of: .to(url))
            #expect(error.code == .certificateInvalid, "\(error)")
            #expect(error.stage == .tls)
            #expect(error.sent == .notSent)
            #expect(error.reason.contains("the proxy localhost"), "\(error.reason)")
        }
        let cleartext = try ScriptedServer([.skip(5), .send("HTTP/1.1 400 No TLS\r\n\r\n"), .close])
        let address = HostAndPort(host: "127.0.0.1", port: cleartext.port)
        let error = try await CurlTransport.through(
            TransportSettings.Proxy(.https, at: address, user: "user", password: "canary")
        )
        .failure(of: .to("\(plain.url)/get"))
        #expect(error.code == .tlsFailed || error.code == .proxyFailed, "\(error)")
        #expect(error.sent == .notSent)
        #expect(cleartext.log.requests.isEmpty)
        #expect(squid.log.isEmpty)
        #expect(plain.connectionCount == 0)
    }

    @Test("a POST that the server may have read is never repeated", arguments: [true, false])
    func replay(isTunneled: Bool) async throws {
        let origin = try ScriptedServer { connection in
            connection == 0
                ? [.readRequest, .respond(200, content: "one"), .readRequest, .close]
                : [.readRequest, .close]
        }
        let squid = try await SquidProxy.start(tunnelPorts: [origin.port])
        let transport = try transport(squid, secure: false, password: nil)
        // A request that connects elsewhere uses a tunnel.
        func request(_ method: HTTPRequest.Method, _ body: Data?) throws -> NetworkRequest {
            var request = try NetworkRequest.to(
                isTunneled ? "http://one.test/" : origin.url,
                method: method,
                content: body
            )
            if isTunneled { request.connectsTo = HostAndPort(host: "127.0.0.1", port: origin.port) }
            return request
        }
        #expect(try await transport.load(request(.get, nil)).text == "one")
        let post = try request(.post, Data("content".utf8))
        if isTunneled {
            let error = try await transport.failure(of: post)
            #expect(error.code == .connectionLost)
            #expect(error.sent == .maybeSent)
        } else {
            // squid responds in place of the server that it lost.
            #expect(try await transport.load(post).head.statusCode >= 500)
        }
        // A repetition would arrive in this time.
        try await Task.sleep(for: .milliseconds(100))
        #expect(origin.log.requests.filter { $0.method == "POST" }.count == 1)
    }

    @Test("many simultaneous loads, proxied and excepted, each get their own response")
    func concurrency() async throws {
        let plain = try LoopbackServer()
        let direct = try ScriptedServer { _ in
            Array(repeating: [.readRequest, .respond(200, content: "direct")], count: 100).flatMap { $0 }
        }
        let squid = try await SquidProxy.start()
        let proxy = TransportSettings.Proxy(.http, at: squid.address, user: "user", password: "canary")
        let transport = CurlTransport.through(proxy, exceptions: ["127.0.0.1:\(direct.port)"])
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    if index % 2 == 0 { return try await transport.get(direct.url).text == "direct" }
                    let response = try await transport.get("\(plain.url)/get?index=\(index)")
                    return response.text.contains("index=\(index)")
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(direct.log.requests.count == 100)
        #expect(direct.log.requests.allSatisfy { !$0.headText.contains("roxy-") })
        #expect(plain.log.requests.count == 100)
    }
}
