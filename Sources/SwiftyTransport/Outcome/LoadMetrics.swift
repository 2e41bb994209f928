// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The measurements of a load, from the call of `load` to its outcome.
public struct LoadMetrics: Sendable, Hashable {
    /// The time from the call of `load` to its outcome.
    public var total: Duration = .zero
    /// The time spent waiting for constraints.
    public var constraintTime: Duration = .zero
    /// The time spent waiting for admission, in all attempts.
    public var admissionTime: Duration = .zero
    /// The waits for single constraints, in the order of the constraints of the `Swifty`; one record for each wait.
    public var constraintWaits: [ConstraintWait] = []
    /// All attempts, in order; empty for a mocked load, and for one that a cache has answered without a request.
    public var attempts: [Attempt] = []
    /// The number of bytes of the response's content after its content codings were decoded.
    /// ``TransferMetrics/responseContentBytes`` of ``transfer`` counts the transferred ones.
    public var decodedContentBytes = 0
    /// The number of requests that were sent because another one of the same attempt was slow, in all attempts.
    public var hedges = 0
    /// Where the response came from; ``Source/network`` if there is none.
    public var source = Source.network
    /// The quality of the network when the load ended, as measured by all transfers of its network interface.
    public var networkQuality = NetworkQuality.unknown

    /// Whether the response came from a mock, without any use of the network.
    public var isMocked: Bool { source == .mock }

    /// The redirects that the last attempt followed, in order.
    public var redirects: [Redirect] { attempts.last?.redirects ?? [] }

    /// The transfer of the last attempt; `nil` if there was no attempt.
    public var transfer: TransferMetrics? { attempts.last?.metrics }

    /// Makes empty metrics.
    public init() {}
}

extension LoadMetrics {
    /// The place that a response comes from.
    public enum Source: String, Sendable, Hashable, Codable, CaseIterable {
        /// A server, by a transport.
        case network
        /// A cache, without a request: the response was fresh.
        case cache
        /// A cache, after the server had said that the stored response is current (304).
        case revalidatedCache
        /// A cache, although the response was no longer fresh: the server or the caller allows that.
        case staleCache
        /// A mock.
        case mock
    }
}

extension LoadMetrics {
    /// One attempt of a load, with its result.
    public struct Attempt: Sendable, Hashable {
        /// The status code; `nil` if no response arrived.
        public let statusCode: Int?
        /// The code of the error; `nil` if a response arrived.
        public let errorCode: SwiftyError.Code?
        /// How far the request got.
        public let sent: SwiftyError.SentState
        /// The measurements of the attempt's transfer; with redirects, of the last one.
        public var metrics: TransferMetrics { measured.metrics }
        /// The time between the previous attempt and this one.
        public let wait: Duration
        /// The redirects that the attempt followed, in order.
        public let redirects: [Redirect]
        /// The number of authentication challenges that were answered.
        public let challenges: Int

        /// ``TransferMetrics/repetitions`` of the attempt's transfer.
        package var repetitions: Int { measured.metrics.repetitions }

        private let measured: MeasuredTransfer

        /// Records an attempt.
        package init(
            statusCode: Int?,
            errorCode: SwiftyError.Code?,
            sent: SwiftyError.SentState,
            metrics: TransferMetrics,
            wait: Duration = .zero,
            redirects: [Redirect] = [],
            challenges: Int = 0
        ) {
            self.statusCode = statusCode
            self.errorCode = errorCode
            self.sent = sent
            measured = MeasuredTransfer(metrics)
            self.wait = wait
            self.redirects = redirects
            self.challenges = challenges
        }

        /// An attempt whose request the transport sent again by itself; see ``TransferMetrics/repetitions``.
        package static let repeatedByTransport = Attempt(
            statusCode: nil,
            errorCode: .connectionLost,
            sent: .maybeSent,
            metrics: TransferMetrics()
        )

        /// Records an attempt that received a response.
        package init(_ response: TransportResponse, wait: Duration, redirects: [Redirect], challenges: Int) {
            statusCode = response.head.statusCode
            errorCode = nil
            sent = .responded
            measured = response.measured
            self.wait = wait
            self.redirects = redirects
            self.challenges = challenges
        }
    }
}

extension LoadMetrics {
    /// The wait of a load for one constraint.
    public struct ConstraintWait: Sendable, Hashable {
        /// The constraint's name.
        public let name: String
        /// The time from the load's arrival at the constraint until the constraint released it, or the wait ended
        /// otherwise.
        public let duration: Duration

        /// Records a wait.
        package init(name: String, duration: Duration) {
            self.name = name
            self.duration = duration
        }
    }
}

extension LoadMetrics {
    /// A redirect that was followed.
    public struct Redirect: Sendable, Hashable, Codable {
        /// The status code of the redirecting response: 301, 302, 303, 307 or 308.
        public let statusCode: Int
        /// The URL of the redirected request, with the values of secret-looking query parameters replaced.
        public let from: String
        /// The URL of the next request, redacted likewise.
        ///
        /// It ends in the fragment of the `Location`, or else in that of an earlier redirect (RFC 9110 §10.2.2).
        /// Fragments are never sent.
        public let to: String
        /// The measurements of the redirected request's transfer.
        public let metrics: TransferMetrics

        /// Records a redirect.
        package init(statusCode: Int, from: String, to: String, metrics: TransferMetrics = TransferMetrics()) {
            self.statusCode = statusCode
            self.from = from
            self.to = to
            self.metrics = metrics
        }
    }
}
