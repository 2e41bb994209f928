// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension RetryPolicy {
    /// The share of retries in the traffic of a host, for all loads of a `Swifty`.
    ///
    /// It keeps retries from multiplying the traffic of a failing host. Each load whose policy allows retries deposits
    /// a share of a retry into its host's account, and each retry withdraws a whole one. An account starts with a
    /// reserve, so that a host with little traffic can also have retries.
    public struct Budget: Sendable, Hashable {
        /// The traffic that retries may add, 0.2 for 20 %.
        public var share: Double
        /// The retries that a host can have from the start, which is also the maximum that an account saves.
        public var reserve: Double

        /// Makes a budget: by default 20 %, and a reserve of ten.
        public init(share: Double = 0.2, reserve: Double = 10) {
            self.share = share
            self.reserve = reserve
        }
    }
}

/// The retry accounts of all hosts.
final class RetryBudget: Sendable {
    private let policy: RetryPolicy.Budget
    private let accounts = Mutex<[String: Double]>([:])
    /// The maximum number of accounts. Beyond it, all start again with their reserve.
    private static let maximumAccounts = 10_000

    init(_ policy: RetryPolicy.Budget) {
        self.policy = policy
    }

    /// Deposits a load's share, after its first attempt.
    func deposit(_ origin: String) {
        accounts.withLock { accounts in
            if accounts.count >= Self.maximumAccounts, accounts[origin] == nil { accounts.removeAll() }
            accounts[origin] = min(accounts[origin, default: policy.reserve] + policy.share, policy.reserve)
        }
    }

    /// Withdraws a retry.
    ///
    /// - Returns: Whether the account had one; otherwise the load may not make another attempt.
    func withdraw(_ origin: String) -> Bool {
        accounts.withLock { accounts in
            let balance = accounts[origin, default: policy.reserve]
            guard balance >= 1 else { return false }
            accounts[origin] = balance - 1
            return true
        }
    }
}
