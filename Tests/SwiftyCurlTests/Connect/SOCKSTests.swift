// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("Through a SOCKS proxy", .timeLimit(.minutes(15)))
struct SOCKSTests {
    @Test("the proxy resolves names, and the server sees an ordinary request")
    func remoteNames() async throws {
        let origin = try ScriptedServer.repeating("origin")
        let proxy = try await SOCKSProxy.start()
        let transport = CurlTransport.through(TransportSettings.Proxy(.socks5, at: proxy.address))
        for _ in 0..<2 {
            let response = try await transport.get("http://only.there.test:\(origin.port)/a")
            #expect(response.text == "origin")
            #expect(response.metrics.proxy == proxy.address)
            #expect(response.metrics.proxyStatusCode == nil)
        }
        #expect(origin.log.requests.map(\.target) == ["/a", "/a"])
        #expect(origin.log.requests.first?["Host"] == "only.there.test:\(origin.port)")
        #expect(proxy.log == ["name only.there.test \(origin.port) -"])
    }

    @Test("names are resolved locally if the settings request it")
    func localNames() async throws {
        let origin = try ScriptedServer.repeating("origin")
        let proxy = try await SOCKSProxy.start()
        let transport = CurlTransport(
            configuration: .with {
                $0.settings.proxy = .proxy(TransportSettings.Proxy(.socks5WithLocalNames, at: proxy.address))
                $0.settings.addresses.overrides = [
                    HostAndPort(host: "only.here.test", port: origin.port): ["127.0.0.1"]
                ]
            }
        )
        #expect(try await transport.get("http://only.here.test:\(origin.port)/").text == "origin")
        #expect(proxy.log == ["ipv4 127.0.0.1 \(origin.port) -"])
        let unknown = try await transport.failure(of: .to("http://nowhere.invalid/"))
        #expect(unknown.code == .proxyFailed)
        #expect(unknown.sent == .notSent)
    }

    @Test("user name and password are sent only to the proxy")
    func login() async throws {
        let origin = try ScriptedServer.repeating("origin")
        let proxy = try await SOCKSProxy.start(user: "user", password: "canary")
        let right = TransportSettings.Proxy(.socks5, at: proxy.address, user: "user", password: "canary")
        #expect(try await CurlTransport.through(right).get("http://a.test:\(origin.port)/").text == "origin")
        #expect(proxy.log == ["name a.test \(origin.port) user"])
        let head = try #require(origin.log.requests.first?.headText)
        #expect(!head.contains("Proxy"))
        for (user, password) in [("user", "wrong"), (nil, nil)] as [(String?, String?)] {
            let wrong = TransportSettings.Proxy(.socks5, at: proxy.address, user: user, password: password)
            let error = try await CurlTransport.through(wrong).failure(of: .to("http://a.test:\(origin.port)/"))
            #expect(error.code == .proxyAuthenticationRequired, "\(error)")
            #expect(error.stage == .connect)
            #expect(error.sent == .notSent)
            #expect(error.reason.contains("\(proxy.address)"))
        }
        #expect(origin.connectionCount == 1)
    }

    @Test("TLS is between client and server, with the server's name")
    func tls() async throws {
        let origin = try await NginxServer.start()
        let proxy = try await SOCKSProxy.start()
        let transport = CurlTransport(
            configuration: .with {
                $0.settings.proxy = .proxy(TransportSettings.Proxy(.socks5, at: proxy.address))
                $0.settings.tls.trust = .file(origin.certificateAuthority)
            }
        )
        #expect(try await transport.get(origin.url).head.httpVersion == .http2)
        let wrongName = try await transport.failure(of: .to("https://127.0.0.1:\(origin.port)/"))
        #expect(wrongName.code == .certificateInvalid)
        #expect(!wrongName.reason.contains("the proxy"))
    }

    @Test(
        "a proxy that fails, or does not speak SOCKS, causes a typed error",
        arguments: [
            [ScriptedServer.Step.skip(3), .close], [.skip(3), .reset], [.send("HTTP/1.1 400 No\r\n\r\n"), .close],
            [.skip(3), .send([5, 0]), .skip(15), .send([5, 5, 0, 1, 0, 0, 0, 0, 0, 0]), .close],
            [.skip(3), .send([5, 0]), .skip(15), .send([5, 0, 0]), .close],
        ]
    )
    func failures(_ steps: [ScriptedServer.Step]) async throws {
        let proxy = try ScriptedServer(steps)
        let address = HostAndPort(host: "127.0.0.1", port: proxy.port)
        let transport = CurlTransport.through(TransportSettings.Proxy(.socks5, at: address))
        let post = try NetworkRequest.to("http://one.test:80/abc", method: .post, content: Data("content".utf8))
        let error = try await transport.failure(of: post)
        #expect(error.code == .proxyFailed, "\(error)")
        #expect(error.stage == .connect)
        #expect(error.sent == .notSent)
    }
}
