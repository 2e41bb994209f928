// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Denying private networks", .timeLimit(.minutes(15)))
struct DeniedAddressTests {
    private func transport(_ overrides: [HostAndPort: [String]] = [:]) -> CurlTransport {
        CurlTransport(
            configuration: .with {
                $0.settings.addresses.deniesPrivateNetworks = true
                $0.settings.addresses.overrides = overrides
            }
        )
    }

    /// Loopback in all spellings that resolvers, URL parsers and translators have accepted.
    private static let spellings = [
        "127.0.0.1", "127.0.0.2", "127.255.255.254", "0.0.0.0", "127.1", "127.0.1", "2130706433", "017700000001",
        "0x7f000001", "0177.0.0.1", "0x7f.0.0.1", "0x7f.1", "127.0.0.1.", "localhost", "LOCALHOST", "localhost.",
        "[::1]",
        "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f00:0001]", "[::127.0.0.1]",
        "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "169.254.169.254", "127。0。0。1", "①②⑦.0.0.1",
    ]

    @Test("reaches no private listener, however it is spelled", arguments: spellings)
    func spelling(_ host: String) async throws {
        let server = try ScriptedServer([.readRequest, .respond()])
        // Rejected as a URL or as an address: never connected to.
        if let target = try? TargetURI("http://\(host):\(server.port)/") {
            let error = try await transport().failure(of: NetworkRequest(method: .get, target: target))
            #expect(error.code == .addressDenied || error.code == .nameResolutionFailed, "\(error)")
            #expect(error.sent == .notSent)
        }
        #expect(server.connectionCount == 0)
    }

    @Test(
        "checks the address, not the name",
        arguments: [
            ["127.0.0.1"], ["::1"], ["[::1]"], ["::ffff:127.0.0.1"], ["127.0.0.1", "::1"],
        ]
    )
    func name(_ addresses: [String]) async throws {
        let server = try ScriptedServer([.readRequest, .respond()])
        let name = HostAndPort(host: "api.example.com", port: server.port)
        let error = try await transport([name: addresses]).failure(of: .to("http://\(name)"))
        #expect(error.code == .addressDenied)
        #expect(error.stage == .connect)
        #expect(error.sent == .notSent)
        #expect(!error.description.contains("127.0.0.1"))
        #expect(server.connectionCount == 0)
    }

    @Test("checks each address of a name, public or private")
    func rebinding() async throws {
        let server = try ScriptedServer([.readRequest, .respond()])
        let name = HostAndPort(host: "rebind.example.com", port: server.port)
        // The first address does not respond within the limit.
        for addresses in [["1.0.0.1", "127.0.0.1"], ["1.0.0.1", "::1"], ["::1", "1.0.0.1"]] {
            let request = try NetworkRequest.to(
                "http://\(name)",
                timeouts: NetworkRequest.Timeouts(total: .seconds(60), connect: .seconds(2))
            )
            let error = try await transport([name: addresses]).failure(of: request)
            let codes: [SwiftyError.Code] = [.addressDenied, .timedOut, .connectionFailed]
            #expect(codes.contains(error.code), "\(error)")
            #expect(error.sent == .notSent)
        }
        #expect(server.connectionCount == 0)
    }

    @Test("applies to a peer that a request names, and to a socket in the file system")
    func otherWays() async throws {
        let server = try ScriptedServer([.readRequest, .respond()])
        var request = try NetworkRequest.to("http://api.example.com")
        request.connectsTo = HostAndPort(host: "127.0.0.1", port: server.port)
        #expect(try await transport().failure(of: request).code == .addressDenied)
        let local = CurlTransport(
            configuration: .with {
                $0.settings.addresses.deniesPrivateNetworks = true
                $0.settings.addresses.unixSocketPath = "/run/docker.sock"
            }
        )
        #expect(try await local.failure(of: .to("http://api.example.com")).code == .addressDenied)
        #expect(server.connectionCount == 0)
    }

    @Test("excludes a proxy, which would look up names itself")
    func proxy() async throws {
        let server = try ScriptedServer([.readRequest, .respond()])
        let transport = CurlTransport(
            configuration: .with {
                $0.settings.addresses.deniesPrivateNetworks = true
                $0.settings.proxy = .proxy(
                    TransportSettings.Proxy(.http, at: HostAndPort(host: "127.0.0.1", port: server.port))
                )
            }
        )
        let error = try await transport.failure(of: .to("http://api.example.com"))
        #expect(error.code == .invalidSettings)
        #expect(error.sent == .notSent)
        #expect(server.connectionCount == 0)
    }
}
