// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Swifty

@Suite("A retry budget", .timeLimit(.minutes(15)))
struct RetryBudgetTests {
    @Test("allows its reserve, then a share of the traffic, for each host separately")
    func share() {
        let budget = RetryBudget(RetryPolicy.Budget(share: 0.2, reserve: 10))
        for _ in 0..<10 { #expect(budget.withdraw("a")) }
        #expect(!budget.withdraw("a"))
        #expect(budget.withdraw("b"))
        var retries = 0
        for _ in 0..<1000 {
            budget.deposit("a")
            if budget.withdraw("a") { retries += 1 }
        }
        #expect((195...200).contains(retries))
    }
}
