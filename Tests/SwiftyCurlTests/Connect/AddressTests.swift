// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("Addresses", .timeLimit(.minutes(15)))
struct AddressTests {
    private func transport(_ change: (inout TransportSettings.Addresses) -> Void) -> CurlTransport {
        CurlTransport(configuration: .with { change(&$0.settings.addresses) })
    }

    @Test(
        "an override decides the address, and the request names its host",
        arguments: [
            ["127.0.0.1"], ["[::1]", "127.0.0.1"], ["::1", "127.0.0.1"], ["127.0.0.1", "::1"],
        ]
    )
    func override(_ addresses: [String]) async throws {
        // Nothing listens at ::1; the other family succeeds soon.
        let server = try ScriptedServer([.readRequest, .respond()])
        let name = HostAndPort(host: "api.example.com", port: server.port)
        let transport = transport { $0.overrides = [name: addresses] }
        let start = ContinuousClock.now
        let response = try await transport.get("http://API.example.com:\(server.port)")
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(response.metrics.remoteAddress == "127.0.0.1")
        #expect(server.log.requests.first?["Host"] == "\(name)")
    }

    @Test(
        "that are dead are passed over, whether they refuse or are silent",
        arguments: [
            ["127.0.0.4"], ["127.0.0.4", "127.0.0.5"], ["127.0.0.4", "127.0.0.5", "127.0.0.6", "127.0.0.7"],
            ["127.0.0.3"], ["127.0.0.3", "127.0.0.4"], ["127.0.0.4", "127.0.0.3", "127.0.0.5"],
            ["::1", "127.0.0.3", "127.0.0.4"],
        ]
    )
    func deadBeforeLive(dead: [String]) async throws {
        let server = try ScriptedServer([.readRequest, .respond()])
        let silent = try FullListener(host: "127.0.0.3", port: server.port)
        let name = HostAndPort(host: "api.example.com", port: server.port)
        let transport = transport { $0.overrides = [name: dead + ["127.0.0.1"]] }
        // A silent address has half of the limit for itself. One that refuses needs none.
        let limit: Duration? = dead.contains("127.0.0.3") ? .seconds(20) : nil
        let limits = NetworkRequest.Timeouts(total: .seconds(100), connect: limit)
        let response = try await transport.load(.to("http://\(name)", timeouts: limits))
        #expect(response.metrics.remoteAddress == "127.0.0.1")
        withExtendedLifetime(silent) {}
    }

    @Test("if no address responds, the connection fails")
    func allDead() async throws {
        // Nothing listens there; a released port may already belong to another test.
        let name = HostAndPort(host: "api.example.com", port: 1)
        let transport = transport { $0.overrides = [name: ["::1", "127.0.0.1", "127.0.0.2"]] }
        let error = try await transport.failure(of: .to("http://\(name)"))
        #expect(error.code == .connectionFailed)
        #expect(error.sent == .notSent)
    }

    @Test(
        "a malformed override is an error in the settings",
        arguments: [
            ("api.example.com", 80, []), ("api.example.com", 80, ["nonsense"]), ("api.example.com", 80, ["1.2.3"]),
            ("api.example.com", 80, ["127.0.0.1,1.1.1.1"]), ("api.example.com", 80, ["[127.0.0.1]"]),
            ("api.example.com", 80, ["0177.0.0.1"]), ("api.example.com", 80, [""]),
            ("api.example.com", 0, ["127.0.0.1"]),
            ("api.example.com", 70_000, ["127.0.0.1"]), ("", 80, ["127.0.0.1"]), ("a b", 80, ["127.0.0.1"]),
            ("*", 80, ["127.0.0.1"]), ("a.example:81", 80, ["127.0.0.1"]), ("[::1]", 80, ["127.0.0.1"]),
            ("a.example/x", 80, ["127.0.0.1"]), ("api.example.com", 80, ["127.0.0.1\u{0}"]),
        ]
    )
    func nonsense(host: String, port: Int, addresses: [String]) async throws {
        let transport = transport { $0.overrides = [HostAndPort(host: host, port: port): addresses] }
        let error = try await transport.failure(of: .to("http://127.0.0.1:1"))
        #expect(error.code == .invalidSettings, "\(error)")
        #expect(error.sent == .notSent)
    }

