// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport
import Testing

@testable import SwiftyCurl

/// One connection carries all of these requests.
@Suite("One target after the other", .timeLimit(.minutes(15)))
struct TargetTests {
    private static let targets = [
        "/", "/a", "/a?b=1", "/a?b=2", "/c?b=2", "/c", "/c?", "/c?d", "/a%2Fb%c3%BC", "/a", "/a?q=%2F%2f", "/a?q=1",
        "/a/..b/.c/...?/../d", "/%2e%2e%2e/..;x", "/a//b", "/?", "/?x=1", "/", "/a;b=c,d/e:f@g!$&'()*+=~_-.",
        "/a?b/c?d:e@f;g",
    ]

    @Test("is sent as it was written")
    func sequence() async throws {
        let server = try LoopbackServer()
        let transport = CurlTransport(configuration: .with { $0.loops = 1 })
        for target in Self.targets { _ = try await transport.get(server.url + target) }
        #expect(server.log.requests.map(\.target) == Self.targets)
        await transport.shutdown()
    }

    @Test("is sent as it was written, for each pair in sequence")
    func pairs() async throws {
        let server = try LoopbackServer()
        let transport = CurlTransport(configuration: .with { $0.loops = 1 })
        let pairs = Self.targets.flatMap { first in Self.targets.flatMap { [first, $0] } }
        for target in pairs { _ = try await transport.get(server.url + target) }
        #expect(server.log.requests.map(\.target) == pairs)
        await transport.shutdown()
    }

    @Test("goes to its own host")
    func hosts() async throws {
        let (one, two) = (try LoopbackServer(), try LoopbackServer())
        let transport = CurlTransport(configuration: .with { $0.loops = 1 })
        for path in ["/a", "/a", "/b?c", "/b"] {
            _ = try await transport.get(one.url + path)
            _ = try await transport.get(two.url + path)
        }
        for server in [one, two] {
            #expect(server.log.requests.map(\.target) == ["/a", "/a", "/b?c", "/b"])
            #expect(server.log.requests.allSatisfy { "http://" + ($0["Host"] ?? "") == server.url })
        }
        await transport.shutdown()
    }
}
