// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What one transfer cost: the time of each phase, bytes, and the connection it used.
///
/// Phases that did not happen are zero: a reused connection has no name lookup, no connect and no TLS time.
public struct TransferMetrics: Sendable, Hashable {
    /// From the hand-over to the transport until the transfer was started.
    public var queue: Duration = .zero
    /// Resolving the host's name.
    public var nameLookup: Duration = .zero
    /// Establishing the TCP connection.
    public var connect: Duration = .zero
    /// The TLS handshake.
    public var tls: Duration = .zero
    /// From the ready connection until the first byte of the response: sending the request and waiting for the server.
    public var firstByte: Duration = .zero
    /// From the first byte of the response until the last.
    public var receive: Duration = .zero
    /// From the hand-over to the transport until the end of the response.
    public var total: Duration = .zero

    /// Bytes of the request line and header fields that were sent.
    public var requestHeaderBytes = 0
    /// Bytes of content that were sent.
    public var requestBodyBytes = 0
    /// Bytes of status line and header fields that were received.
    public var responseHeaderBytes = 0
    /// Bytes of content that were received.
    public var responseBodyBytes = 0

    /// The protocol version that was used; `nil` if no response arrived.
    public var httpVersion: ResponseHead.HTTPVersion?
    /// The address of the peer, which is the proxy if there is one; empty if no connection was made.
    public var remoteAddress = ""
    /// The port of the peer; 0 if no connection was made.
    public var remotePort = 0
    /// Whether the request went out on a connection that an earlier one had opened.
    public var isConnectionReused = false
    /// Whether the server that the request went to had to prove who it is: `false` if it is one of
    /// ``TransportSettings/TLS/unverifiedHosts``, `nil` without TLS and if nothing was sent. On reused connections, too.
    public var isServerVerified: Bool?
    /// The certificates that the server showed, its own first, if the settings ask for them
    /// (``TransportSettings/TLS/reportsCertificates``); on reused connections, too. Empty without TLS and if they are not known.
    public var certificates: [ServerCertificate] = []

    /// The proxy that the request went to; `nil` if it went to the server.
    public var proxy: HostAndPort?
    /// With which status the proxy answered CONNECT; `nil` if this request opened no tunnel.
    public var proxyStatusCode: Int?
    /// Whether the response is known to have arrived completely.
    ///
    /// False if the content ended with its connection and nothing says that it was meant to: a server, or anybody on the
    /// way, that ends the connection early cannot be told from one that was done (RFC 9112 §8). False, too, for content without
    /// a length over HTTP/2, because libcurl takes a breach of the protocol for its end. True for content with a length, in
    /// chunks, with TLS's `close_notify`, and for responses without content.
    public var isCompletenessProven = false

    /// Makes metrics in which nothing has happened yet.
    public init() {}
}

/// Metrics behind one reference: what holds them is handed from stage to stage far more often than they are read.
final class MeasuredTransfer: Sendable, Hashable {
    let metrics: TransferMetrics

    init(_ metrics: TransferMetrics) {
        self.metrics = metrics
    }

    static func == (one: MeasuredTransfer, other: MeasuredTransfer) -> Bool {
        one === other || one.metrics == other.metrics
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(metrics)
    }
}
