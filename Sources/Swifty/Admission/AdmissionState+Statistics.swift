// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension AdmissionState {
    /// What can be told of this moment.
    func statistics(now: Duration) -> Swifty.AdmissionStatistics {
        var statistics = Swifty.AdmissionStatistics()
        statistics.inFlight = running.count
        statistics.waiting = waiters.count
        statistics.isPaused = isPaused
        statistics.hosts = hosts.mapValues { host in
            var entry = Swifty.AdmissionStatistics.Host()
            entry.inFlight = host.inFlight
            entry.waiting = host.waiting.count
            entry.heldFor = max(host.heldUntil(now: now) - now, .zero)
            if case .open(let end) = host.breaker?.position { entry.isCircuitOpen = end > now }
            return entry
        }
        return statistics
    }
}
