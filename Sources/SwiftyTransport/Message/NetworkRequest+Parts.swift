// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkRequest {
    /// The time limits of a load and of the phases of its transfer. `nil` is no limit.
    ///
    /// A phase that exceeds its limit ends the load with ``SwiftyError/Code/timedOut``; the error's
    /// ``SwiftyError/timeLimit`` names the limit, and its stage the phase.
    public struct Timeouts: Sendable, Hashable {
        /// The whole load: from the call of `load` to its completion, everything included.
        public var total: Duration?
        /// One attempt of a load that may make several: its interceptors, redirects and challenges, up to the end of
        /// the response's content. Its wait for admission does not count. Transports ignore this limit.
        public var attempt: Duration?
        /// From the start of the transfer to the ready connection: name lookup, TCP and TLS.
        public var connect: Duration?
        /// From the ready connection to the first byte of the response.
        public var firstByte: Duration?
        /// The longest time without traffic in either direction, once the connection is ready.
        public var idle: Duration?

        /// Makes a set of time limits.
        public init(
            total: Duration? = nil,
            attempt: Duration? = nil,
            connect: Duration? = nil,
            firstByte: Duration? = nil,
            idle: Duration? = nil
        ) {
            self.total = total
            self.attempt = attempt
            self.connect = connect
            self.firstByte = firstByte
            self.idle = idle
        }

        /// These limits, with those of `other` where these are `nil`.
        public func merging(_ other: Timeouts) -> Timeouts {
            Timeouts(
                total: total ?? other.total,
                attempt: attempt ?? other.attempt,
                connect: connect ?? other.connect,
                firstByte: firstByte ?? other.firstByte,
                idle: idle ?? other.idle
            )
        }
    }
}

extension NetworkRequest {
    /// The urgency of a request among those that wait to be sent.
    public enum Priority: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// After everything else: prefetching, telemetry.
        case veryLow
        /// Below ``normal``.
        case low
        /// The default.
        case normal
        /// A person waits for the response.
        case high
        /// Before everything else.
        case veryHigh

        /// Orders by urgency: `.low < .high`.
        public static func < (lhs: Priority, rhs: Priority) -> Bool {
            lhs.rawValue < rhs.rawValue
        }
    }
}

extension NetworkRequest.Priority {
    /// The value of the request field `Priority` for this priority, such as `u=1`.
    ///
    /// `nil` for ``normal``, which servers assume without the field (`u=3`). ``veryHigh`` is `u=0`, ``veryLow`` is
    /// `u=6`.
    ///
    /// Source: RFC 9218 §4.1 and §5.
    package var fieldValue: StaticString? {
        switch self {
        case .veryHigh: "u=0"
        case .high: "u=1"
        case .normal: nil
        case .low: "u=5"
        case .veryLow: "u=6"
        }
    }
}

extension NetworkRequest {
    /// The description of a request in errors and logs. It contains no secrets.
    public struct Summary: Sendable, Hashable, CustomStringConvertible {
        /// The request method.
        public let method: String
        /// The target URI, with secrets replaced.
        public let url: String
        /// The path as its author wrote it, with its variables not filled in. Interpolated values that are known
        /// secrets are replaced.
        public let template: String?
        /// The name that the author gave to the request.
        public let name: String?
        /// The secrets of the request, which other messages about it may contain.
        package let secrets: RequestSecrets?

        /// Summarizes a request.
        public init(_ request: NetworkRequest) {
            self.init(
                method: request.method.rawValue,
                url: request.redactor.uri(request.target),
                template: request.template.map(request.redactor.reference),
                name: request.name,
                secrets: request.secrets
            )
        }

        /// Makes a summary from parts that contain no secrets.
        package init(
            method: String,
            url: String,
            template: String? = nil,
            name: String? = nil,
            secrets: RequestSecrets? = nil
        ) {
            self.method = method
            self.url = url
            self.template = template
            self.name = name
            self.secrets = secrets
        }

        /// The method and the URL, as in `GET https://example.com/ip`; the method alone if the URL is empty.
        public var description: String { url.isEmpty ? method : "\(method) \(url)" }
    }
}

/// The progress of a transfer. Events are reported as they happen, in this order.
///
/// A transport calls the handler on its own thread, which must not be blocked. A phase that does not happen (such as a
/// name lookup on a reused connection) has no event. ``progress(sent:received:)`` may be reported any number of times.
public enum TransferEvent: Sendable, Hashable {
    /// Receives the events of a transfer.
    public typealias Handler = @Sendable (TransferEvent) -> Void

    /// The connection is ready: a new one, with the durations of its phases, or one that an earlier request opened.
    case connected(nameLookup: Duration, connect: Duration, tls: Duration, isReused: Bool)
    /// The last byte of the request was written to the connection.
    case requestSent
    /// An informational response has arrived (RFC 9110 §15.2), such as 103 with early hints.
    case informational(statusCode: Int, headers: HTTPFields)
    /// The head of the final response has arrived. `contentLength` is the announced number of bytes of content, before
    /// any decoding; `nil` if it is not announced, as with the chunked transfer coding.
    case responseHead(statusCode: Int, contentLength: Int?)
    /// The numbers of bytes of content sent and received so far.
    case progress(sent: Int, received: Int)
    /// The trailer fields have arrived (RFC 9110 §6.5).
    case trailers(HTTPFields)
}

extension NetworkRequest {
    /// Keeps the secrets of this request out of what is printed.
    package var redactor: Redactor { Redactor(secrets) }
}
