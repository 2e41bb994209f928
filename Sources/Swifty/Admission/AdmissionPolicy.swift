// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Limits on the sending of loads: how many simultaneously, how often, and when to leave a failing host alone.
///
///     var policy = AdmissionPolicy()
///     policy.maximumLoadsPerHost = 6
///     policy.rateLimit = AdmissionPolicy.RateLimit(requests: 10, per: .seconds(1))
///     policy.circuitBreaker = AdmissionPolicy.CircuitBreaker()
///
/// A limit that is `nil` does not apply. "Host" means an origin: scheme, host and port. Unless a limit is set or a host
/// is held back, no load waits and none is counted.
///
/// Waiting loads are ordered by ``NetworkRequest/Priority``, highest first, and within a priority by arrival. Low
/// priorities do not starve: a load that was passed over nine times, and has waited more than twice as long as the one
/// it would overtake, goes first. Under saturation it therefore waits at most about ten times as long as a load of high
/// priority. Among hosts with equally urgent loads, the one with the fewest loads in flight goes first, so an
/// unresponsive host does not delay the others while there is room.
public struct AdmissionPolicy: Sendable {
    /// The maximum number of loads in flight, at least 1.
    public var maximumLoads: Int?

    /// The maximum number of loads in flight to one origin, at least 1.
    ///
    /// A load counts until its response is complete, whether or not it shares a connection. The number of connections,
    /// including those that are idle, has a separate limit: `TransportSettings.Connections.maximumPerHost`.
    public var maximumLoadsPerHost: Int?

    /// The maximum rate of requests to one origin.
    public var rateLimit: RateLimit?

    /// Whether to keep the rate limits that servers report. The fields of every response are searched for them.
    ///
    /// Source: draft-ietf-httpapi-ratelimit-headers: the fields `RateLimit-Remaining` and `RateLimit-Reset` of the
    /// early drafts, and the structured field `RateLimit` of the later ones. Requests that a report may not count yet
    /// count as used, and a late report raises nothing. When no requests remain, the origin's loads wait for the reset,
    /// at most for ``hostBackoff`` (60 s if that is `nil`); after a shortened wait they go one at a time.
    public var learnsRateLimits = false

    /// The longest wait of a load. After it the load fails with ``SwiftyError/Code/timedOut`` in the stage `queue`.
    public var queueTimeout: Duration?

    /// The circuit breaker of each origin, which leaves a failing origin alone for a while.
    public var circuitBreaker: CircuitBreaker?

    /// The longest pause that a server can ask for with `Retry-After` on a 429 or a 503 (RFC 9110 §10.2.3).
    ///
    /// The whole origin is held back for the requested time. Afterwards its loads go one at a time until one succeeds.
    /// `nil`, the default, holds back only the load itself, if its ``RetryPolicy`` repeats it: most servers count the
    /// requests of each credential or caller, so a 429 for one says nothing about the others. Set it if all loads to an
    /// origin have the same credential.
    public var hostBackoff: Duration?

    /// Restrictions that depend on the measured quality of the network.
    public var qualityRules: QualityRules?

    /// Makes a policy with no limits.
    public init() {}
}

extension AdmissionPolicy {
    /// Whether loads must be counted even if no host is held back.
    var hasLimits: Bool {
        maximumLoads != nil || maximumLoadsPerHost != nil || rateLimit != nil || circuitBreaker != nil
            || qualityRules != nil
    }

    /// Whether the end of a load to one host can admit a load to another.
    var hasOverallLimit: Bool { maximumLoads != nil || qualityRules != nil }

    /// The longest time that a response can hold its origin back.
    var longestHold: Duration { hostBackoff ?? .seconds(60) }
}
