// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Logging

extension Swifty {
    /// The hooks of a `Swifty`, and its policies for requests without their own.
    ///
    ///     let swifty = Swifty {
    ///         $0.use(session)
    ///         $0.retry = .standard
    ///     }
    ///
    /// The settings of the transport, such as TLS and proxies, are in ``SwiftyTransport/TransportSettings``.
    public struct Configuration: Sendable {
        // The hooks that `use(_:)` has registered.
        package var constraints: [RegisteredConstraint] = []
        package var requestInterceptors: [any RequestInterceptor] = []
        package var responseInterceptors: [any ResponseInterceptor] = []
        package var attemptInterceptors: [any AttemptInterceptor] = []
        package var routers: [any RequestRouter] = []
        package var signers: [any RequestSigner] = []
        /// Without observers, events cost nothing.
        package var observers: [any Observer] = []
        package var tracings: [any LoadTracing] = []
        package var stateObservers: [any StateObserver] = []
        package var challengeHandlers: [any AuthenticationChallenge.Handler] = []

        /// Time limits: 10 s to connect, 60 s of silence, no total.
        public var timeouts = NetworkRequest.Timeouts(connect: .seconds(10), idle: .seconds(60))
        /// Repetition of failed attempts; none by default.
        public var retry = RetryPolicy.none
        /// The share of retries in the traffic of a host, for all loads together.
        public var retryBudget = RetryPolicy.Budget()
        /// A second request for loads whose response is slow; none by default.
        public var hedging = HedgingPolicy.none
        /// Treatment of redirects; followed by default.
        public var redirects = RedirectPolicy.follow
        /// Limits of loads in flight and of their rate, priorities, and the circuit breaker.
        public var admission = AdmissionPolicy()
        /// Whether equal GET and HEAD requests share one transfer while it is in flight.
        ///
        /// Requests without content are equal if they have the same method, URI, header fields and timeouts, apart from
        /// `total` and the fields that ``coalescing`` ignores. Each load gets the whole response. The transfer ends
        /// early when all its loads are cancelled. Its loads draw on the ``retryBudget`` once for all.
        ///
        /// A load that begins after the end of a request that may have changed its URL, such as a PUT, shares no
        /// transfer with a load from before.
        public var coalesces = false
        /// The header fields in which requests that share a transfer may differ: by default those that identify a
        /// call, such as `traceparent` and `X-Request-ID`.
        public var coalescing = CoalescingPolicy()
        /// Compression of the content of requests without their own policy; none by default.
        public var requestCompression: RequestCompression?
        /// Decoding of compressed responses, and its limits.
        public var contentDecoding = ContentDecoding()

        /// The store of responses, which answers later requests; `nil` stores nothing.
        public var responseCache: ResponseCache?
        /// How loads use the ``responseCache``, if their requests have no policy.
        public var cache = CachePolicy.standard

        /// The cookie store; `nil` neither stores nor sends cookies.
        public var cookies: CookieJar?
        /// Credentials for servers that require authentication, for challenges that no
        /// ``AuthenticationChallenge/Handler`` answers. Without credentials and handlers, none is answered.
        public var credentials: CredentialStore?

        /// Header fields that requests get unless they have one of the same name, such as `User-Agent`. `removeHeader`
        /// on a request keeps a field out of it.
        public var defaultHeaders: HTTPFields = [:]
        /// Other servers to connect to, for tests and staging: requests to the servers of the keys go to those of the
        /// values.
        ///
        /// Keys and values are base URLs; only scheme, host and port count. `Host`, SNI and the check of the
        /// certificate stay those of the key. The scheme also stays: a reroute from one scheme to the other, or two
        /// reroutes of one server, fail every request with ``SwiftyError/Code/invalidSettings`` before it is sent.
        public var reroutes: [TargetURI: TargetURI] = [:]
        /// Whether requests tell the server their priority in a `Priority` field (RFC 9218). Over HTTP/2 the default
        /// transport does so in any case.
        public var sendsPriority = false

        /// The field that tells servers the time that is left for their request, until the earliest of these: the
        /// deadline of `withDeadline`, and the limits of the load and of its attempt. `nil` tells them nothing.
        ///
        /// It is added when the request is sent, after the wait for admission and after signers, unless the request has
        /// such a field. Requests without any limit get none, nor do those that may share a transfer by ``coalesces``.
        public var deadlineField: DeadlineField?
        /// The time that must be left before the caller's deadline for a request to be sent. With less, the load fails
        /// at once with ``SwiftyError/TimeLimit/deadline``, since its response would come too late.
        public var minimumTimeLeft: Duration = .zero

        /// The time that a hook, or a wait for constraints, may take before it is reported, once, to observers and to
        /// the logger; `nil` reports none.
        public var hookPatience: Duration? = .seconds(10)
        /// The time that loads in flight may take to finish when a service group shuts the instance down; see
        /// ``Swifty/shutdown(graceful:)``.
        public var gracePeriod: Duration = .seconds(30)
        /// The queue of the closures of loads without `deliver(on:)`.
        ///
        /// If `nil`, the main queue on Apple's systems, and elsewhere a concurrent queue of the instance: a server's
        /// main queue may never run.
        public var deliveryQueue: DispatchQueue?
        /// The folder that is searched first for mock files.
        public var mockDirectory: String?
        /// The name of the instance, in the metadata of its log lines and in its description; `nil` for none.
        public var name: String?
        /// The logger of loads; `nil` logs none, unless the task or the request has a logger.
        ///
        /// A load is logged when it has ended, at `debug`, or at `warning` if it has failed. On the way, retries and
        /// what takes long are logged. ``logging`` has the levels, and Docs/Observability.md all lines and their
        /// metadata. Secrets are redacted. A handler that blocks delays the loads.
        public var logger: Logger?
        /// The levels of log lines, and whether loads are logged to the logger of their task.
        public var logging = LoggingPolicy()
        /// The clock of time limits, waits and rates. For tests.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// Makes the default configuration.
        public init() {}
    }
}
