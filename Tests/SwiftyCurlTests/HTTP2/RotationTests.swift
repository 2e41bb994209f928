// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

@Suite("nginx that ends its connections under load", .timeLimit(.minutes(15)), .serialized)
struct RotationTests {
    private func transport(_ server: RotatingNginx, _ version: TransportSettings.Connections.Version) -> CurlTransport {
        CurlTransport(
            configuration: .with {
                $0.settings.tls.trust = .file(server.certificateAuthority)
                $0.settings.addresses.overrides = [HostAndPort(host: "localhost", port: server.port): ["127.0.0.1"]]
                $0.settings.connections.version = version
            }
        )
    }

    /// Sends POSTs, 20 simultaneously, and returns the errors. An unsent request is sent again, as a pipeline would do.
    private func post(_ count: Int, to server: RotatingNginx, with transport: CurlTransport) async -> [SwiftyError] {
        await withTaskGroup(of: [SwiftyError].self) { group in
            for lane in 0..<20 {
                group.addTask {
                    var errors: [SwiftyError] = []
                    for index in 0..<(count / 20) {
                        errors += await self.post("https://localhost:\(server.port)/\(lane)/\(index)", with: transport)
                    }
                    return errors
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func post(_ url: String, with transport: CurlTransport) async -> [SwiftyError] {
        for _ in 0..<20 {
            do {
                _ = try await transport.load(.to(url, method: .post, content: Data("content".utf8)))
                return []
            } catch let error as SwiftyError {
                if error.sent != .notSent { return [error] }
            } catch { Issue.record(error) }
        }
        Issue.record("\(url) was never sent")
        return []
    }

    @Test(
        "after a number of requests each: hardly any POST fails, and none is served twice",
        arguments: [
            TransportSettings.Connections.Version.http2, .http1_1,
        ]
    )
    func keepaliveRequests(version: TransportSettings.Connections.Version) async throws {
        let server = try await RotatingNginx(requestsPerConnection: 10)
        let transport = transport(server, version)
        let errors = await post(1000, to: server, with: transport)
        // A POST that may have been processed when its connection ends fails, and is not repeated.
        #expect(errors.count < 20, "\(errors.prefix(3))")
        #expect(errors.allSatisfy { $0.sent == .maybeSent }, "\(errors.prefix(3))")
        try await until { server.paths.count >= 1000 - errors.count }
        #expect(Set(server.paths).count == server.paths.count)
    }

    @Test("by reloads: no POST is served twice, and errors show that it may have been served")
    func reload() async throws {
        let server = try await RotatingNginx(requestsPerConnection: 100_000)
        let transport = transport(server, .http2)
        async let load = post(4000, to: server, with: transport)
        for round in 1...5 {
            try await until { server.paths.count >= 600 * round }
            server.reload()
        }
        let errors = await load
        #expect(errors.allSatisfy { $0.code == .connectionLost })
        #expect(errors.allSatisfy { $0.sent == .maybeSent })
        #expect(errors.count < 40, "\(errors.prefix(3))")
        // nginx writes its log after it has responded.
        try await until { server.paths.count >= 4000 - errors.count }
        let paths = server.paths
        #expect(Set(paths).count == paths.count)
    }
}
