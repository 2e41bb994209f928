// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The TLS of a server: its certificate, what it accepts, and how it fails. Made by a ``TestAuthority``.
public struct ServerTLS: Sendable {
    /// The way in which a handshake fails.
    public enum HandshakeFault: Sendable, Hashable {
        /// The connection is closed when the client has begun.
        case close
        /// The connection is reset when the client has begun.
        case reset
        /// The server sends the alert `handshake_failure`.
        case alert
        /// The server is silent until the client leaves.
        case stall
    }

    /// The versions of TLS.
    public enum Version: Int, Sendable, Hashable {
        /// TLS 1.1 (RFC 4346), which RFC 8996 forbids, to test that a client refuses it.
        case v1_1 = 0x0302
        /// TLS 1.2 (RFC 5246).
        case v1_2 = 0x0303
        /// TLS 1.3 (RFC 8446).
        case v1_3 = 0x0304
    }

    /// An error if OpenSSL, which the servers with TLS use, cannot be used.
    public struct UnavailableError: Error, CustomStringConvertible {
        let reason: String

        /// One line with the reason.
        public var description: String { "a server with TLS cannot be made: \(reason)" }
    }

    /// The lowest and the highest version that the server accepts.
    public var versions = Version.v1_2...Version.v1_3
    /// The protocols of ALPN (RFC 7301) that the server accepts, the preferred one first. A client that offers none of
    /// them gets no answer to its offer. ``LoopbackServer`` and ``ScriptedServer`` speak HTTP/1.1 whatever is chosen.
    public var applicationProtocols = ["http/1.1"]
    /// The authority whose certificates clients must present; `nil`, the default, requests none.
    public var clientAuthority: TestAuthority?
    /// The fault of the handshake of a connection, by the number of the connection; none by default.
    public var handshakeFault: @Sendable (_ connection: Int) -> HandshakeFault? = { _ in nil }

    let certificate: [UInt8]
    let key: SigningKey

    /// The pin of the server's public key, for ``TransportSettings/TLS/pins``: `sha256//…`.
    public var publicKeyPin: String { TransportSettings.TLS.Pins.pin(of: key.publicKey) }

    /// The pin of the server's certificate.
    public var certificatePin: String { TransportSettings.TLS.Pins.pin(of: certificate) }
}

extension ServerTLS.Version: Comparable {
    /// Orders by age.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
