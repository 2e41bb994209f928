// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A host and a port to connect to.
public struct HostAndPort: Sendable, Hashable, CustomStringConvertible {
    /// A name or an address in its normal form, as ``TargetURI/host``.
    public let host: String
    /// The port, 1...65535.
    public let port: Int

    /// Makes a value from its parts.
    ///
    /// An invalid host is kept unchanged, and fails the requests or settings that use it.
    ///
    /// - Parameters:
    ///   - host: A name or an address, in any spelling that a URI may have. An IPv6 address needs no brackets.
    ///   - port: The port, 1...65535.
    public init(host: String, port: Int) {
        self.host = HostName.normalForm(host) ?? host
        self.port = port
    }

    /// Makes a value from the host and the port of a URI.
    public init(of target: TargetURI) {
        host = target.host
        port = target.port
    }

    /// Whether the host is in its normal form and the port in its range.
    package var isValid: Bool { HostName.normalForm(host) == host && (1...65_535).contains(port) }

    /// Host and port, as in `example.com:443`.
    public var description: String { "\(host):\(port)" }
}
