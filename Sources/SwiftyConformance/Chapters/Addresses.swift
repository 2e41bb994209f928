// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import SwiftyTransport

// The addresses of connections, and the version of HTTP that is spoken there.

extension Conformance {
    private static func scenario(
        _ name: String,
        _ sentence: String,
        _ needs: TransportCapabilities,
        _ body: @escaping ConformanceScenario.Body
    ) -> ConformanceScenario {
        ConformanceScenario("addresses/\(name)", sentence, needs: needs.union(.network), body)
    }

    private static let answer: [ScriptedServer.Step] = [.readRequest, .respond(content: "here"), .stall]

    static let addresses = [
        scenario("override", "An override takes the place of a name lookup; Host keeps the name.", .addressOverrides) {
            run in
            let server = try run.server { _ in answer }
            let address = HostAndPort(host: "a.test", port: server.port)
            // Nothing listens at the first address.
            let transport = run.transport { $0.addresses.overrides = [address: ["127.0.0.9", "127.0.0.1"]] }
            try expect("the content", try await transport.text(of: "http://a.test:\(server.port)/"), is: "here")
            try expect("Host", server.log.last?["Host"], is: "a.test:\(server.port)")
        },
        scenario("override-invalid", "An override without an address fails every load.", .addressOverrides) { run in
            let server = try run.server { _ in answer }
            let transport = run.transport { $0.addresses.overrides = [HostAndPort(host: "a.test", port: 80): ["no"]] }
            let error = try await transport.failure(of: .to(server.url))
            try ExpectedFailure(.invalidSettings, [.building], .notSent).check(error)
            try expect("the number of connections", server.connectionCount, is: 0)
        },
        scenario("family", "Only addresses of the chosen family are connected to.", .addressChoice) { run in
            let server = try run.server { _ in answer }
            let url = "http://localhost:\(server.port)/"
            let transport = run.transport { $0.addresses.family = .ipv4 }
            try expect("the content", try await transport.text(of: url), is: "here")
            let error = try await run.transport { $0.addresses.family = .ipv6 }.failure(of: .to(url))
            try expect("the state of the request", error.sent, is: .notSent)
            try expect("the number of connections", server.connectionCount, is: 1)
        },
        scenario("interface", "A local interface that does not exist fails every load.", .addressChoice) { run in
            let server = try run.server { _ in answer }
            let transport = run.transport { $0.addresses.localInterface = "127.0.0.1" }
            try expect("the content", try await transport.text(of: server.url), is: "here")
            let error = try await run.transport { $0.addresses.localInterface = "no-such-interface" }
                .failure(of: .to(server.url))
            try expect("the state of the request", error.sent, is: .notSent)
            try expect("the number of connections", server.connectionCount, is: 1)
        },
        scenario("dscp", "A code point of differentiated services changes nothing for the server.", .dscp) { run in
            let server = try run.server { _ in answer }
            let transport = run.transport { $0.connections.dscp = 46 }
            try expect("the content", try await transport.text(of: server.url), is: "here")
            let error = try await run.transport { $0.connections.dscp = 64 }.failure(of: .to(server.url))
            try ExpectedFailure(.invalidSettings, [], .notSent).check(error)
        },
        scenario("denied", "An address that is not public is not connected to, however it is given.", .deniedNetworks) {
            run in
            let server = try run.server { _ in answer }
            let transport = run.transport { $0.addresses.deniesPrivateNetworks = true }
            for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433", "0x7f.1"] {
                guard let request = try? NetworkRequest.to("http://\(host):\(server.port)/") else { continue }
                let error = try await transport.failure(of: request)
                try ExpectedFailure(.addressDenied, [], .notSent).check(error)
            }
            try expect("the number of connections", server.connectionCount, is: 0)
        },
        scenario(
            "denied-override",
            "Nor is one that an override or a rerouted request gives.",
            [.deniedNetworks, .addressOverrides, .reroutes]
        ) { run in
            let server = try run.server { _ in answer }
            let named = HostAndPort(host: "a.test", port: server.port)
            let transport = run.transport {
                $0.addresses.deniesPrivateNetworks = true
                $0.addresses.overrides = [named: ["127.0.0.1"]]
            }
            var rerouted = try NetworkRequest.to("http://b.test/")
            rerouted.connectsTo = HostAndPort(host: "127.0.0.1", port: server.port)
            for request in [try .to("http://a.test:\(server.port)/"), rerouted] {
                let error = try await transport.failure(of: request)
                try ExpectedFailure(.addressDenied, [], .notSent).check(error)
            }
            try expect("the number of connections", server.connectionCount, is: 0)
        },
        scenario("unix-socket", "Requests to all hosts go to the socket, with their own Host.", .unixSockets) { run in
            let path = FileManager.default.temporaryDirectory
                .appending(path: "conformance-\(UInt32.random(in: .min ... .max))").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            let server = try run.server(path: path, [.readRequest, .respond(content: "here"), .close])
            let transport = run.transport { $0.addresses.unixSocketPath = path }
            for host in ["a.test", "b.test:81"] {
                try expect("the content", try await transport.text(of: "http://\(host)/"), is: "here")
                try expect("Host", server.log.last?["Host"], is: host)
            }
        },
        scenario("unix-socket-missing", "A socket that does not exist fails every load.", .unixSockets) { run in
            let server = try run.server { _ in answer }
            let transport = run.transport { $0.addresses.unixSocketPath = "/tmp/swifty-no-such-socket" }
            let error = try await transport.failure(of: .to(server.url))
            try ExpectedFailure(.connectionFailed, [.connect], .notSent).check(error)
            try expect("the number of connections", server.connectionCount, is: 0)
        },
    ]

    /// The choice of the version of HTTP.
    static let versions = [
        ConformanceScenario(
            "versions/http1",
            "HTTP/1.1 alone is offered where it is demanded.",
            needs: [.network, .tls, .customAuthorities, .versionChoice]
        ) { run in
            let authority = try TestAuthority()
            var tls = try authority.server()
            tls.applicationProtocols = ["h2", "http/1.1"]
            let server = try run.server(tls: tls, answer)
            let transport = run.transport {
                $0.tls.trust = .pem(authority.pem)
                $0.connections.version = .http1_1
            }
            let response = try await transport.load(.to(server.url))
            try expect("the version", response.head.httpVersion, is: .http1_1)
        },
        ConformanceScenario(
            "versions/http2-unavailable",
            "A server that does not offer HTTP/2 gets no request that demands it.",
            needs: [.network, .tls, .customAuthorities, .versionChoice, .http2]
        ) { run in
            let authority = try TestAuthority()
            let server = try run.server(tls: authority.server(), answer)
            let transport = run.transport {
                $0.tls.trust = .pem(authority.pem)
                $0.connections.version = .http2
            }
            let error = try await transport.failure(of: .to(server.url, .post, content: "secret"))
            try ExpectedFailure(.versionUnavailable, [], .notSent).check(error)
            try expect("the number of requests that the server saw", server.log.count, is: 0)
        },
        ConformanceScenario(
            "versions/http2-plain",
            "A request in the clear that demands HTTP/2 is not sent.",
            needs: [.network, .versionChoice, .http2]
        ) { run in
            let server = try run.server { _ in answer }
            let transport = run.transport { $0.connections.version = .http2 }
            let error = try await transport.failure(of: .to(server.url))
            try ExpectedFailure(.versionUnavailable, [], .notSent).check(error)
            try expect("the number of requests that the server saw", server.log.count, is: 0)
        },
    ]
}
