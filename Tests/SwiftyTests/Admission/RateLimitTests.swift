// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Swifty

extension AdmissionTests {
    @Suite("A rate limit", .timeLimit(.minutes(15)))
    struct RateLimitTests {
        @Test("admits a burst, and then one request per interval")
        func bucket() {
            var bucket = TokenBucket(AdmissionPolicy.RateLimit(requests: 10, per: .seconds(1), burst: 3))
            var sent: [Duration] = []
            for tick in 0..<10 {
                let now = Duration.milliseconds(50 * tick)
                while bucket.nextAt <= now {
                    bucket.take(now: now)
                    sent.append(now)
                }
            }
            #expect(sent == [0, 0, 0, 100, 200, 300, 400].map { .milliseconds($0) })
        }

        @Test("never admits more than burst and rate allow, whatever the arrivals")
        func bound() {
            var random = SystemRandomNumberGenerator()
            var bucket = TokenBucket(AdmissionPolicy.RateLimit(requests: 100, per: .seconds(1), burst: 20))
            var now = Duration.zero
            var count = 0
            var excess = 0.0
            for _ in 0..<10_000 {
                now += .microseconds(Int.random(in: 0...2000, using: &random))
                if bucket.nextAt <= now {
                    bucket.take(now: now)
                    count += 1
                }
                excess = max(excess, Double(count) - 20 - 100 * (now / .seconds(1)))
            }
            #expect(excess <= 0.001)
            #expect(Double(count) > 90 * (now / .seconds(1)))
        }

        @Test("with numbers out of range is clamped")
        func clamping() {
            let limit = AdmissionPolicy.RateLimit(requests: -4, per: .seconds(-1), burst: 0)
            #expect((limit.requests, limit.burst) == (1, 1))
            #expect(limit.period == .milliseconds(1))
            #expect(AdmissionPolicy.RateLimit(requests: .max, per: .seconds(Int64.max)).requests == 1_000_000)
        }

        @Test(
            "is read from every draft's fields",
            arguments: [
                ["RateLimit-Limit": "100", "RateLimit-Remaining": "5", "RateLimit-Reset": "30"],
                ["RateLimit": "limit=100, remaining=5, reset=30", "RateLimit-Policy": "100;w=60"],
                ["RateLimit": "\"default\";r=5;t=30", "RateLimit-Policy": "\"default\";q=100;w=60"],
                ["RateLimit": "\"day\";r=900;t=3600, \"minute\" ; r=5 ; t=30"],
            ]
        )
        func reported(fields: [String: String]) throws {
            let report = try #require(ReportedRateLimit(HTTPFields(fields)))
            #expect(report.remaining == 5)
            #expect(report.reset == .seconds(30))
        }

        @Test(
            "that is malformed is ignored",
            arguments: [
                ["RateLimit-Remaining": "5"], ["RateLimit-Reset": "5"], ["RateLimit": ""], ["RateLimit": ";;;=,=,="],
                ["RateLimit-Remaining": "-1", "RateLimit-Reset": "5"],
                ["RateLimit-Remaining": "five", "RateLimit-Reset": "5"],
                ["RateLimit-Remaining": "99999999999999999999", "RateLimit-Reset": "5"],
                ["RateLimit-Remaining": "5", "RateLimit-Reset": "0"],
                ["RateLimit": "\"default\";r=5"], ["RateLimit": String(repeating: "\"a\";r=0;t=9,", count: 1000)],
                ["RateLimit-Limit": "100"], ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "5"],
            ]
        )
        func garbage(fields: [String: String]) {
            #expect(ReportedRateLimit(HTTPFields(fields)) == nil)
        }

        @Test("that was reported holds loads when nothing remains, and counts loads in flight as used")
        func learned() throws {
            let report = try #require(ReportedRateLimit(HTTPFields(["RateLimit": "\"a\";r=3;t=30"])))
            var limit = LearnedRateLimit(report, unreported: 1, now: .seconds(10), longestHold: .seconds(60))
            #expect(limit.heldUntil(now: .seconds(10)) == nil)
            limit.take()
            limit.take()
            #expect(limit.heldUntil(now: .seconds(10)) == .seconds(40))
            #expect(limit.heldUntil(now: .seconds(40)) == nil)
            #expect(!limit.isProbing(now: .seconds(40)))
        }

