// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyCurl
import SwiftyTestServers
import Testing

@Suite("Identities on one transport", .timeLimit(.minutes(15)))
struct IdentityTests {
    private enum User: CaseIterable { case alice, bob, anonymous }

    @Test("never mix in 100 random interleavings of two users and anonymous requests")
    func interleavings() async throws {
        let server = try LoopbackServer()
        let client = Swifty(transport: CurlTransport())
        for _ in 0..<100 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, user) in User.allCases.shuffled().enumerated() {
                    let resource = BaseResource(server.url, networkInterface: client).get("anything/\(user)/\(index)")
                    group.addTask {
                        switch user {
                        case .alice: _ = try await resource.basic("alice", "a").load()
                        case .bob: _ = try await resource.bearer("b0b").load()
                        case .anonymous: _ = try await resource.load()
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.log.count == 300)
        for request in server.log.requests {
            let expected =
                request.path.contains("alice")
                ? "Basic YWxpY2U6YQ==" : request.path.contains("bob") ? "Bearer b0b" : nil
            #expect(request["Authorization"] == expected)
        }
        await client.shutdown()
    }

    @Test("never mix with Digest either, over the same connections")
    func digest() async throws {
        let gates = [
            "alice": DigestProtection(user: "alice", password: "a"),
            "bob": DigestProtection(user: "bob", password: "b"),
        ]
        let server = try LoopbackServer { server in
            for (name, gate) in gates { server.route("GET", "/\(name)/*") { gate.respond(to: $0) } }
        }
        let transport = CurlTransport()
        let alice = try authenticating(.digest(user: "alice", password: "a"), at: server.url, transport: transport)
        let bob = try authenticating(.digest(user: "bob", password: "b"), at: server.url, transport: transport)
        let anonymous = Swifty(transport: transport)
        for round in 0..<100 {
            for (name, swifty) in [("alice", alice), ("bob", bob), ("anonymous", anonymous)].shuffled() {
                let path = name == "anonymous" ? "anything/anonymous" : "\(name)/\(round)"
                _ = try await BaseResource(server.url, networkInterface: swifty).get(path).load()
            }
        }
        for request in server.log.requests {
            let user = ["alice", "bob"].first { request["Authorization"]?.contains("username=\"\($0)\"") == true }
            let isChallenge = request["Authorization"] == nil
            #expect(user == nil ? isChallenge : request.path.hasPrefix("/\(user ?? "")/"))
        }
        // One challenge for each user; all other requests had the right name the first time.
        #expect(server.log.count == 302)
        #expect(server.log.requests.filter { $0["Authorization"] == nil }.count == 102)
        await transport.shutdown()
    }
}
