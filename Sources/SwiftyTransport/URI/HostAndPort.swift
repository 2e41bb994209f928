// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A host and a port to connect to.
public struct HostAndPort: Sendable, Hashable, CustomStringConvertible {
    /// A name or an address in its normal form, as ``TargetURI/host``.
    public let host: String
    /// The port, 1...65535.
    public let port: Int

    /// Makes a peer of its parts.
    ///
    /// Nothing is refused here: what is no host stays as it is, and fails the requests or settings that it is used in.
    ///
    /// - Parameters:
    ///   - host: a name or an address, in any spelling that a URI may have; brackets around an IPv6 address may be missing.
    ///   - port: the port, 1...65535.
    public init(host: String, port: Int) {
        self.host = HostName.normalForm(host) ?? host
        self.port = port
    }

    /// Takes host and port from a URI, whose other parts do not matter.
    public init(of target: TargetURI) {
        host = target.host
        port = target.port
    }

    /// Whether it can be connected to: a host in its normal form, and a port that exists.
    package var isValid: Bool { HostName.normalForm(host) == host && (1...65_535).contains(port) }

    /// As in `example.com:443`.
    public var description: String { "\(host):\(port)" }
}
