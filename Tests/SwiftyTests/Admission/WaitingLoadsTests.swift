// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Swifty

extension AdmissionTests {
    @Suite("Waiting loads", .timeLimit(.minutes(15)))
    struct WaitingLoadsTests {
        private func drain(_ loads: inout WaitingLoads, now: Duration = .zero) -> [Int] {
            var order: [Int] = []
            while let next = loads.next(from: .veryLow, now: now) {
                loads.take(next.number)
                order.append(next.number)
            }
            return order
        }

        @Test("go by priority, and within a priority by arrival")
        func order() {
            var loads = WaitingLoads()
            let priorities = (0..<200).map { _ in NetworkRequest.Priority.allCases.randomElement() ?? .normal }
            for (number, priority) in priorities.enumerated() { loads.append(number, priority, since: .zero) }
            let expected = NetworkRequest.Priority.allCases.reversed().flatMap { priority in
                priorities.indices.filter { priorities[$0] == priority }
            }
            #expect(drain(&loads, now: .seconds(5)) == expected)
            #expect(loads.isEmpty)
        }

        @Test("go to the end of another line when their priority changes")
        func move() {
            var loads = WaitingLoads()
            for number in 1...4 { loads.append(number, .normal, since: .zero) }
            loads.append(5, .high, since: .zero)
            loads.move(3, to: .high)
            loads.move(1, to: .low)
            loads.move(9, to: .low)
            #expect(drain(&loads) == [5, 3, 2, 4, 1])
        }

        @Test("do not get their old place back when their priority does")
        func moveBack() {
            var loads = WaitingLoads()
            for number in 1...3 { loads.append(number, .low, since: .zero) }
            loads.move(1, to: .high)
            loads.move(1, to: .low)
            #expect(loads.count == 3)
            #expect(drain(&loads) == [2, 3, 1])
        }

        @Test("that leave are skipped, and their gaps are removed")
        func remove() {
            var loads = WaitingLoads()
            for number in 0..<10_000 {
                loads.append(number, .normal, since: .zero)
                if number % 100 != 0 { loads.remove(number) }
            }
            #expect(loads.count == 100)
            #expect(drain(&loads) == (0..<100).map { $0 * 100 })
        }

        @Test("below the least priority are not considered")
        func minimum() {
            var loads = WaitingLoads()
            loads.append(1, .low, since: .zero)
            #expect(loads.next(from: .normal, now: .zero) == nil)
            #expect(loads.next(from: .low, now: .zero)?.number == 1)
        }

        @Test("of low priority overtake a steady stream of high ones after about nine turns")
        func ageing() {
            var loads = WaitingLoads()
            loads.append(0, .low, since: .zero)
            var now = Duration.zero
            var turns = 0
            for number in 1..<100 {
                loads.append(number, .high, since: now)
                now += .milliseconds(10)
                let next = loads.next(from: .veryLow, now: now)
                loads.take(next?.number ?? -1)
                turns += 1
                if next?.number == 0 { break }
            }
            #expect(turns == AgeingRule.patience + 1)
        }
    }
}
