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
