// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import Testing

@Suite("A default field that a request removes", .timeLimit(.minutes(15)))
struct RemovedFieldTests {
    private static let names = ["User-Agent", "Accept", "Accept-Encoding"]

    @Test("is sent neither by the Swifty nor by the transport", arguments: names, [false, true])
    func removed(name: String, isDefault: Bool) async throws {
        let server = try LoopbackServer()
        let swifty = Swifty {
            if isDefault { $0.defaultHeaders = [.userAgent: "test", .accept: "a/b"] }
        }
        let base = BaseResource(server.url, networkInterface: swifty)
        _ = try await base.get("get").removeHeader(name).load()
        let request = try #require(server.log.requests.last)
        for other in Self.names { #expect((request[other] == nil) == (other == name), "\(other)") }
    }

    @Test("is not sent after a redirect either, and is sent if it is set again")
    func redirected() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        _ = try await base.get("redirect/1").removeHeader(.userAgent).load()
        #expect(server.log.requests.map { $0["User-Agent"] } == [nil, nil])
        _ = try await base.get("get").removeHeader(.userAgent).header(.userAgent, "mine").load()
        #expect(server.log.requests.last?["User-Agent"] == "mine")
    }
}
