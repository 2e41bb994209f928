// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

/// Each test runs in a process of its own, whose environment it may change.
@Suite("The environment's proxies", .timeLimit(.minutes(15)))
struct ProxyEnvironmentTests {
    private static func set(_ names: String..., to value: String) {
        for name in names { setenv(name, value, 1) }
    }

    @Test("are ignored unless the settings request them")
    func ignored() async {
        await #expect(processExitsWith: .success) {
            let (proxy, origin) = (try ScriptedServer.repeating("proxied"), try ScriptedServer.repeating("direct"))
            Self.set("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", to: proxy.url)
            #expect(try await CurlTransport().get(origin.url).text == "direct")
            #expect(proxy.connectionCount == 0)
        }
    }

    @Test("are used if the settings request them, with exceptions, as they were when the transport was made")
    func used() async {
        await #expect(processExitsWith: .success) {
            let (proxy, origin) = (try ScriptedServer.repeating("proxied"), try ScriptedServer.repeating("direct"))
            Self.set("http_proxy", to: proxy.url)
            Self.set("no_proxy", to: "127.0.0.1:\(origin.port)")
            let transport = CurlTransport(configuration: .with { $0.settings.proxy = .fromEnvironment })
            Self.set("http_proxy", to: "http://127.0.0.1:1")
            Self.set("no_proxy", to: "*")
            #expect(try await transport.get("http://one.test/").text == "proxied")
            #expect(try await transport.get(origin.url).text == "direct")
        }
    }

    @Test("HTTP_PROXY, which a client of a CGI program can set, is never used")
    func httpoxy() async {
        await #expect(processExitsWith: .success) {
            let (proxy, origin) = (try ScriptedServer.repeating("proxied"), try ScriptedServer.repeating("direct"))
            unsetenv("http_proxy")
            Self.set("HTTP_PROXY", to: proxy.url)
            let transport = CurlTransport(configuration: .with { $0.settings.proxy = .fromEnvironment })
            #expect(try await transport.get(origin.url).text == "direct")
            #expect(proxy.connectionCount == 0)
        }
    }

    @Test("and no_proxy do not override the settings")
    func explicit() async {
        await #expect(processExitsWith: .success) {
            let (proxy, other) = (try ScriptedServer.repeating("proxied"), try ScriptedServer.repeating("other"))
            Self.set("http_proxy", "all_proxy", to: other.url)
            Self.set("no_proxy", "NO_PROXY", to: "*")
            #expect(try await CurlTransport.through(proxy).get("http://one.test/").text == "proxied")
            #expect(other.connectionCount == 0)
        }
    }
}
