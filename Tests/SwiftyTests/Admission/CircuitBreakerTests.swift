// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Swifty

extension AdmissionTests {
    @Suite("A circuit breaker", .timeLimit(.minutes(15)))
    struct CircuitBreakerTests {
        private let policy = AdmissionPolicy.CircuitBreaker(
            failures: 3,
            within: .seconds(10),
            openDuration: .seconds(30),
            probes: 2
        )

        private func failing(_ count: Int, at now: Duration = .zero) -> CircuitBreakerState {
            var breaker = CircuitBreakerState(policy)
            for _ in 0..<count { breaker.record(.failure, generation: breaker.take(now: now), now: now) }
            return breaker
        }

        @Test("opens after enough failures, not before")
        func opens() {
            var breaker = failing(2)
            #expect(!breaker.refuses(now: .zero))
            breaker = failing(3)
            #expect(breaker.refuses(now: .seconds(29)))
            #expect(!breaker.refuses(now: .seconds(30)))
        }

        @Test("forgets failures outside of its window")
        func window() {
            var breaker = failing(2)
            breaker.record(.failure, generation: breaker.generation, now: .seconds(11))
            #expect(breaker.position == .closed)
            #expect(!breaker.isForgettable(now: .seconds(11)))
            #expect(breaker.isForgettable(now: .seconds(22)))
        }

        @Test("stays closed while most loads succeed")
        func rate() {
            var breaker = CircuitBreakerState(policy)
            for _ in 0..<100 { breaker.record(.success, generation: 0, now: .zero) }
            for _ in 0..<50 { breaker.record(.failure, generation: 0, now: .zero) }
            #expect(breaker.position == .closed)
        }

        @Test("lets only probes through when half open, and closes when all succeed")
        func closes() {
            var breaker = failing(3)
            let now = Duration.seconds(30)
            #expect(!breaker.refuses(now: now))
            let first = breaker.take(now: now)
            #expect(!breaker.refuses(now: now))
            let second = breaker.take(now: now)
            #expect(breaker.refuses(now: now))
            breaker.record(.success, generation: first, now: now)
            #expect(breaker.refuses(now: now))
            breaker.record(.success, generation: second, now: now)
            #expect(breaker.position == .closed)
        }

        @Test("opens again when a probe fails, and replaces a cancelled probe by another")
        func reopens() {
            var breaker = failing(3)
            let now = Duration.seconds(30)
            #expect(!breaker.refuses(now: now))
            let generations = [breaker.take(now: now), breaker.take(now: now)]
            breaker.record(.neutral, generation: generations[0], now: now)
            #expect(!breaker.refuses(now: now))
            breaker.record(.failure, generation: generations[1], now: now)
            #expect(breaker.position == .open(until: .seconds(60)))
        }

        @Test("does not count loads that were sent before it opened")
        func generations() {
            var breaker = CircuitBreakerState(policy)
            let early = breaker.take(now: .zero)
            for _ in 0..<3 { breaker.record(.failure, generation: early, now: .zero) }
            #expect(!breaker.refuses(now: .seconds(30)))
            _ = breaker.take(now: .seconds(30))
            breaker.record(.failure, generation: early, now: .seconds(30))
            #expect(breaker.position == .halfOpen(probing: 1, succeeded: 0))
        }
    }
}
