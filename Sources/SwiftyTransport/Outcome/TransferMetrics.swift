// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The measurements of one transfer: the time of each phase, the bytes, and the connection.
///
/// Phases that did not happen are zero: a reused connection has no name lookup, no connect and no TLS time. Of a
/// connection that another request began to open, the phases are what this one has waited for.
public struct TransferMetrics: Sendable, Hashable {
    /// From the call of the transport to the start of the transfer.
    public var queue: Duration = .zero
    /// Resolving the host's name.
    public var nameLookup: Duration = .zero
    /// Establishing the TCP connection.
    public var connect: Duration = .zero
    /// The TLS handshake.
    public var tls: Duration = .zero
    /// From the ready connection to the first byte of the response: sending the request and waiting for the server.
    public var firstByte: Duration = .zero
    /// From the first byte of the response to the last.
    public var receive: Duration = .zero
    /// From the call of the transport to the end of the response.
    public var total: Duration = .zero

    /// Bytes of the request line and header fields that were sent.
    public var requestHeaderBytes = 0
    /// Bytes of content that were sent.
    public var requestContentBytes = 0
    /// Bytes of status line and header fields that were received.
    public var responseHeaderBytes = 0
    /// Bytes of content that were received.
    public var responseContentBytes = 0

    /// The protocol version of the response; `nil` if none arrived.
    public var httpVersion: ResponseHead.HTTPVersion?
    /// The address of the peer, which is the proxy if there is one; empty without a connection.
    public var remoteAddress = ""
    /// The port of the peer; 0 without a connection.
    public var remotePort = 0
    /// The own address of the connection; empty without one, and if the transport does not know it.
    public var localAddress = ""
    /// The own port of the connection; 0 if unknown.
    public var localPort = 0
    /// The number of the connection among all that the process has begun to open, 1 for the first; 0 if unknown.
    /// Transfers with the same number have used the same connection.
    public var connectionNumber = 0
    /// Whether the request used a connection that an earlier one opened.
    public var isConnectionReused = false
    /// The number of times that the transport sent the request again by itself, because the server had ended the
    /// connection before a response or had not processed the request.
    public var repetitions = 0
    /// Whether the server's certificate and its name were verified: `false` for
    /// ``TransportSettings/TLS/unverifiedHosts`` and ``TransportSettings/TLS/unverifiedNames``, `nil` without TLS and
    /// if nothing was sent. Also known for reused connections.
    public var isServerVerified: Bool?
    /// The certificates that the server presented, its own first, if the settings ask for them
    /// (``TransportSettings/TLS/reportsCertificates``), including for reused connections. Empty without TLS and if
    /// unknown.
    public var certificates: [ServerCertificate] {
        get { tlsReport?.certificates ?? [] }
        set { tlsReport = TLSReport(certificates: newValue, parameters: tlsParameters) }
    }
    /// What TLS has negotiated with the server, known together with ``certificates``; `nil` without TLS and if unknown.
    public var tlsParameters: TLSParameters? {
        get { tlsReport?.parameters }
        set { tlsReport = TLSReport(certificates: certificates, parameters: newValue) }
    }
    /// Both of them, boxed because few settings ask for them.
    package var tlsReport: TLSReport?

    /// The proxy that the request was sent through; `nil` if it was sent to the server.
    public var proxy: HostAndPort?
    /// The status code of the proxy's response to CONNECT; `nil` if this request opened no tunnel.
    public var proxyStatusCode: Int?
    /// Whether the response is known to be complete.
    ///
    /// `true` for content with a length, in chunks, or ended by TLS's `close_notify`, and for responses without
    /// content. `false` if the end of the connection is the only sign of the end of the content, because a connection
    /// that was cut looks the same (RFC 9112 §8). Over HTTP/2 every complete response has a proven end.
    public var isCompletenessProven = false

    /// Makes empty metrics.
    public init() {}
}

/// Boxed metrics, since their owners are passed between stages far more often than metrics are read.
@usableFromInline final class MeasuredTransfer: Sendable, Hashable {
    @usableFromInline let metrics: TransferMetrics

    init(_ metrics: TransferMetrics) {
        self.metrics = metrics
    }

    @usableFromInline static func == (one: MeasuredTransfer, other: MeasuredTransfer) -> Bool {
        one === other || one.metrics == other.metrics
    }

    @usableFromInline func hash(into hasher: inout Hasher) {
        hasher.combine(metrics)
    }
}
