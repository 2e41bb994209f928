// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Swifty

extension AdmissionTests {
    @Suite("The state of admission", .timeLimit(.minutes(15)))
    struct StateTests {
        func policy(_ change: (inout AdmissionPolicy) -> Void) -> AdmissionPolicy {
            var policy = AdmissionPolicy()
            change(&policy)
            return policy
        }

        @Test("sends at the rate of its limit, per host")
        func rate() {
            var driver = AdmissionDriver(
                policy { $0.rateLimit = AdmissionPolicy.RateLimit(requests: 10, per: .seconds(1), burst: 2) }
            )
            for _ in 0..<5 { driver.arrive("a") }
            driver.arrive("b")
            driver.advance(.seconds(1))
            #expect(driver.sent.map(\.waited) == [0, 0, 0, 100, 200, 300].map { .milliseconds($0) })
        }

        @Test(
            "holds a host back when a 503 or a 429 demands it, then sends one load at a time until one succeeds",
            arguments: [503, 429]
        )
        func backoff(status: Int) {
            var driver = AdmissionDriver(policy { $0.hostBackoff = .seconds(60) })
            driver.finish(driver.arrive(), status: status, ["Retry-After": "5"])
            let loads = (0..<5).map { _ in driver.arrive() }
            let other = driver.arrive("b")
            #expect(driver.running[other] != nil)
            driver.advance(.milliseconds(4999))
            #expect(driver.waiting.count == 5)
            driver.advance(.milliseconds(1))
            #expect(driver.running[loads[0]] != nil)
            #expect(driver.waiting.count == 4)
            driver.finish(loads[0], status: 500)
            #expect(driver.waiting.count == 3)
            driver.finish(loads[1])
            #expect(driver.waiting.isEmpty)
            for number in driver.running.keys { driver.finish(number) }
            #expect(driver.state.hosts.isEmpty)
            #expect(driver.state.isIdle)
        }

        @Test(
            "holds a host back for no longer than the policy allows",
            arguments: ["1000000000", "Thu, 01 Jan 2099 00:00:00 GMT"]
        )
        func backoffCap(value: String) {
            var driver = AdmissionDriver(policy { $0.hostBackoff = .seconds(10) })
            driver.finish(driver.arrive(), status: 503, ["Retry-After": value])
            let load = driver.arrive()
            driver.advance(.seconds(10))
            #expect(driver.running[load] != nil)
        }

        @Test("ignores a Retry-After that is malformed, on another status, or switched off")
        func noBackoff() {
            for (status, value) in [(503, "soon"), (503, "-5"), (200, "5"), (404, "5")] {
                var driver = AdmissionDriver(policy { $0.hostBackoff = .seconds(60) })
                driver.finish(driver.arrive(), status: status, ["Retry-After": value])
                #expect(driver.state.isIdle)
            }
            var driver = AdmissionDriver(AdmissionPolicy())
            driver.finish(driver.arrive(), status: 503, ["Retry-After": "5"])
            #expect(driver.state.isIdle, "off by default")
        }

        @Test("keeps the rate limit that a server reports")
        func learning() {
            var policy = AdmissionPolicy()
            policy.learnsRateLimits = true
            var driver = AdmissionDriver(policy)
            driver.finish(driver.arrive(), status: 200, ["RateLimit": "\"a\";r=2;t=30"])
            for _ in 0..<5 { driver.arrive() }
            #expect(driver.running.count == 2)
            driver.advance(.seconds(30))
            #expect(driver.running.count == 5)
        }

        @Test("sends nothing to a host that keeps failing, and fails the loads that wait for it")
        func breaker() {
            var driver = AdmissionDriver(
                policy {
                    $0.circuitBreaker = AdmissionPolicy.CircuitBreaker(failures: 2)
                    $0.maximumLoadsPerHost = 2
                }
            )
            let loads = (0..<5).map { _ in driver.arrive() }
            for number in loads[..<2] { driver.finish(number, .failed(SwiftyError(.timedOut, stage: .firstByte))) }
            let late = driver.arrive()
            let refused = driver.errors[late]
            #expect(refused?.code == .circuitOpen)
            #expect(refused?.stage == .queue)
            #expect(refused?.sent == .notSent)
            #expect(driver.errors.count == driver.waiting.count + 3 || driver.running.count == 1)
            let other = driver.arrive("b")
            #expect(driver.running[other] != nil)
            for number in driver.running.keys { driver.finish(number) }
            driver.advance(.seconds(30))
            let probe = driver.arrive()
            #expect(driver.running[probe] != nil)
            let second = driver.arrive()
            #expect(driver.errors[second]?.code == .circuitOpen)
            driver.finish(probe)
            let third = driver.arrive()
            #expect(driver.running[third] != nil)
        }

        @Test("holds less urgent loads back on a bad network, but not forever")
        func quality() {
            var driver = AdmissionDriver(policy { $0.qualityRules = .adaptive })
            driver.overrideQuality(.poor)
            let first = driver.arrive("a", .high)
            let low = driver.arrive("a", .low)
            let normal = driver.arrive("b", .normal)
            let third = driver.arrive("c", .veryHigh)
            #expect(Set(driver.running.keys) == [first, normal])
            driver.finish(first)
            #expect(Set(driver.running.keys) == [normal, third])
            driver.finish(third)
            #expect(driver.running[low] == nil)
            driver.finish(normal)
            #expect(driver.running[low] != nil)
            let others = (0..<10).map { _ in driver.arrive("d", .veryLow) }
            #expect(driver.waiting.count == 10)
            driver.overrideQuality(.excellent)
            #expect(others.allSatisfy { driver.running[$0] != nil })
        }

        @Test("removes hosts whose state no longer matters")
        func memory() {
            var driver = AdmissionDriver(
                policy {
                    $0.maximumLoadsPerHost = 2
                    $0.rateLimit = AdmissionPolicy.RateLimit(requests: 10, per: .seconds(1))
                    $0.circuitBreaker = AdmissionPolicy.CircuitBreaker()
                }
            )
            for index in 0..<1000 { driver.finish(driver.arrive("host\(index)")) }
            driver.advance(.seconds(60))
            driver.finish(driver.arrive("last"))
            #expect(driver.state.hosts.count <= 1)
        }

        @Test("releases an admission only once")
        func releaseTwice() throws {
            var driver = AdmissionDriver(policy { $0.maximumLoads = 1 })
            let number = driver.arrive()
            let admission = try #require(driver.running[number]?.admission)
            driver.arrive()
            driver.arrive()
            driver.finish(number)
            var state = driver.state
            state.release(admission, AdmissionFeedback(.notSent, state.policy) { Date() }, now: .zero)
            #expect(state.running.count == 1)
            #expect(state.decisions.isEmpty)
        }
    }
}
