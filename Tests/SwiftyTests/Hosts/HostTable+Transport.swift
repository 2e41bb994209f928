// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers

@testable import Swifty
@testable import SwiftyCurl

extension HostTable {
    static let ofTransport = [
        HostTable(name: "pins", counts: pins),
        HostTable(name: "hosts without verification", counts: unverified),
        HostTable(name: "address overrides", hosts: [.lookedUp], counts: overrides),
        HostTable(name: "denied addresses", hosts: [.ipv4.alone], counts: denied),
        HostTable(name: "connections that are used again", hosts: [.ipv4.alone], counts: connections),
        HostTable(name: "exceptions from the proxy", skipsNonsense: true, counts: exceptions),
        HostTable(name: "no_proxy", skipsNonsense: true, counts: environment),
        HostTable(name: "places to connect to", counts: places),
    ]

    @Sendable private static func pins(_ rule: String, _ host: String) throws -> Bool {
        var settings = TransportSettings.TLS()
        settings.pins[rule] = .publicKeys(["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="])
        return try TLSPolicy(settings)?.rules(for: NetworkRequest(target: target(host)))?.pins != nil
    }

    @Sendable private static func unverified(_ rule: String, _ host: String) throws -> Bool {
        var settings = TransportSettings.TLS()
        settings.unverifiedHosts = [rule]
        return try TLSPolicy(settings)?.rules(for: NetworkRequest(target: target(host)))?.isVerified == false
    }

    @Sendable private static func overrides(_ rule: String, _ host: String) async throws -> Bool {
        let server = try ScriptedServer([.readRequest, .respond()])
        let transport = transport {
            $0.overrides[HostAndPort(host: rule, port: server.port)] = ["127.0.0.1"]
        }
        let request = NetworkRequest(target: try TargetURI("http://\(host):\(server.port)/"))
        let failure = try await failure { _ = try await transport.send(request, cancellation: LoadCancellation()) }
        if let failure, failure.stage == .building { throw failure }
        return server.log.requests.first?["Host"] == "\(HostSpellings.name.normal):\(server.port)"
    }

    @Sendable private static func denied(_ rule: String, _ host: String) async throws -> Bool {
        _ = try target(rule)
        let server = try ScriptedServer([.readRequest, .respond()])
        let transport = transport { $0.deniesPrivateNetworks = true }
        let request = NetworkRequest(target: try TargetURI("http://\(host):\(server.port)/"))
        let failure = try await failure { _ = try await transport.send(request, cancellation: LoadCancellation()) }
        return failure?.code == .addressDenied && server.connectionCount == 0
    }

    @Sendable private static func connections(_ rule: String, _ host: String) async throws -> Bool {
        let server = try ScriptedServer([.readRequest, .respond(), .readRequest, .respond()])
        let targets = try [rule, host].map { try TargetURI("http://\($0):\(server.port)/") }
        let transport = transport { _ in }
        var isReused = false
        for target in targets {
            let response = try await transport.send(NetworkRequest(target: target), cancellation: LoadCancellation())
            isReused = response.metrics.isConnectionReused
        }
        return isReused
    }

    @Sendable private static func exceptions(_ rule: String, _ host: String) throws -> Bool {
        let proxy = TransportSettings.Proxy(.http, at: HostAndPort(host: "proxy.test", port: 80))
        let routes = ProxyRoutes(.proxy(proxy, exceptions: [rule])) { [:] }
        return try routes?.proxy(for: .https, to: HostAndPort(of: target(host))) == nil
    }

    @Sendable private static func environment(_ rule: String, _ host: String) throws -> Bool {
        let routes = ProxyRoutes(.fromEnvironment) { ["https_proxy": "http://proxy.test", "no_proxy": rule] }
        return try routes?.proxy(for: .https, to: HostAndPort(of: target(host))) == nil
    }

    @Sendable private static func places(_ rule: String, _ host: String) throws -> Bool {
        let place = HostAndPort(host: rule, port: 443)
        if !place.isValid { throw NoHost() }
        return try place == HostAndPort(of: target(host))
    }

    private struct NoHost: Error {}

    private static func transport(_ change: (inout TransportSettings.Addresses) -> Void) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        change(&configuration.settings.addresses)
        return CurlTransport(configuration: configuration)
    }
}

extension HostSpellings {
    /// The name, with one other host only: a name without an override is looked up, which may take long.
    fileprivate static let lookedUp = HostSpellings(
        normal: name.normal,
        spellings: name.spellings,
        others: ["xapi.example.test"]
    )

    /// The spellings without other hosts, for rules that apply to those, too.
    fileprivate var alone: HostSpellings { HostSpellings(normal: normal, spellings: spellings, others: []) }
}
