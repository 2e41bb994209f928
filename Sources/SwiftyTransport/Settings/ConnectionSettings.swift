// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// How long connections live, and which version of HTTP they speak.
public struct ConnectionSettings: Sendable, Hashable {
    /// Which version of HTTP is spoken.
    public enum Version: Sendable, Hashable {
        /// HTTP/2 over TLS where the server offers it, else HTTP/1.1.
        case automatic
        /// HTTP/1.1 alone.
        case http1_1
        /// HTTP/2 alone; only over TLS. A server that does not offer it fails the load.
        case http2
    }

    /// Which version of HTTP is spoken.
    public var version = Version.automatic
    /// How long a connection may be idle and still be used again.
    public var maximumIdleTime = Duration.seconds(118)
    /// How old a connection may be and still be used again; `nil` for any age.
    public var maximumAge: Duration?

    /// Makes the default settings.
    public init() {}
}
