// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The attempts of a load that have reached no server: error in, wait out.
struct ReachabilityWait {
    /// The waits between two attempts: not so short that they load the system, nor so long that a network that returns
    /// is noticed much later.
    static let delays = Duration.milliseconds(100)...Duration.seconds(5)

    /// The time of the first failure in a row; `nil` if a server was reached since.
    private var start: Duration?
    private var failures = 0
    private var isUncounted = false

    /// The wait before the next attempt, which does not count; `nil` if it counts.
    ///
    /// - Parameters:
    ///   - error: The error of the attempt; `nil` if it has a response.
    ///   - now: The time.
    ///   - limit: The time since the first failure in which attempts do not count.
    ///   - backoff: The wait before a retry with a number, 1 for the first.
    mutating func delay(
        after error: SwiftyError?,
        now: Duration,
        limit: Duration,
        backoff: (Int) -> Duration
    ) -> Duration? {
        guard let error, error.hasReachedNoServer else {
            (start, failures) = (nil, 0)
            return nil
        }
        let start = start ?? now
        self.start = start
        failures &+= 1
        let delay = min(max(backoff(failures), Self.delays.lowerBound), Self.delays.upperBound)
        guard now - start + delay <= limit else { return nil }
        isUncounted = true
        return delay
    }

    /// Whether the attempt that begins now does not count; asked once for each.
    mutating func takeUncounted() -> Bool {
        defer { isUncounted = false }
        return isUncounted
    }
}

extension SwiftyError {
    /// Whether the request was not sent because there was no connection to a server.
    fileprivate var hasReachedNoServer: Bool {
        sent == .notSent && [.nameResolutionFailed, .connectionFailed].contains(code)
    }
}
