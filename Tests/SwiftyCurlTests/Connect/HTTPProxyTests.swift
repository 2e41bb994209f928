// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

extension CurlTransport {
    /// A transport with a proxy.
    static func through(
        _ proxy: TransportSettings.Proxy,
        exceptions: TransportSettings.ProxyExceptions = []
    ) -> CurlTransport {
        CurlTransport(configuration: .with { $0.settings.proxy = .proxy(proxy, exceptions: exceptions) })
    }

    /// A transport with the proxy at a server's address.
    static func through(
        _ server: ScriptedServer,
        user: String? = nil,
        password: String? = nil,
        exceptions: TransportSettings.ProxyExceptions = []
    ) -> CurlTransport {
        let address = HostAndPort(host: "127.0.0.1", port: server.port)
        return through(
            TransportSettings.Proxy(.http, at: address, user: user, password: password),
            exceptions: exceptions
        )
    }
}

extension ScriptedServer {
    /// Responds to every request of every connection.
    static func repeating(_ body: String) throws -> ScriptedServer {
        try ScriptedServer(Array(repeating: [.readRequest, .respond(200, content: body)], count: 20).flatMap { $0 })
    }
}

@Suite("Requests to http URLs through a proxy", .timeLimit(.minutes(15)))
struct HTTPProxyTests {
    @Test("are sent to it with the whole URL, on one connection for all hosts")
    func absoluteForm() async throws {
        let proxy = try ScriptedServer.repeating("proxied")
        let transport = CurlTransport.through(proxy)
        let response = try await transport.get("http://one.test/a?b=c")
        #expect(response.text == "proxied")
        #expect(response.metrics.proxy == HostAndPort(host: "127.0.0.1", port: proxy.port))
        #expect(response.metrics.proxyStatusCode == nil)
        _ = try await transport.load(.to("http://two.test:8080/x", method: .post, content: Data("content".utf8)))
        #expect(proxy.log.requests.map(\.target) == ["http://one.test/a?b=c", "http://two.test:8080/x"])
        #expect(proxy.log.requests.map { $0["Host"] } == ["one.test", "two.test:8080"])
        #expect(proxy.log.requests.last?.text == "content")
        #expect(proxy.log.requests.allSatisfy { $0["Proxy-Authorization"] == nil })
        #expect(proxy.connectionCount == 1)
    }

    @Test("authenticate to the proxy in the first request")
    func credentials() async throws {
        let proxy = try ScriptedServer.repeating("proxied")
        let transport = CurlTransport.through(proxy, user: "us er", password: "p:\u{e4}%40")
        _ = try await transport.get("http://one.test/")
        let expected = Data("us er:p:\u{e4}%40".utf8).base64EncodedString()
        #expect(proxy.log.requests.map { $0["Proxy-Authorization"] } == ["Basic \(expected)"])
    }

    @Test("to an excepted host go to the server without the proxy's credentials, in the same transport")
    func exceptions() async throws {
        let proxy = try ScriptedServer.repeating("proxied")
        let origin = try ScriptedServer.repeating("direct")
        let exceptions: TransportSettings.ProxyExceptions = ["127.0.0.1:\(origin.port)"]
        let transport = CurlTransport.through(proxy, user: "user", password: "canary", exceptions: exceptions)
        for _ in 0..<4 {
            #expect(try await transport.get("http://one.test/").text == "proxied")
            let direct = try await transport.get(origin.url)
            #expect(direct.text == "direct")
            #expect(direct.metrics.proxy == nil)
        }
        #expect(proxy.log.requests.allSatisfy { $0.target == "http://one.test/" })
        #expect(proxy.log.requests.allSatisfy { $0["Proxy-Authorization"] != nil })
        #expect(origin.log.requests.allSatisfy { $0.target == "/" })
        #expect(origin.log.requests.allSatisfy { !$0.headText.contains("roxy-") })
        #expect(proxy.connectionCount == 1)
        #expect(origin.connectionCount == 1)
    }

