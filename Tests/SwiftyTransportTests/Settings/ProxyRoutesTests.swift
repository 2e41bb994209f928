// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@Suite("The proxy of a request", .timeLimit(.minutes(15)))
struct ProxyRoutesTests {
    private func routes(_ environment: [String: String]) -> ProxyRoutes? {
        ProxyRoutes(.fromEnvironment) { environment }
    }

    private func proxy(_ url: String, _ environment: [String: String]) throws -> String? {
        let target = try TargetURI(url)
        return try routes(environment)?.proxy(for: target.scheme, to: HostAndPort(of: target))?.description
    }

    private static let table: [([String: String], String?, String?)] = [
        (["http_proxy": "http://p:1"], "http://p:1", nil), (["HTTP_PROXY": "http://p:1"], nil, nil),
        (["HTTP_PROXY": "http://p:1", "all_proxy": "q:2"], "http://q:2", "http://q:2"),
        (["https_proxy": "http://p:1"], nil, "http://p:1"), (["HTTPS_PROXY": "http://p:1"], nil, "http://p:1"),
        (["https_proxy": "p:1", "HTTPS_PROXY": "q:2"], nil, "http://p:1"),
        (["all_proxy": "socks5h://p:1"], "socks5h://p:1", "socks5h://p:1"),
        (["ALL_PROXY": "p:1", "all_proxy": "q:2"], "http://q:2", "http://q:2"),
        (["ALL_PROXY": "p:1", "https_proxy": "q:2"], "http://p:1", "http://q:2"),
        (["http_proxy": "", "all_proxy": "p:1"], "http://p:1", "http://p:1"),
        (["http_proxy": "", "https_proxy": ""], nil, nil), ([:], nil, nil), (["no_proxy": "*"], nil, nil),
        (["all_proxy": "p:1", "no_proxy": "*"], nil, nil), (["all_proxy": "p:1", "NO_PROXY": "a.test"], nil, nil),
        (["all_proxy": "p:1", "no_proxy": "b.test", "NO_PROXY": "a.test"], "http://p:1", "http://p:1"),
        (["all_proxy": "p:1", "no_proxy": "", "NO_PROXY": "a.test"], nil, nil),
        (["all_proxy": "p:1", "no_proxy": "a.test:443"], "http://p:1", nil),
        (["http_proxy": "http://user:pw@p:1"], "http://REDACTED@p:1", nil),
    ]

    @Test("follows from the environment's variables", arguments: table)
    func environment(_ environment: [String: String], _ http: String?, _ https: String?) throws {
        #expect(try proxy("http://a.test/", environment) == http)
        #expect(try proxy("https://a.test/", environment) == https)
    }

    @Test("is an error if its variable is not a proxy's URL")
    func invalidVariable() throws {
        let environment = ["http_proxy": "ftp://canary", "https_proxy": "p:1", "no_proxy": "b.test"]
        let error = #expect(throws: TransportSettings.Proxy.ValidationError.self) {
            try proxy("http://a.test/", environment)
        }
        #expect(error?.reason.contains("http_proxy") == true)
        #expect(error?.reason.contains("canary") == false)
        #expect(try proxy("https://a.test/", environment) == "http://p:1")
        #expect(try proxy("http://b.test/", environment) == nil)
    }

    @Test("does not depend on the environment unless the settings require it")
    func notAsked() throws {
        var isAsked = false
        let environment = { () -> [String: String] in
            isAsked = true
            return ["all_proxy": "environment:1"]
        }
        #expect(ProxyRoutes(.none, environment: environment) == nil)
        let routes = ProxyRoutes(
            .proxy(try TransportSettings.Proxy("p:1"), exceptions: ["b.test"]),
            environment: environment
        )
        #expect(try routes?.proxy(for: .http, to: HostAndPort(host: "a.test", port: 80))?.address.host == "p")
        #expect(try routes?.proxy(for: .http, to: HostAndPort(host: "b.test", port: 80)) == nil)
        #expect(!isAsked)
        #expect(ProxyRoutes(.fromEnvironment, environment: environment) != nil)
        #expect(isAsked)
    }
}
