// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The abilities of a ``Transport``, beyond sending a request and returning its response.
///
/// A transport claims what it does exactly as documented, and the conformance suite of the module SwiftyTesting checks
/// each claim. A load whose request or settings demand an unclaimed capability fails before anything is sent:
/// ``check(_:)-(TransportSettings)`` and ``check(_:)-(NetworkRequest)``.
public struct TransportCapabilities: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt64

    /// Makes a set of bits.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    private init(bit: UInt64) {
        rawValue = 1 << bit
    }

    // MARK: Requests and responses

    /// Requests go over connections to servers; a stub does not have it.
    public static let network = Self(bit: 0)
    /// The target, the order and the case of fields, and repeated fields arrive as they were given, and no field is
    /// added except those of the framing, `Host` and the documented defaults.
    public static let exactRequests = Self(bit: 1)
    /// The order and the case of a response's fields, its reason phrase and its version are reported as received.
    public static let exactResponses = Self(bit: 2)
    /// ``NetworkRequest/onEvent`` reports the connection, the sent request, the head and the progress.
    public static let transferEvents = Self(bit: 3)
    /// Informational responses (1xx) are events.
    public static let informationalResponses = Self(bit: 4)
    /// Trailers are events, and follow streamed content.
    public static let trailers = Self(bit: 5)
    /// ``TransferMetrics`` have times, bytes, the peer and the reuse of the connection.
    public static let metrics = Self(bit: 6)
    /// ``TransferMetrics/isCompletenessProven`` tells whether a response is known to be complete.
    public static let completenessProof = Self(bit: 7)
    /// Errors keep the head and the part of the content that arrived.
    public static let partialResponses = Self(bit: 8)

    // MARK: Streaming

    /// Content of a ``ContentSource`` is sent while it is produced, and a slow server slows its source down.
    public static let streamedRequests = Self(bit: 9)
    /// ``Transport/stream(_:cancellation:)`` returns with the head, before the content has arrived.
    public static let streamedResponses = Self(bit: 10)
    /// A reader that pauses stops the server, so that memory use is bounded.
    public static let backPressure = Self(bit: 11)
    /// A response may arrive before the request's content is complete, and both continue.
    public static let fullDuplex = Self(bit: 12)
    /// Large content waits for the server's consent (``TransportSettings/Connections/expectContinueThreshold``).
    public static let expectContinue = Self(bit: 13)

    // MARK: Connections

    /// After a complete response, later requests reuse its connection.
    public static let connectionReuse = Self(bit: 14)
    /// ``NetworkRequest/requiresNewConnection`` is honored.
    public static let newConnections = Self(bit: 15)
    /// ``NetworkRequest/connectsTo`` is honored.
    public static let reroutes = Self(bit: 16)
    /// ``SwiftyError/sent`` is exact: `.notSent` is certain, and reported whenever it applies.
    public static let sentState = Self(bit: 17)
    /// An idempotent request is repeated on a new connection if its kept-alive connection is dead; no other request is.
    public static let replayRule = Self(bit: 18)
    /// ``TransportSettings/Connections/maximumPerHost`` is enforced.
    public static let connectionLimits = Self(bit: 19)
    /// HTTP/2 over TLS where the server offers it.
    public static let http2 = Self(bit: 20)
    /// ``TransportSettings/Connections/version`` can be chosen.
    public static let versionChoice = Self(bit: 21)

    // MARK: Limits

    /// ``NetworkRequest/Timeouts/connect`` is enforced.
    public static let connectTimeout = Self(bit: 22)
    /// ``NetworkRequest/Timeouts/firstByte`` is enforced.
    public static let firstByteTimeout = Self(bit: 23)
    /// ``NetworkRequest/Timeouts/idle`` is enforced.
    public static let idleTimeout = Self(bit: 24)
    /// ``TransportSettings/Responses/contentLimit`` is enforced.
    public static let contentLimit = Self(bit: 25)
    /// The limits of ``TransportSettings/Responses`` for fields, trailers and informational responses are enforced.
    public static let headLimits = Self(bit: 26)
    /// ``TransportSettings/Responses/Strictness/lenient`` accepts what it documents.
    public static let lenientResponses = Self(bit: 27)

    // MARK: Proxies and addresses

    /// HTTP proxies, with their exceptions.
    public static let proxies = Self(bit: 28)
    /// SOCKS proxies.
    public static let socksProxies = Self(bit: 29)
    /// HTTP proxies over TLS.
    public static let secureProxies = Self(bit: 30)
    /// Credentials for proxies.
    public static let proxyAuthentication = Self(bit: 31)
    /// Unix domain sockets.
    public static let unixSockets = Self(bit: 32)
    /// ``TransportSettings/Addresses/overrides`` are used.
    public static let addressOverrides = Self(bit: 33)
    /// The local interface and the family of addresses can be chosen.
    public static let addressChoice = Self(bit: 34)
    /// ``TransportSettings/Addresses/deniesPrivateNetworks`` is enforced.
    public static let deniedNetworks = Self(bit: 35)

    // MARK: TLS

    /// `https`, with certificates verified.
    public static let tls = Self(bit: 36)
    /// Authorities other than the system's.
    public static let customAuthorities = Self(bit: 37)
    /// A client certificate.
    public static let clientCertificates = Self(bit: 38)
    /// ``TransportSettings/TLS/minimumVersion`` is enforced.
    public static let minimumTLSVersion = Self(bit: 39)
    /// ``TransportSettings/TLS/pins`` are checked before the request is sent.
    public static let pins = Self(bit: 40)
    /// Hosts can be exempted from verification.
    public static let unverifiedHosts = Self(bit: 41)
    /// Certificates are reported.
    public static let certificateReports = Self(bit: 42)
    /// Hosts can be exempted from the check of the name alone.
    public static let unverifiedNames = Self(bit: 43)
    /// ``TransportSettings/Connections/dscp`` marks the packets that are sent.
    public static let dscp = Self(bit: 44)
}

