// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What a load cost, from the call of `load` until its outcome.
public struct LoadMetrics: Sendable, Hashable {
    /// From the call of `load` until the outcome was known.
    public var total: Duration = .zero
    /// Waiting for constraints.
    public var constraintTime: Duration = .zero
    /// Waiting for admission, over all attempts.
    public var admissionTime: Duration = .zero
    /// How long each constraint held the load, in the order in which the `Swifty` was given them; one record for each time
    /// that the load waited.
    public var constraintWaits: [ConstraintWait] = []
    /// Every attempt that was made, in order; empty for a mocked load.
    public var attempts: [Attempt] = []
    /// Bytes of the answer's content without its content codings; what was transferred is ``transfer``'s
    /// ``TransferMetrics/responseBodyBytes``.
    public var decodedBodyBytes = 0
    /// Whether the answer came from a mock and no network was used.
    public var isMocked = false

    /// The redirects that the last attempt followed, in order.
    public var redirects: [Redirect] { attempts.last?.redirects ?? [] }

    /// The last attempt's transfer; `nil` if nothing was sent.
    public var transfer: TransferMetrics? { attempts.last?.metrics }

    /// Makes metrics in which nothing has happened yet.
    public init() {}
}

extension LoadMetrics {
    /// One attempt of a load and how it ended.
    public struct Attempt: Sendable, Hashable {
        /// The status code, `nil` if no response arrived.
        public let statusCode: Int?
        /// Why the attempt failed, `nil` if a response arrived.
        public let errorCode: SwiftyError.Code?
        /// How far the request got.
        public let sent: SwiftyError.SentState
        /// What the attempt's transfer cost; with redirects, the last one's.
        public var metrics: TransferMetrics { measured.metrics }
        /// How long the load waited between the attempt before and this one.
        public let wait: Duration
        /// The redirects that the attempt followed, in order.
        public let redirects: [Redirect]
        /// How often a server asked for credentials and was given some.
        public let challenges: Int

        private let measured: MeasuredTransfer

        /// Records an attempt.
        public init(
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

        /// Records an attempt that was answered, together with what its transfer cost.
        package init(_ answer: TransportResponse, wait: Duration, redirects: [Redirect], challenges: Int) {
            statusCode = answer.head.statusCode
            errorCode = nil
            sent = .responded
            measured = answer.measured
            self.wait = wait
            self.redirects = redirects
            self.challenges = challenges
        }
    }
}

extension LoadMetrics {
    /// How long one constraint held a load.
    public struct ConstraintWait: Sendable, Hashable {
        /// The constraint's name.
        public let name: String
        /// From the moment when the load came to the constraint until it was let through, or its wait ended otherwise.
        public let duration: Duration

        /// Records a wait.
        public init(name: String, duration: Duration) {
            self.name = name
            self.duration = duration
        }
    }
}

extension LoadMetrics {
    /// One redirect that was followed: its answer, and where it led.
    public struct Redirect: Sendable, Hashable {
        /// The status that said so: 301, 302, 303, 307 or 308.
        public let statusCode: Int
        /// The URL that was asked, with the values of secret-looking query parameters replaced.
        public let from: String
        /// The URL that was asked next, redacted likewise.
        ///
        /// It ends in the fragment of the `Location`, or else in the one that an earlier redirect gave (RFC 9110 §10.2.2);
        /// fragments are never sent.
        public let to: String
        /// What the redirected request's transfer cost.
        public let metrics: TransferMetrics

        /// Records a redirect.
        public init(statusCode: Int, from: String, to: String, metrics: TransferMetrics = TransferMetrics()) {
            self.statusCode = statusCode
            self.from = from
            self.to = to
            self.metrics = metrics
        }
    }
}