    @Test("an impossible path or interface is an error in the settings")
    func otherNonsense() async throws {
        for path in ["", String(repeating: "x", count: 108), "a\u{0}b"] {
            let transport = transport { $0.unixSocketPath = path }
            #expect(try await transport.failure(of: .to("http://127.0.0.1:1")).code == .invalidSettings)
        }
        for interface in ["", "a b", "eth0\r\n"] {
            let transport = transport { $0.localInterface = interface }
            #expect(try await transport.failure(of: .to("http://127.0.0.1:1")).code == .invalidSettings)
        }
    }

    @Test("a socket in the file system gets the requests of all hosts, with their names")
    func fileSystem() async throws {
        let peer = try await PythonPeer("unix.py", makes: "socket")
        let path = peer.folder.path("socket")
        let transport = transport { $0.unixSocketPath = path }
        for host in ["api.example.com", "example.org:8080"] {
            for _ in 0..<3 { #expect(try await transport.get("http://\(host)").text == host) }
        }
        let missing = self.transport { $0.unixSocketPath = path + "-missing" }
        #expect(try await missing.failure(of: .to("http://api.example.com")).code == .connectionFailed)
    }

    @Test("a socket in the file system excludes settings that it would override")
    func contradictions() async throws {
        let server = try ScriptedServer([.readRequest, .respond()])
        let proxy = TransportSettings.Proxy(.http, at: HostAndPort(host: "127.0.0.1", port: server.port))
        let changes: [(inout TransportSettings) -> Void] = [
            { $0.proxy = .proxy(proxy) }, { $0.proxy = .fromEnvironment }, { $0.addresses.localInterface = "lo" },
            { $0.addresses.overrides[HostAndPort(host: "a.test", port: 80)] = ["127.0.0.1"] },
            { $0.addresses.family = .ipv4 }, { $0.addresses.family = .ipv6 }, { $0.connections.dscp = 18 },
        ]
        for change in changes {
            var settings = TransportSettings()
            settings.addresses.unixSocketPath = "/tmp/swifty-no-such-socket"
            change(&settings)
            let transport = CurlTransport(configuration: .with { $0.settings = settings })
            let error = try await transport.failure(of: .to("http://a.test/"))
            #expect(error.code == .invalidSettings, "\(error)")
            #expect(error.sent == .notSent, "\(error)")
            #expect(error.stage == .building, "\(error)")
        }
        #expect(server.connectionCount == 0)
    }

    @Test("connections come from the configured local address")
    func localAddress() async throws {
        let server = try ScriptedServer([.readRequest, .respond()])
        for address in ["127.0.0.1", "127.0.0.9", "lo"] {
            #expect(try await transport { $0.localInterface = address }.get(server.url).head.statusCode == 200)
        }
        let error = try await transport { $0.localInterface = "no-such-interface" }.failure(of: .to(server.url))
        #expect(error.code == .connectionFailed)
        #expect(error.sent == .notSent)
    }

    @Test("packets are marked with the configured code point, and others are refused")
    func codePoint() async throws {
        let peer = try await PythonPeer("dscp.py", makes: "port")
        let words = try peer.text(of: "port").split(separator: " ")
        let name = HostAndPort(host: "api.example.com", port: words.first.flatMap { Int($0) } ?? 0)
        func transport(_ dscp: Int?, at address: String) -> CurlTransport {
            var settings = TransportSettings()
            settings.addresses.overrides = [name: [address]]
            settings.connections.dscp = dscp
            return CurlTransport(configuration: .with { $0.settings = settings })
        }
        for address in words.count == 2 ? ["127.0.0.1", "::1"] : ["127.0.0.1"] {
            for (dscp, expected) in [(nil, 0), (0, 0), (46, 46), (1, 1), (63, 63)] as [(Int?, Int)] {
                let text = try await transport(dscp, at: address).get("http://\(name)").text
                #expect(text == "\(expected)", "\(address)")
            }
        }
        for dscp in [-1, 64, .max] {
            let error = try await transport(dscp, at: "127.0.0.1").failure(of: .to("http://\(name)"))
            #expect(error.code == .invalidSettings)
        }
    }

    @Test("addresses of the other family are not used")
    func family() async throws {
        let server = try ScriptedServer([.readRequest, .respond()])
        let name = HostAndPort(host: "api.example.com", port: server.port)
        for (family, isReached) in [(TransportSettings.Addresses.Family.any, true), (.ipv4, true), (.ipv6, false)] {
            let transport = transport {
                $0.overrides = [name: ["127.0.0.1", "::1"]]
                $0.family = family
            }
            let result = try? await transport.get("http://\(name)")
            #expect((result != nil) == isReached)
        }
    }
}
