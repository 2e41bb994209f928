// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What a transport is told once, before its first request: whom it trusts, which way it goes, what it accepts.
///
///     var settings = TransportSettings()
///     settings.tls.minimumVersion = .v1_3
///     let swifty = Swifty(transport: settings)
///
/// Every connection of a transport is made by the same settings, so connections of different identities never mix: two
/// settings are two transports.
public struct TransportSettings: Sendable, Hashable {
    /// Whom to trust, and who to be.
    public var tls = TLS()
    /// Which proxy requests go through.
    public var proxy = ProxySelection.none
    /// Which addresses are connected to, and from where.
    public var addresses = Addresses()
    /// How long connections live, and which version of HTTP they speak.
    public var connections = Connections()
    /// What a response may be like.
    public var responses = Responses()

    /// Makes the default settings: the system's authorities, no proxy, any address, HTTP/2 where the server offers it over
    /// TLS, strict responses.
    public init() {}
}
