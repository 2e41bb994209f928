// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The joint retry decision of the loads that shared a transfer.
///
/// To the server, the loads are one request. So they pay for it once, and have the same random share of the backoff:
/// they end their waits together, and their next attempts share a transfer again.
final class SharedRetry: Sendable {
    private struct State {
        var hasDeposited = false
        /// By the wait before the retry, because loads that wait differently send different requests.
        var withdrawals: [Duration: Bool] = [:]
    }

    /// A random number, 0..<1.
    let fraction = Double.random(in: 0..<1)
    private let state = Mutex(State())

    /// Deposits the share of all loads, when the first of them calls.
    func deposit(_ origin: String, into budget: RetryBudget) {
        let isFirst = state.withLock { state in
            defer { state.hasDeposited = true }
            return !state.hasDeposited
        }
        if isFirst { budget.deposit(origin) }
    }

    /// Withdraws the retry of all loads that wait equally, when the first of them calls.
    ///
    /// - Returns: Whether the account had one; the same for all of them.
    func withdraw(_ origin: String, after delay: Duration, from budget: RetryBudget) -> Bool {
        state.withLock { state in
            if let isGranted = state.withdrawals[delay] { return isGranted }
            let isGranted = budget.withdraw(origin)
            state.withdrawals[delay] = isGranted
            return isGranted
        }
    }
}
