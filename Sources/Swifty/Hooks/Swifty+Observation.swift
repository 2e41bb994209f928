// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Swifty {
    /// An observer of loads, for logs, metrics and traces. It changes nothing.
    ///
    /// The events of one load come in the order of ``Swifty/Event``'s cases, those of an attempt once for each attempt.
    /// The events of different loads are interleaved.
    public protocol Observer: Hook {
        /// Called for each event, on the thread of the event, which must not be blocked.
        func observe(_ event: Event, of load: ObservedLoad)
    }

    /// The load of an event.
    public struct ObservedLoad: Sendable, Identifiable {
        /// Unique among the loads of the process.
        public let id: UInt64
        /// The request before any interceptor.
        public let draft: RequestDraft
        /// The number of the `Swifty` of the load, in the order in which the process has made them, from 1.
        public var instance: Int { LoadNumber.instance(of: id) }
    }

    /// An event of a load. Events come in this order:
    ///
    ///     created
    ///       └─ waiting ── for constraints, unless it may have none
    ///       └─ for each attempt:
    ///            attemptStarted
    ///              intercepted ── the request is frozen
    ///              answered ── if a cache answers the request, which is not sent
    ///              queued ── if the load has to wait for admission
    ///              transfer ── connected, requestSent, responseHead, progress…
    ///              redirected ── then queued and transfer again, for the next request
    ///            attemptEnded ── if the transport got a request; `finished` ends any other attempt
    ///            waiting ── if a constraint replaces a refused credential; then another attempt
    ///            retryScheduled ── if a retry follows
    ///     finished
    public enum Event: Sendable {
        /// `load` was called.
        case created
        /// The load waits for its constraints.
        case waiting
        /// An attempt begins; the first has the number 1.
        case attemptStarted(Int)
        /// The request interceptors have run: this request will be sent.
        case intercepted(NetworkRequest)
        /// A stored response is the answer, without a request: ``LoadMetrics/Source/cache`` or
        /// ``LoadMetrics/Source/staleCache``; the latter also after a request that failed.
        case answered(from: LoadMetrics.Source)
        /// The request goes to this server in place of that of its URL, because of
        /// ``Swifty/Configuration/reroutes`` or a ``RequestRouter``.
        case rerouted(to: HostAndPort)
        /// The load waits until it may be sent.
        case queued
        /// The transport reports progress.
        case transfer(TransferEvent)
        /// The response is a redirect that will be followed.
        case redirected(LoadMetrics.Redirect)
        /// The attempt has ended, and is the last one in ``LoadMetrics/attempts``. An attempt of which the transport
        /// got no request has no such event: it ends with the load, or with the next attempt.
        case attemptEnded(LoadMetrics.Attempt)
        /// A hook of this name has not returned within ``Swifty/Configuration/hookPatience``. Reported at most once for
        /// each run, between any of the other events.
        case hookIsSlow(name: String)
        /// The load has waited for its constraints, which have these names, for
        /// ``Swifty/Configuration/hookPatience``. Reported at most once for each wait.
        case waitIsLong(for: [String])
        /// Another attempt follows after a wait.
        case retryScheduled(after: Duration)
        /// The outcome is known and will be delivered.
        case finished(NetworkResponse)
    }

    /// Counts of the loads of one `Swifty` since it was made.
    public struct Statistics: Sendable, Hashable {
        /// Loads in flight.
        public var inFlight = 0
        /// Loads that were started.
        public var started = 0
        /// Loads that succeeded.
        public var succeeded = 0
        /// Loads that failed, other than by cancellation.
        public var failed = 0
        /// Loads that were cancelled or ended by a shutdown.
        public var cancelled = 0
        /// Hooks that are still running although their loads have ended: interceptors, `decide` closures, challenge
        /// handlers, files that are opened.
        public var hooksLeftBehind = 0
        /// Attempts over the network.
        public var attempts = 0
        /// Attempts beyond the first of their loads.
        public var retries = 0

        /// Makes empty statistics.
        public init() {}
    }
}
