// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension RetryPolicy {
    /// How many retries the loads of a `Swifty` may add to the traffic of a host.
    ///
    /// A host that fails is not helped by three times the traffic. Each load deposits a share of a retry into its host's account,
    /// each retry takes a whole one; an account starts with a reserve, so that little traffic can be retried too.
    public struct Budget: Sendable, Hashable {
        /// The share of extra traffic that retries may make, 0.2 for 20 %.
        public var share: Double
        /// How many retries a host can have before it has had any traffic to speak of; also the most that is saved up.
        public var reserve: Double

        /// Makes a policy: 20 %, and a reserve of ten.
        public init(share: Double = 0.2, reserve: Double = 10) {
            self.share = share
            self.reserve = reserve
        }
    }
}

/// The accounts of all hosts.
final class RetryBudget: Sendable {
    private let policy: RetryPolicy.Budget
    private let accounts = Mutex<[String: Double]>([:])
    /// Accounts are kept for so many origins; beyond it all start again with their reserve.
    private static let maximumAccounts = 10_000

    init(_ policy: RetryPolicy.Budget) {
        self.policy = policy
    }

    /// A load is about to make its first attempt.
    func deposit(_ origin: String) {
        accounts.withLock { accounts in
            if accounts.count >= Self.maximumAccounts, accounts[origin] == nil { accounts.removeAll() }
            accounts[origin] = min(accounts[origin, default: policy.reserve] + policy.share, policy.reserve)
        }
    }

    /// A load wants to make another attempt. Returns whether it may.
    func withdraw(_ origin: String) -> Bool {
        accounts.withLock { accounts in
            let balance = accounts[origin, default: policy.reserve]
            guard balance >= 1 else { return false }
            accounts[origin] = balance - 1
            return true
        }
    }
}
