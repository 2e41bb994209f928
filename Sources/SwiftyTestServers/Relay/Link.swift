// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The conditions of a network path, which a test changes while connections use it.
final class Link: Sendable {
    /// The way in which all connections end.
    enum Fault: Sendable {
        case close
        case reset
    }

    /// From the client to the server.
    let outward = Conditions()
    /// From the server to the client.
    let inward = Conditions()
    private let state = Mutex<Fault?>(nil)

    /// The fault that ends the connection; `nil` without one.
    var fault: Fault? {
        get { state.withLock { $0 } ?? (outward.fault ?? inward.fault) }
        set { state.withLock { $0 = newValue } }
    }
}

extension Link {
    /// The conditions of one direction of one connection.
    final class Conditions: Sendable {
        private struct State {
            var path = FaultyProxy.Path()
            var carried = 0
            /// The earliest time at which the next bytes may pass.
            var free = ContinuousClock.now
        }

        private let state = Mutex(State())

        func apply(_ path: FaultyProxy.Path) {
            state.withLock { $0.path = path }
        }

        var latency: Duration { state.withLock { $0.path.latency } }

        /// The number of bytes that have passed.
        var carried: Int { state.withLock { $0.carried } }

        /// The fault that the number of bytes has caused; `nil` before.
        var fault: Fault? {
            state.withLock { state in
                guard let limit = state.path.fault, state.carried >= limit.bytes else { return nil }
                return limit.resets ? .reset : .close
            }
        }

        /// The number of the available bytes that may pass now.
        func allowance(_ available: Int) -> Int {
            state.withLock { state in
                if state.path.isStalled || available == 0 || ContinuousClock.now < state.free { return 0 }
                var count = available
                if let rate = state.path.bytesPerSecond { count = min(count, max(1, rate / 20)) }
                if let limit = state.path.fault { count = min(count, limit.bytes - state.carried) }
                return max(0, count)
            }
        }

        /// Counts bytes that have passed.
        func take(_ count: Int) {
            state.withLock { state in
                state.carried += count
                let time = state.path.bytesPerSecond.map { Duration.seconds(Double(count) / Double(max(1, $0))) }
                state.free = max(state.free, ContinuousClock.now) + (time ?? .zero)
            }
        }
    }
}
