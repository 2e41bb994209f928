// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CPace
import Synchronization

/// Counts the loads of an open loop that are under way, and keeps the results of those that have ended.
final class LoadTally: Sendable {
    /// When the first load starts, on the clock of `pace_now`.
    let start: Int64
    private let state: Mutex<State>
    private let continuation: CheckedContinuation<Measurement, Never>

    private struct State: Sendable {
        var measurement = Measurement()
        /// The loads under way, and one for the thread that starts them.
        var underWay = 1
    }

    /// - Parameters:
    ///   - count: The number of loads that there is room for.
    ///   - continuation: Resumes with the results of all loads.
    init(count: Int, whenAllHaveEnded continuation: CheckedContinuation<Measurement, Never>) {
        var state = State()
        state.measurement.latency.reserve(count)
        self.state = Mutex(state)
        self.continuation = continuation
        start = pace_now()
    }

    /// Counts a load that starts. Returns `false`, and records the failure, if too many are under way.
    func begin() -> Bool {
        state.withLock { state in
            let most = LoadTask.mostUnderWay
            guard state.underWay <= most else {
                state.measurement.stop("stopped: \(most) loads were under way, the rate is too high")
                return false
            }
            state.underWay += 1
            return true
        }
    }

    /// Counts a load that has ended.
    func end(_ outcome: Result<Int, any Error>, nanoseconds: Int64) {
        state.withLock { $0.measurement.record(outcome, nanoseconds: nanoseconds) }
        leave()
    }

    /// No more loads start.
    func endStarting() {
        leave()
    }

    /// The last one tells the results.
    private func leave() {
        let results: Measurement? = state.withLock { state in
            state.underWay -= 1
            return state.underWay == 0 ? state.measurement : nil
        }
        guard var whole = results else { return }
        whole.elapsed = .nanoseconds(pace_now() - start)
        continuation.resume(returning: whole)
    }
}
