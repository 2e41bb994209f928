// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A second request for the same, if the first one is slow: the first response counts, and the other transfer ends.
///
///     let swifty = Swifty { $0.hedging = HedgingPolicy(after: .milliseconds(300)) }
///     server.get("price").hedging(HedgingPolicy(after: .milliseconds(50)))
///
/// It shortens the slowest loads of a service whose servers are slow now and then, such as one instance of several. Set
/// the delay to a time in which most responses arrive, or every request is sent twice.
///
/// Only a request that may be repeated at any time is hedged: its method is idempotent, or it has an `Idempotency-Key`,
/// and its content is in memory. Each further request is withdrawn from the retry budget of the host, and is admitted
/// like any other; the wait for admission counts for the limit of the attempt. Streams and downloads are not hedged.
public struct HedgingPolicy: Sendable, Hashable {
    /// The time after which another request is sent, from the admission of the one before.
    public var delay: Duration
    /// The maximum number of requests that are in flight for one attempt, the first one included.
    public var maximumRequests: Int

    /// Makes a policy.
    public init(after delay: Duration, maximumRequests: Int = 2) {
        self.delay = delay
        self.maximumRequests = maximumRequests
    }

    /// One request, however slow it is.
    public static let none = HedgingPolicy(after: .zero, maximumRequests: 1)
}
