// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A host and a port to connect to.
public struct HostAndPort: Sendable, Hashable, CustomStringConvertible {
    /// A name or an address; an IPv6 address in brackets.
    public let host: String
    /// The port, 1...65535.
    public let port: Int

    /// Makes a peer of its parts.
    ///
    /// - Parameters:
    ///   - host: a name or an address; an IPv6 address in brackets.
    ///   - port: the port, 1...65535.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Takes host and port from a URI, whose other parts do not matter.
    public init(of target: TargetURI) {
        host = target.host
        port = target.port
    }

    /// As in `example.com:443`.
    public var description: String { "\(host):\(port)" }
}
