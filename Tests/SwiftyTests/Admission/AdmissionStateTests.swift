// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

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

        @Test("keeps its invariants through random events", arguments: 0..<30)
        func property(seed: Int) {
            var simulation = AdmissionSimulation(
                policy {
                    $0.maximumLoads = seed % 3 == 0 ? nil : 6
                    $0.maximumLoadsPerHost = seed % 2 == 0 ? nil : 2
                    $0.rateLimit =
                        seed % 5 == 0 ? AdmissionPolicy.RateLimit(requests: 20, per: .seconds(1), burst: 5) : nil
                    $0.queueTimeout = seed % 4 == 0 ? .milliseconds(700) : nil
                    $0.circuitBreaker = seed % 7 == 0 ? AdmissionPolicy.CircuitBreaker(openDuration: .seconds(1)) : nil
                    $0.qualityRules = seed % 6 == 0 ? .adaptive : nil
                }
            )
            var arrived = 0
            var cancelled = 0
            for _ in 0..<400 {
                switch Int.random(in: 0..<20) {
                case 0..<8:
                    let limit: Duration? = Bool.random() ? nil : .milliseconds(Int.random(in: 0...900))
                    simulation.arrive(
                        "host\(Int.random(in: 0..<4))",
                        NetworkRequest.Priority.allCases.randomElement() ?? .low,
                        timeLimit: limit
                    )
                    arrived += 1
                case 8..<13: finishSomething(&simulation)
                case 13..<15:
                    guard let number = simulation.waiting.keys.randomElement() else { break }
                    simulation.cancel(number)
                    cancelled += 1
                case 15: simulation.setPriority(.veryHigh, of: simulation.waiting.keys.randomElement() ?? 0)
                case 16: simulation.setPaused(Bool.random())
                case 17: simulation.overrideQuality(AdmissionPolicy.NetworkQuality.allCases.randomElement())
                default: simulation.advance(.milliseconds(Int.random(in: 0...300)))
                }
            }
            simulation.setPaused(false)
            for _ in 0..<10_000 where !simulation.running.isEmpty || !simulation.waiting.isEmpty {
                for number in simulation.running.keys { simulation.finish(number) }
                simulation.advance(.seconds(1))
            }
            #expect(simulation.waiting.isEmpty)
            #expect(simulation.sent.count + simulation.errors.count + cancelled == arrived)
        }

        private func finishSomething(_ simulation: inout AdmissionSimulation) {
            guard let number = simulation.running.keys.randomElement() else { return }
            switch Int.random(in: 0..<10) {
            case 0: simulation.finish(number, status: 503, ["Retry-After": "1"])
            case 1: simulation.finish(number, status: 200, ["RateLimit": "\"a\";r=\(Int.random(in: 0...3));t=2"])
            case 2: simulation.finish(number, .failed(SwiftyError(.connectionFailed, stage: .connect)))
            case 3: simulation.finish(number, .notSent)
            default: simulation.finish(number)
            }
        }

        @Test("sends at the rate of its limit, per host")
        func rate() {
            var simulation = AdmissionSimulation(
                policy { $0.rateLimit = AdmissionPolicy.RateLimit(requests: 10, per: .seconds(1), burst: 2) }
            )
            for _ in 0..<5 { simulation.arrive("a") }
            simulation.arrive("b")
            simulation.advance(.seconds(1))
            #expect(simulation.sent.map(\.waited) == [0, 0, 0, 100, 200, 300].map { .milliseconds($0) })
        }

        @Test(
            "holds a host back when a 503 or a 429 demands it, then sends one load at a time until one succeeds",
            arguments: [503, 429]
        )
        func backoff(status: Int) {
            var simulation = AdmissionSimulation(policy { $0.hostBackoff = .seconds(60) })
            simulation.finish(simulation.arrive(), status: status, ["Retry-After": "5"])
            let loads = (0..<5).map { _ in simulation.arrive() }
            let other = simulation.arrive("b")
            #expect(simulation.running[other] != nil)
            simulation.advance(.milliseconds(4999))
            #expect(simulation.waiting.count == 5)
            simulation.advance(.milliseconds(1))
            #expect(simulation.running[loads[0]] != nil)
            #expect(simulation.waiting.count == 4)
            simulation.finish(loads[0], status: 500)
            #expect(simulation.waiting.count == 3)
            simulation.finish(loads[1])
            #expect(simulation.waiting.isEmpty)
            for number in simulation.running.keys { simulation.finish(number) }
            #expect(simulation.state.hosts.isEmpty)
            #expect(simulation.state.isIdle)
        }

        @Test(
            "holds a host back for no longer than the policy allows",
            arguments: ["1000000000", "Thu, 01 Jan 2099 00:00:00 GMT"]
        )
        func backoffCap(value: String) {
            var simulation = AdmissionSimulation(policy { $0.hostBackoff = .seconds(10) })
            simulation.finish(simulation.arrive(), status: 503, ["Retry-After": value])
            let load = simulation.arrive()
            simulation.advance(.seconds(10))
            #expect(simulation.running[load] != nil)
        }

        @Test("ignores a Retry-After that is malformed, on another status, or switched off")
        func noBackoff() {
            for (status, value) in [(503, "soon"), (503, "-5"), (200, "5"), (404, "5")] {
                var simulation = AdmissionSimulation(policy { $0.hostBackoff = .seconds(60) })
                simulation.finish(simulation.arrive(), status: status, ["Retry-After": value])
                #expect(simulation.state.isIdle)
            }
            var simulation = AdmissionSimulation(AdmissionPolicy())
            simulation.finish(simulation.arrive(), status: 503, ["Retry-After": "5"])
            #expect(simulation.state.isIdle, "off by default")
        }

        @Test("keeps the rate limit that a server reports")
        func learning() {
            var policy = AdmissionPolicy()
            policy.learnsRateLimits = true
            var simulation = AdmissionSimulation(policy)
            simulation.finish(simulation.arrive(), status: 200, ["RateLimit": "\"a\";r=2;t=30"])
            for _ in 0..<5 { simulation.arrive() }
            #expect(simulation.running.count == 2)
            simulation.advance(.seconds(30))
            #expect(simulation.running.count == 5)
        }

        @Test("sends nothing to a host that keeps failing, and fails the loads that wait for it")
        func breaker() {
            var simulation = AdmissionSimulation(
                policy {
                    $0.circuitBreaker = AdmissionPolicy.CircuitBreaker(failures: 2)
                    $0.maximumLoadsPerHost = 2
                }
            )
            let loads = (0..<5).map { _ in simulation.arrive() }
            for number in loads[..<2] { simulation.finish(number, .failed(SwiftyError(.timedOut, stage: .firstByte))) }
            let late = simulation.arrive()
            let refused = simulation.errors[late]
            #expect(refused?.code == .circuitOpen)
            #expect(refused?.stage == .queue)
            #expect(refused?.sent == .notSent)
            #expect(simulation.errors.count == simulation.waiting.count + 3 || simulation.running.count == 1)
            let other = simulation.arrive("b")
            #expect(simulation.running[other] != nil)
            for number in simulation.running.keys { simulation.finish(number) }
            simulation.advance(.seconds(30))
            let probe = simulation.arrive()
            #expect(simulation.running[probe] != nil)
            let second = simulation.arrive()
            #expect(simulation.errors[second]?.code == .circuitOpen)
            simulation.finish(probe)
            let third = simulation.arrive()
            #expect(simulation.running[third] != nil)
        }

        @Test("holds less urgent loads back on a bad network, but not forever")
        func quality() {
            var simulation = AdmissionSimulation(policy { $0.qualityRules = .adaptive })
            simulation.overrideQuality(.poor)
            let first = simulation.arrive("a", .high)
            let low = simulation.arrive("a", .low)
            let normal = simulation.arrive("b", .normal)
            let third = simulation.arrive("c", .veryHigh)
            #expect(Set(simulation.running.keys) == [first, normal])
            simulation.finish(first)
            #expect(Set(simulation.running.keys) == [normal, third])
            simulation.finish(third)
            #expect(simulation.running[low] == nil)
            simulation.finish(normal)
            #expect(simulation.running[low] != nil)
            let others = (0..<10).map { _ in simulation.arrive("d", .veryLow) }
            #expect(simulation.waiting.count == 10)
            simulation.overrideQuality(.excellent)
            #expect(others.allSatisfy { simulation.running[$0] != nil })
        }

        @Test("removes hosts whose state no longer matters")
        func memory() {
            var simulation = AdmissionSimulation(
                policy {
                    $0.maximumLoadsPerHost = 2
                    $0.rateLimit = AdmissionPolicy.RateLimit(requests: 10, per: .seconds(1))
                    $0.circuitBreaker = AdmissionPolicy.CircuitBreaker()
                }
            )
            for index in 0..<1000 { simulation.finish(simulation.arrive("host\(index)")) }
            simulation.advance(.seconds(60))
            simulation.finish(simulation.arrive("last"))
            #expect(simulation.state.hosts.count <= 1)
        }

        @Test("releases an admission only once")
        func releaseTwice() throws {
            var simulation = AdmissionSimulation(policy { $0.maximumLoads = 1 })
            let number = simulation.arrive()
            let admission = try #require(simulation.running[number]?.admission)
            simulation.arrive()
            simulation.arrive()
            simulation.finish(number)
            var state = simulation.state
            state.release(admission, AdmissionFeedback(), now: .zero)
            #expect(state.running.count == 1)
            #expect(state.decisions.isEmpty)
        }
    }
}
