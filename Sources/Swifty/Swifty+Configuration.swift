// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Logging
public import WebServiceDSL

extension Swifty {
    /// What a `Swifty` does unless a request says otherwise, over every transport. What is a transport's own matter, such as
    /// TLS and proxies, is in ``SwiftyTransport/TransportSettings``.
    public struct Configuration: Sendable {
        /// The time limits of requests that have none of their own: 10 s to connect, 60 s of silence, no total.
        public var timeouts: NetworkRequest.Timeouts

        /// Whether failed attempts are repeated, for requests that do not say; they are not, unless set.
        public var retry: RetryPolicy

        /// Whether redirects are followed, for requests that do not say; they are, unless set.
        public var redirects: RedirectPolicy

        /// How many retries all loads together may add to the traffic of a host.
        public var retryBudget: RetryPolicy.Budget

        /// When a load may be sent: how many at once, how often, and what happens to a host in trouble.
        public var admission: AdmissionPolicy

        /// Whether equal GET and HEAD requests that are under way at the same time share one transfer; see
        /// ``CoalescingTransport``.
        public var coalesces: Bool

        /// Whether and how far compressed responses are decoded.
        public var contentDecoding: ContentDecoding

        /// Keeps cookies and sends them; nobody does if `nil`.
        public var cookies: CookieJar?

        /// Who to be where a server asks; nobody unless set.
        public var credentials: CredentialStore?

        /// What says how challenges are answered, before ``credentials`` are looked at; nobody unless set.
        public var authenticationHandler: (any AuthenticationChallenge.Handler)?

        /// Header fields of requests that have none of the same name: `User-Agent`, say. `removeHeader` on a request keeps
        /// one away from it.
        public var defaultHeaders: HTTPFields

        /// Where to connect instead, for tests and staging: the servers of the keys are reached at the addresses of the values.
        ///
        /// Keys and values are base URLs; only scheme, host and port count. `Host`, SNI and the check of the certificate
        /// stay those of the key. The scheme stays, too: a detour from one scheme to the other, or two detours of one
        /// server, fail every request with ``SwiftyError/Code/invalidSettings`` before it is sent.
        public var reroutes: [TargetURI: TargetURI]

        /// Whether requests tell the server their priority in a `Priority` field (RFC 9218).
        public var sendsPriority: Bool

        /// What sees every load; nobody unless set, which costs nothing.
        public var observers: [any Observer]

        /// How long a hook may take before it is reported, once, to observers and to the logger; `nil` reports none.
        public var hookPatience: Duration?

        /// The clock of time limits, waits and rates. For tests.
        public var clock: any Clock<Duration>

        /// The queue on which closures are called that name none.
        ///
        /// If `nil`, the main queue on Apple's systems, and elsewhere a concurrent queue of the instance: a server's main
        /// queue may never run.
        public var deliveryQueue: DispatchQueue?

        /// The folder in which mock files are looked for first.
        public var mockDirectory: String?

        /// Where loads are logged, at `debug` and below; nowhere if `nil`. Secrets are redacted.
        public var logger: Logger?

        /// Makes a configuration.
        public init(
            timeouts: NetworkRequest.Timeouts = NetworkRequest.Timeouts(connect: .seconds(10), idle: .seconds(60)),
            retry: RetryPolicy = .none,
            redirects: RedirectPolicy = .follow,
            retryBudget: RetryPolicy.Budget = RetryPolicy.Budget(),
            admission: AdmissionPolicy = AdmissionPolicy(),
            coalesces: Bool = false,
            contentDecoding: ContentDecoding = ContentDecoding(),
            cookies: CookieJar? = nil,
            credentials: CredentialStore? = nil,
            authenticationHandler: (any AuthenticationChallenge.Handler)? = nil,
            defaultHeaders: HTTPFields = [:],
            reroutes: [TargetURI: TargetURI] = [:],
            sendsPriority: Bool = false,
            observers: [any Observer] = [],
            hookPatience: Duration? = .seconds(10),
            clock: any Clock<Duration> = ContinuousClock(),
            deliveryQueue: DispatchQueue? = nil,
            mockDirectory: String? = nil,
            logger: Logger? = nil
        ) {
            self.timeouts = timeouts
            self.retry = retry
            self.redirects = redirects
            self.retryBudget = retryBudget
            self.admission = admission
            self.coalesces = coalesces
            self.contentDecoding = contentDecoding
            self.cookies = cookies
            self.credentials = credentials
            self.authenticationHandler = authenticationHandler
            self.defaultHeaders = defaultHeaders
            self.reroutes = reroutes
            self.sendsPriority = sendsPriority
            self.observers = observers
            self.hookPatience = hookPatience
            self.clock = clock
            self.deliveryQueue = deliveryQueue
            self.mockDirectory = mockDirectory
            self.logger = logger
        }
    }
}

extension Swifty.Configuration {
    /// Fills in what the request leaves open.
    func complete(_ request: inout NetworkRequest) {
        for field in defaultHeaders where request.leavesOpen(field.name) { request.add(field) }
        contentDecoding.announce(in: &request)
        if sendsPriority, let priority = request.priority.fieldValue, request.leavesOpen(.priority) {
            request.headers[.priority] = priority
        }
    }
}

extension HTTPField.Name {
    /// `Priority` (RFC 9218).
    fileprivate static let priority = HTTPField.Name("Priority") ?? .accept
}