    @Test("may not contain Proxy-Authorization, with a proxy or without", arguments: [true, false])
    func ownHeader(isProxied: Bool) async throws {
        let server = try ScriptedServer.repeating("unreachable")
        let transport = isProxied ? CurlTransport.through(server) : CurlTransport()
        let request = try NetworkRequest.to(server.url, headers: [.proxyAuthorization: "Basic canary"])
        let error = try await transport.failure(of: request)
        #expect(error.code == .invalidHeader)
        #expect(error.stage == .building)
        #expect(!"\(error)".contains("canary"))
        #expect(server.connectionCount == 0)
    }

    @Test("a 407 is an ordinary response, and reveals the credentials nowhere")
    func refused() async throws {
        let proxy = try ScriptedServer(
            Array(
                repeating: [
                    .readRequest, .respond(407, [("Proxy-Authenticate", "Basic realm=\"test\"")], content: "who?"),
                ],
                count: 3
            ).flatMap { $0 }
        )
        for password in [nil, "wrong"] {
            let transport = CurlTransport.through(proxy, user: password.map { _ in "user" }, password: password)
            let response = try await transport.get("http://one.test/")
            #expect(response.head.statusCode == 407)
            #expect(response.text == "who?")
        }
        #expect(proxy.log.requests.count == 2)
    }

    @Test("fail if the proxy cannot be reached, and do not bypass it")
    func unreachable() async throws {
        let origin = try ScriptedServer.repeating("direct")
        for scheme in ["http", "https", "socks5h", "socks5"] {
            let refused = try await CurlTransport.through(
                TransportSettings.Proxy("\(scheme)://user:canary@127.0.0.1:1")
            )
            .failure(of: .to(origin.url))
            #expect(refused.code == .proxyFailed, "\(scheme): \(refused)")
            #expect(refused.stage == .connect)
            #expect(refused.sent == .notSent)
            #expect(refused.reason.contains("127.0.0.1:1"), "\(refused.reason)")
            #expect(refused.transfer?.proxy?.port == 1)
            let unknown = try await CurlTransport.through(
                TransportSettings.Proxy("\(scheme)://user:canary@nowhere.invalid:8")
            )
            .failure(of: .to(origin.url))
            #expect(unknown.code == .proxyFailed, "\(scheme): \(unknown)")
            #expect(unknown.sent == .notSent)
            #expect(unknown.reason.contains("nowhere.invalid"), "\(unknown.reason)")
            for error in [refused, unknown] {
                var dumped = ""
                dump(error, to: &dumped)
                #expect(!"\(error) \(dumped) \(error.transfer as Any)".contains("canary"))
            }
        }
        #expect(origin.connectionCount == 0)
    }

    @Test("fail with a reason if the proxy cannot be used")
    func invalid() async throws {
        let proxy = TransportSettings.Proxy(.http, at: HostAndPort(host: "a\r\nb", port: 80), user: "canary")
        let error = try await CurlTransport.through(proxy).failure(of: .to("http://one.test/"))
        #expect(error.code == .invalidProxy)
        #expect(error.stage == .building)
        #expect(error.request?.method == "GET")
        #expect(!"\(error)".contains("canary"))
    }

    @Test("a POST that a proxy may have read is never repeated, and a stale connection is not used")
    func replay() async throws {
        for (steps, isSentTwice) in [
            ([ScriptedServer.Step.readRequest, .close], false), ([.readRequest, .reset], false),
            ([.send("HTTP/1.1 408 Stale\r\nContent-Length: 0\r\n\r\n"), .close], true),
        ] {
            let proxy = try ScriptedServer { connection in
                connection == 0
                    ? [.readRequest, .respond(200, content: "one")] + steps
                    : [.readRequest, .respond(200, content: "fresh")]
            }
            let transport = CurlTransport.through(proxy)
            _ = try await transport.get("http://one.test/")
            if isSentTwice { try await OpenSockets.waitUntilStale(toPorts: [proxy.port]) }
            let post = try NetworkRequest.to("http://one.test/", method: .post, content: Data("content".utf8))
            if isSentTwice {
                #expect(try await transport.load(post).text == "fresh")
            } else {
                let error = try await transport.failure(of: post)
                #expect(error.code == .connectionLost)
                #expect(error.sent == .maybeSent)
            }
            #expect(proxy.log.requests.map(\.method) == ["GET", "POST"])
        }
    }
}
