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

    @Test("is used once by the loads of a shared transfer, and once more by those that wait differently")
    func shared() {
        let budget = RetryBudget(RetryPolicy.Budget(share: 1, reserve: 2))
        let first = SharedRetry()
        for _ in 0..<100 { #expect(first.withdraw("a", after: .seconds(1), from: budget)) }
        for _ in 0..<100 { #expect(first.withdraw("a", after: .seconds(2), from: budget)) }
        for _ in 0..<100 { #expect(!first.withdraw("a", after: .seconds(3), from: budget)) }
        let second = SharedRetry()
        for _ in 0..<100 { second.deposit("a", into: budget) }
        #expect(second.withdraw("a", after: .zero, from: budget))
        #expect(!budget.withdraw("a"))
    }
}
