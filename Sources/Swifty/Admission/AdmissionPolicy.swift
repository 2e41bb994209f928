// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Decides when a load may be sent: how many at once, how often, and what happens to a host that is in trouble.
///
///     var policy = AdmissionPolicy()
///     policy.maximumLoadsPerHost = 6
///     policy.rateLimit = AdmissionPolicy.RateLimit(requests: 10, per: .seconds(1))
///     policy.circuitBreaker = AdmissionPolicy.CircuitBreaker()
///
/// A limit that is `nil` does not exist. "Host" means origin: scheme, host and port. Unless a limit is set or a host has
/// asked for a pause, nothing waits and nothing is counted.
///
/// Loads that wait are ordered by their ``NetworkRequest/Priority``: a higher one first, and those of the same priority in the order in
/// which they came. So that a low one is not starved, a load goes first that has been passed over
/// nine times and has waited more than twice as long as the one it overtakes; under saturation it therefore waits about
/// ten times as long as a high one at most. Among hosts with equally urgent loads the one with the fewest in flight goes
/// first, so a host that does not answer keeps no others waiting while there is a place left.
public struct AdmissionPolicy: Sendable {
    /// How many loads may be in flight at once, at least 1.
    public var maximumLoads: Int?

    /// How many loads may be in flight at once to one origin, at least 1.
    public var maximumLoadsPerHost: Int?

    /// How often one origin may be asked.
    public var rateLimit: RateLimit?

    /// Whether what a server says about its rate limit is kept to. Every response's fields are looked at for it.
    ///
    /// Source: draft-ietf-httpapi-ratelimit-headers: the fields `RateLimit-Remaining` and `RateLimit-Reset` of the early
    /// drafts, and the structured field `RateLimit` of the later ones. When nothing remains, the origin's loads wait for
    /// the reset, but no longer than ``hostBackoff`` (60 s if that is off); then one at a time is tried.
    public var learnsRateLimits = false

    /// How long a load may wait for a place. Then it fails with ``SwiftyError/Code/timedOut`` in the stage `queue`.
    public var queueTimeout: Duration?

    /// When an origin that keeps failing is left alone.
    public var circuitBreaker: CircuitBreaker?

    /// The longest pause that a server can ask for with `Retry-After` on a 429 or a 503 (RFC 9110 §10.2.3).
    ///
    /// The whole origin is held back for the time that it asked for, and afterwards its loads go one at a time until one
    /// of them succeeds. `nil` turns that off.
    public var hostBackoff: Duration? = .seconds(60)

    /// What changes with the measured quality of the network.
    public var networkQuality: QualityRules?

    /// Makes a policy that limits nothing and listens to what servers ask for.
    public init() {}
}

extension AdmissionPolicy {
    /// Whether loads need to be counted even if no host is held back.
    var hasLimits: Bool {
        maximumLoads != nil || maximumLoadsPerHost != nil || rateLimit != nil || circuitBreaker != nil
            || networkQuality != nil
    }

    /// Whether a place that becomes free at one host may be given to another.
    var hasOverallLimit: Bool { maximumLoads != nil || networkQuality != nil }

    /// The longest time that a server's word holds its origin back.
    var longestHold: Duration { hostBackoff ?? .seconds(60) }
}
