// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTesting
import Testing

@testable import Swifty

@Suite("Reroutes", .timeLimit(.minutes(15)))
struct ReroutesTests {
    private func destinations(_ pairs: [(String, String)]) throws -> [TargetURI: TargetURI] {
        Dictionary(uniqueKeysWithValues: try pairs.map { (try TargetURI($0), try TargetURI($1)) })
    }

    @Test("lead to another host and port; the path of neither URL matters")
    func peers() throws {
        let reroutes = try Reroutes(
            destinations([
                ("https://api.example.com/v1", "https://10.0.0.7:8443/x"), ("http://a.test", "http://[::1]:8080"),
                ("https://api.example.com/v2", "https://10.0.0.7:8443"),
            ])
        )
        let place = HostAndPort(host: "10.0.0.7", port: 8443)
        #expect(try reroutes.peer(for: TargetURI("https://API.example.com:443/z?q")) == place)
        #expect(try reroutes.peer(for: TargetURI("http://a.test/")) == HostAndPort(host: "::1", port: 8080))
        for url in ["http://api.example.com/v1", "https://a.test", "https://api.example.com:8443", "http://b.test"] {
            #expect(try reroutes.peer(for: TargetURI(url)) == nil, "\(url)")
        }
    }

    private static let unusable = [
        [("https://api.example.com", "http://127.0.0.1:8080")], [("http://api.example.com", "https://127.0.0.1:8443")],
        [("https://a.test", "https://b.test"), ("https://c.test", "http://c.test")],
        [("https://a.test/x", "https://b.test"), ("https://A.test:443/y", "https://c.test")],
    ]

    @Test("to another scheme, and two of one server, fail every request before it is sent", arguments: unusable)
    func refused(pairs: [(String, String)]) async throws {
        let stub = StubTransport()
        let swifty = try Swifty(transport: stub) { $0.reroutes = try destinations(pairs) }
        for url in [pairs[0].0, "https://unconcerned.test"] {
            let base = BaseResource(url, networkInterface: swifty)
            let error = await #expect(throws: SwiftyError.self) { try await base.get("x").retry(3).load() }
            #expect(error?.code == .invalidSettings)
            #expect(error?.stage == .building)
            #expect(error?.sent == .notSent)
            #expect(error?.reason.contains("rerouted") == true)
            #expect(error?.request != nil)
        }
        #expect(stub.requests.isEmpty)
    }
}
