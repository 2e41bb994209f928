// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension TransportCapabilities {
    /// A capability that a setting or a request requires, and the name of that setting.
    struct Demand {
        let capability: TransportCapabilities
        let setting: String

        init?(_ capability: TransportCapabilities, _ setting: String, if isDemanded: Bool) {
            guard isDemanded else { return nil }
            self.capability = capability
            self.setting = setting
        }
    }

    /// Fails if settings demand what a transport with these capabilities cannot do.
    ///
    /// A transport that is made with settings calls it in every load, before anything else.
    ///
    /// - Throws: ``SwiftyError/Code/invalidSettings``, which names the setting and the capability.
    public func check(_ settings: TransportSettings) throws(SwiftyError) {
        try check(settings.demands)
    }

    /// Fails if a request demands what a transport with these capabilities cannot do: it has
    /// ``NetworkRequest/connectsTo``.
    ///
    /// The pipeline calls it for every transport.
    ///
    /// - Throws: ``SwiftyError/Code/invalidSettings``, which names the capability.
    public func check(_ request: NetworkRequest) throws(SwiftyError) {
        guard request.connectsTo != nil else { return }
        try check([Demand(.reroutes, "NetworkRequest.connectsTo", if: true)])
    }

    private func check(_ demands: [Demand?]) throws(SwiftyError) {
        for case let demand? in demands where !isSuperset(of: demand.capability) {
            let missing = demand.capability.subtracting(self)
            throw SwiftyError(
                .invalidSettings,
                stage: .building,
                reason: "\(demand.setting) demands what this transport cannot do: \(missing)"
            )
        }
    }
}

extension TransportSettings {
    /// Everything that differs from the defaults. The lifetime of idle connections and the interval of PINGs change
    /// nothing that a response could show, and demand nothing.
    fileprivate var demands: [TransportCapabilities.Demand?] {
        tls.demands + [proxy.demand] + addresses.demands + connections.demands + responses.demands
    }
}

private typealias Demand = TransportCapabilities.Demand

extension TransportSettings.TLS {
    fileprivate var demands: [TransportCapabilities.Demand?] {
        [
            Demand(.pins, "TransportSettings.tls.pins", if: !pins.isEmpty),
            Demand(.customAuthorities, "TransportSettings.tls.trust", if: trust != .system),
            Demand(.clientCertificates, "TransportSettings.tls.identity", if: identity != nil),
            Demand(.minimumTLSVersion, "TransportSettings.tls.minimumVersion", if: minimumVersion != .v1_2),
            Demand(.unverifiedHosts, "TransportSettings.tls.unverifiedHosts", if: !unverifiedHosts.isEmpty),
            Demand(.certificateReports, "TransportSettings.tls.reportsCertificates", if: reportsCertificates),
            Demand(.unverifiedNames, "TransportSettings.tls.unverifiedNames", if: !unverifiedNames.isEmpty),
        ]
    }
}

extension TransportSettings.ProxySelection {
    fileprivate var demand: TransportCapabilities.Demand? {
        Demand(capabilities, "TransportSettings.proxy", if: self != .none)
    }

    private var capabilities: TransportCapabilities {
        switch self {
        case .none: []
        case .fromEnvironment: [.proxies, .socksProxies, .secureProxies, .proxyAuthentication]
        case .proxy(let proxy, _):
            proxy.capability.union(proxy.user == nil && proxy.password == nil ? [] : .proxyAuthentication)
        }
    }
}

extension TransportSettings.Proxy {
    fileprivate var capability: TransportCapabilities {
        switch kind {
        case .http: .proxies
        case .https: .secureProxies
        case .socks5, .socks5WithLocalNames: .socksProxies
        }
    }
}

extension TransportSettings.Addresses {
    fileprivate var demands: [TransportCapabilities.Demand?] {
        let isChosen = localInterface != nil || family != .any
        return [
            Demand(.unixSockets, "TransportSettings.addresses.unixSocketPath", if: unixSocketPath != nil),
            Demand(.addressOverrides, "TransportSettings.addresses.overrides", if: !overrides.isEmpty),
            Demand(.addressChoice, "TransportSettings.addresses", if: isChosen),
            Demand(.deniedNetworks, "TransportSettings.addresses.deniesPrivateNetworks", if: deniesPrivateNetworks),
        ]
    }
}

extension TransportSettings.Connections {
    fileprivate var demands: [TransportCapabilities.Demand?] {
        let ages = maximumAge != Self().maximumAge || maximumIdleTime <= .zero
        return [
            Demand(.versionChoice, "TransportSettings.connections.version", if: version != .automatic),
            Demand(.dscp, "TransportSettings.connections.dscp", if: dscp != nil),
            Demand(.http2, "TransportSettings.connections.version", if: version == .http2),
            Demand(.connectionLimits, "TransportSettings.connections", if: maximumPerHost != nil || ages),
            Demand(
                .expectContinue,
                "TransportSettings.connections.expectContinueThreshold",
                if: expectContinueThreshold != nil && expectContinueThreshold != Self().expectContinueThreshold
            ),
        ]
    }
}

extension TransportSettings.Responses {
    fileprivate var demands: [TransportCapabilities.Demand?] {
        var rest = self
        (rest.strictness, rest.contentLimit) = (.strict, Self().contentLimit)
        return [
            Demand(.contentLimit, "TransportSettings.responses.contentLimit", if: contentLimit != Self().contentLimit),
            Demand(.headLimits, "TransportSettings.responses", if: rest != Self()),
            Demand(.lenientResponses, "TransportSettings.responses.strictness", if: strictness == .lenient),
        ]
    }
}
