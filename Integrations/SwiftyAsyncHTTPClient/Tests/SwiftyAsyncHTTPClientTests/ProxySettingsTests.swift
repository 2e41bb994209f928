// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyAsyncHTTPClient
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("A proxy that AsyncHTTPClient would not use as described", .timeLimit(.minutes(15)))
struct ProxySettingsTests {
    private func failure(over proxy: TransportSettings.Proxy) async throws -> SwiftyError? {
        var settings = TransportSettings()
        settings.proxy = .proxy(proxy)
        let transport = AsyncHTTPClientTransport(settings: settings)
        let timeouts = NetworkRequest.Timeouts(total: .seconds(40))
        let request = NetworkRequest(target: try TargetURI("http://origin.test/"), timeouts: timeouts)
        let error = await #expect(throws: SwiftyError.self) {
            try await transport.send(request, cancellation: LoadCancellation())
        }
        await transport.shutdown()
        return error
    }

    @Test("is refused before it is connected to: with credentials for SOCKS, and with names that are resolved here")
    func refused() async throws {
        let server = try ScriptedServer([.close])
        let address = HostAndPort(host: "127.0.0.1", port: server.port)
        let proxies = [
            TransportSettings.Proxy(.socks5, at: address, user: "user", password: "canary"),
            TransportSettings.Proxy(.socks5WithLocalNames, at: address),
        ]
        for proxy in proxies {
            let error = try #require(try await failure(over: proxy))
            #expect(error.code == .invalidSettings)
            #expect(error.sent == .notSent)
            #expect(error.request?.url == "http://origin.test/")
            #expect(!"\(error)".contains("canary"))
        }
        #expect(server.connectionCount == 0)
    }
}