extension TransportCapabilities: CustomStringConvertible {
    /// Each capability with its name, in the order of their declaration.
    public static let all: [(name: String, capability: TransportCapabilities)] = [
        ("network", .network), ("exactRequests", .exactRequests), ("exactResponses", .exactResponses),
        ("transferEvents", .transferEvents), ("informationalResponses", .informationalResponses),
        ("trailers", .trailers), ("metrics", .metrics), ("completenessProof", .completenessProof),
        ("partialResponses", .partialResponses), ("streamedRequests", .streamedRequests),
        ("streamedResponses", .streamedResponses), ("backPressure", .backPressure), ("fullDuplex", .fullDuplex),
        ("expectContinue", .expectContinue), ("connectionReuse", .connectionReuse),
        ("newConnections", .newConnections), ("reroutes", .reroutes), ("sentState", .sentState),
        ("replayRule", .replayRule), ("connectionLimits", .connectionLimits), ("http2", .http2),
        ("versionChoice", .versionChoice), ("connectTimeout", .connectTimeout),
        ("firstByteTimeout", .firstByteTimeout), ("idleTimeout", .idleTimeout), ("contentLimit", .contentLimit),
        ("headLimits", .headLimits), ("lenientResponses", .lenientResponses), ("proxies", .proxies),
        ("socksProxies", .socksProxies), ("secureProxies", .secureProxies),
        ("proxyAuthentication", .proxyAuthentication), ("unixSockets", .unixSockets),
        ("addressOverrides", .addressOverrides), ("addressChoice", .addressChoice),
        ("deniedNetworks", .deniedNetworks), ("tls", .tls), ("customAuthorities", .customAuthorities),
        ("clientCertificates", .clientCertificates), ("minimumTLSVersion", .minimumTLSVersion), ("pins", .pins),
        ("unverifiedHosts", .unverifiedHosts), ("certificateReports", .certificateReports),
        ("unverifiedNames", .unverifiedNames), ("dscp", .dscp),
    ]

    /// All capabilities.
    public static let complete = Self.all.reduce(into: TransportCapabilities()) { $0.formUnion($1.capability) }

    /// The names of the capabilities of the set.
    public var names: [String] { Self.all.filter { contains($0.capability) }.map(\.name) }

    /// The names, separated by commas.
    public var description: String { names.joined(separator: ", ") }
}