        private func driver() -> AdmissionDriver {
            var policy = AdmissionPolicy()
            (policy.learnsRateLimits, policy.maximumLoads) = (true, 100)
            return AdmissionDriver(policy)
        }

        @Test("is not raised by the late report of a request that was sent before")
        func overtaken() {
            var driver = driver()
            let loads = (0..<3).map { _ in driver.arrive() }
            driver.finish(loads[2], status: 200, ["RateLimit": "\"a\";r=0;t=30"])
            driver.finish(loads[0], status: 200, ["RateLimit": "\"a\";r=2;t=30"])
            // Requests may also arrive in another order than they were sent in.
            driver.finish(loads[1], status: 200, ["RateLimit": "\"a\";r=1;t=30"])
            driver.arrive()
            #expect(driver.waiting.count == 1)
            driver.advance(.seconds(31))
            #expect(driver.waiting.isEmpty)
        }

        @Test("is not raised by a request that its server has counted before one that was sent earlier")
        func reordered() {
            var driver = driver()
            let (slow, first) = (driver.arrive(), driver.arrive())
            // Of three requests, the second is the first to arrive, and the first is the last.
            driver.finish(first, status: 200, ["RateLimit": "\"a\";r=2;t=30"])
            let second = driver.arrive()
            driver.finish(slow, status: 200, ["RateLimit": "\"a\";r=0;t=30"])
            driver.finish(second, status: 200, ["RateLimit": "\"a\";r=1;t=30"])
            driver.arrive()
            #expect(driver.waiting.count == 1)
        }

        @Test("lasts as long as the later of two reports says, if both leave as many requests")
        func longer() {
            var driver = driver()
            let loads = (0..<2).map { _ in driver.arrive() }
            driver.finish(loads[1], status: 200, ["RateLimit": "\"a\";r=0;t=1"])
            driver.finish(loads[0], status: 200, ["RateLimit": "\"a\";r=0;t=5"])
            driver.arrive()
            driver.advance(.seconds(4))
            #expect(driver.waiting.count == 1)
            driver.advance(.seconds(1))
            #expect(driver.waiting.isEmpty)
        }

        @Test("counts the requests that were sent after the reported one, also those that have failed")
        func unreported() {
            var driver = driver()
            let loads = (0..<3).map { _ in driver.arrive() }
            let loss = SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent)
            for load in loads[1...] { driver.finish(load, .failed(loss)) }
            driver.finish(loads[0], status: 200, ["RateLimit": "\"a\";r=3;t=30"])
            for _ in 0..<2 { driver.arrive() }
            #expect(driver.running.count == 1)
            #expect(driver.waiting.count == 1)
        }

        @Test("is raised by the report of a request that was sent after the report before")
        func raised() {
            var driver = driver()
            driver.finish(driver.arrive(), status: 200, ["RateLimit": "\"a\";r=1;t=30"])
            driver.finish(driver.arrive(), status: 200, ["RateLimit": "\"a\";r=5;t=20"])
            for _ in 0..<6 { driver.arrive() }
            #expect(driver.running.count == 5)
            #expect(driver.waiting.count == 1)
        }

        @Test("with a reset beyond the longest hold is probed after that hold")
        func truncated() throws {
            let report = try #require(ReportedRateLimit(HTTPFields(["RateLimit": "\"a\";r=0;t=999999999"])))
            let limit = LearnedRateLimit(report, unreported: 0, now: .zero, longestHold: .seconds(60))
            #expect(limit.heldUntil(now: .seconds(59)) == .seconds(60))
            #expect(limit.isProbing(now: .seconds(60)))
        }
    }
}

extension HTTPFields {
    /// Makes fields from valid names.
    init(_ fields: [String: String]) {
        self.init()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
        }
    }
}
