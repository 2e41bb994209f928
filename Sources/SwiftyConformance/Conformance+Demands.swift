// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport

import struct Foundation.Data

extension Conformance {
    /// A load that a transport without a capability must refuse.
    struct Demand: Sendable {
        let capability: TransportCapabilities
        var settings: @Sendable (inout TransportSettings) -> Void = { _ in }
        var request: @Sendable (inout NetworkRequest) -> Void = { _ in }
        var scheme = "http"
    }

    /// Checks that loads that demand missing capabilities fail closed. A capability that no setting demands, such as
    /// events, needs no refusal.
    static func checkRefusals(of missing: TransportCapabilities, _ run: ConformanceRun) async throws {
        // A transport without a network has no settings, and sends nothing.
        guard !missing.contains(.network) else { return }
        for demand in demands where missing.contains(demand.capability) { try await checkRefusal(of: demand, run) }
    }

    private static func checkRefusal(of demand: Demand, _ run: ConformanceRun) async throws {
        let server = try run.server(.readRequest, .respond(), .stall)
        let transport = run.transport(demand.settings)
        var request = try NetworkRequest.to("\(demand.scheme)://127.0.0.1:\(server.port)/")
        demand.request(&request)
        let error = try await transport.failure(of: request)
        try expect("the code of a load that demands \(demand.capability)", error.code, is: .invalidSettings)
        try expect("its state", error.sent, is: .notSent)
        try expect("the number of connections", server.connectionCount, is: 0)
    }

    /// Whether a setting or a request can demand one of these capabilities.
    static func canDemand(_ capabilities: TransportCapabilities) -> Bool {
        !capabilities.contains(.network) && demands.contains { capabilities.contains($0.capability) }
    }

    /// The demands: each setting, and the property of a request, that a capability is needed for.
    private static let demands = responseDemands + connectionDemands + proxyDemands + addressDemands + tlsDemands

    private static let responseDemands: [Demand] = [
        Demand(capability: .contentLimit, settings: { $0.responses.contentLimit = 1_000 }),
        Demand(capability: .headLimits, settings: { $0.responses.headLimit = 1_000 }),
        Demand(capability: .headLimits, settings: { $0.responses.fieldCountLimit = 10 }),
        Demand(capability: .headLimits, settings: { $0.responses.trailerLimit = 1_000 }),
        Demand(capability: .headLimits, settings: { $0.responses.informationalLimit = 1 }),
        Demand(capability: .lenientResponses, settings: { $0.responses.strictness = .lenient }),
    ]

    private static let connectionDemands: [Demand] = [
        Demand(capability: .versionChoice, settings: { $0.connections.version = .http1_1 }),
        Demand(capability: .http2, settings: { $0.connections.version = .http2 }, scheme: "https"),
        Demand(capability: .connectionLimits, settings: { $0.connections.maximumPerHost = 1 }),
        Demand(capability: .connectionLimits, settings: { $0.connections.maximumAge = .seconds(1) }),
        Demand(capability: .connectionLimits, settings: { $0.connections.maximumIdleTime = .zero }),
        Demand(capability: .expectContinue, settings: { $0.connections.expectContinueThreshold = 1 }),
    ]

    private static let proxyDemands: [Demand] = [
        Demand(capability: .proxies, settings: { $0.proxy = .proxy(closed(.http)) }),
        Demand(capability: .proxies, settings: { $0.proxy = .fromEnvironment }),
        Demand(capability: .secureProxies, settings: { $0.proxy = .proxy(closed(.https)) }),
        Demand(capability: .secureProxies, settings: { $0.proxy = .fromEnvironment }),
        Demand(capability: .socksProxies, settings: { $0.proxy = .proxy(closed(.socks5)) }),
        Demand(capability: .socksProxies, settings: { $0.proxy = .proxy(closed(.socks5WithLocalNames)) }),
        Demand(capability: .proxyAuthentication, settings: { $0.proxy = .proxy(closed(.http, user: "user")) }),
        Demand(capability: .proxyAuthentication, settings: { $0.proxy = .proxy(closed(.socks5, user: "user")) }),
    ]

    private static let addressDemands: [Demand] = [
        Demand(capability: .unixSockets, settings: { $0.addresses.unixSocketPath = "/tmp/conformance.socket" }),
        Demand(
            capability: .addressOverrides,
            settings: { $0.addresses.overrides = [HostAndPort(host: "a.test", port: 80): ["127.0.0.1"]] }
        ),
        Demand(capability: .addressChoice, settings: { $0.addresses.family = .ipv4 }),
        Demand(capability: .addressChoice, settings: { $0.addresses.localInterface = "127.0.0.1" }),
        Demand(capability: .dscp, settings: { $0.connections.dscp = 18 }),
        Demand(capability: .deniedNetworks, settings: { $0.addresses.deniesPrivateNetworks = true }),
        Demand(capability: .reroutes, request: { $0.connectsTo = HostAndPort(host: "127.0.0.1", port: 1) }),
    ]

    private static let tlsDemands: [Demand] = [
        Demand(capability: .customAuthorities, settings: { $0.tls.trust = .pem(Data()) }, scheme: "https"),
        Demand(
            capability: .clientCertificates,
            settings: { $0.tls.identity = .pkcs12(file: "/nowhere", password: "") },
            scheme: "https"
        ),
        Demand(capability: .minimumTLSVersion, settings: { $0.tls.minimumVersion = .v1_3 }, scheme: "https"),
        Demand(capability: .unverifiedHosts, settings: { $0.tls.unverifiedHosts = ["127.0.0.1"] }, scheme: "https"),
        Demand(capability: .unverifiedNames, settings: { $0.tls.unverifiedNames = ["127.0.0.1"] }, scheme: "https"),
        Demand(capability: .certificateReports, settings: { $0.tls.reportsCertificates = true }, scheme: "https"),
        Demand(
            capability: .pins,
            settings: { $0.tls.pins = ["127.0.0.1": .publicKeys([pin])] },
            scheme: "https"
        ),
    ]

    private static let pin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    /// A proxy at a port where nothing listens.
    private static func closed(_ kind: TransportSettings.Proxy.Kind, user: String? = nil) -> TransportSettings.Proxy {
        TransportSettings.Proxy(kind, at: HostAndPort(host: "127.0.0.1", port: 1), user: user)
    }
}
