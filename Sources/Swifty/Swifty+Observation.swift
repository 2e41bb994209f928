// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Swifty {
    /// Sees what happens to the loads of a `Swifty`, and changes nothing: the one seam for logs, metrics and traces.
    ///
    /// The events of one load come in the order of ``Swifty/Event``'s cases, those of an attempt once for each attempt; the events of
    /// different loads are mixed. Called on whatever thread the event happens on, which must not be blocked.
    public protocol Observer: Sendable {
        /// Something happened to a load.
        func observe(_ event: Event, of load: ObservedLoad)
    }
}

extension Swifty {
    /// The load that an event is about.
    public struct ObservedLoad: Sendable, Identifiable {
        /// Unique among the loads of one `Swifty`.
        public let id: UInt64
        /// What was asked for, before any interceptor.
        public let draft: RequestDraft

        init(id: UInt64, draft: RequestDraft) {
            self.id = id
            self.draft = draft
        }
    }
}

extension Swifty {
    /// What happens to a load, in the order in which it happens.
    ///
    ///     created
    ///       └─ waiting ── for constraints, if it may have any
    ///       └─ for each attempt:
    ///            attemptStarted
    ///              intercepted ── the request is frozen
    ///              queued ── if it has to wait for admission
    ///              transfer ── connected, requestSent, responseHead, progress…
    ///              redirected ── then queued and transfer again, for the next request
    ///            attemptEnded
    ///            retryScheduled ── if another follows
    ///     finished
    public enum Event: Sendable {
        /// `load` was called.
        case created
        /// The load waits for its constraints.
        case waiting
        /// An attempt begins; the first has the number 1.
        case attemptStarted(Int)
        /// Request interceptors are done: this is what will be sent.
        case intercepted(NetworkRequest)
        /// The load waits until it may be sent.
        case queued
        /// The transport reports progress.
        case transfer(TransferEvent)
        /// The answer is a redirect, which will be followed.
        case redirected(LoadMetrics.Redirect)
        /// The attempt is over.
        case attemptEnded(LoadMetrics.Attempt)
        /// A hook of this name has not returned within ``Swifty/Configuration/hookPatience``. Told once for each time that it runs, between
        /// any of the other events.
        case hookTakesLong(name: String)
        /// Another attempt follows after a wait.
        case retryScheduled(after: Duration)
        /// The outcome is known and will be delivered.
        case finished(NetworkResponse)
    }
}

extension Swifty {
    /// What the loads of one `Swifty` have come to, since it was made.
    public struct Statistics: Sendable, Hashable {
        /// Loads that are not over.
        public var inFlight = 0
        /// Loads that were started.
        public var started = 0
        /// Loads that succeeded.
        public var succeeded = 0
        /// Loads that failed, other than by cancellation.
        public var failed = 0
        /// Loads that were cancelled or ended by a shutdown.
        public var cancelled = 0
        /// Hooks that go on although their loads have ended: interceptors, `decide` closures, challenge handlers, readers of content.
        public var hooksLeftBehind = 0
        /// Attempts that were made over the network.
        public var attempts = 0
        /// Attempts beyond the first of their loads.
        public var retries = 0

        /// Makes empty statistics.
        public init() {}
    }
}
