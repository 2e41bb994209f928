// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

/// Numbers far beyond any use must not trap.
@Suite("Extreme values", .timeLimit(.minutes(15)))
struct ExtremeValueTests {
    private let endless = Duration.seconds(Int64.max) + Duration.seconds(Int64.max)

    @Test("of time limits are limits that are never reached")
    func timeouts() async throws {
        let server = try LoopbackServer()
        let constraint = TestConstraint(timeout: endless) { constraint in
            constraint.isSatisfied = true
            constraint.finish()
        }
        var admission = AdmissionPolicy()
        admission.queueTimeout = endless
        admission.maximumLoads = .max
        let swifty = Swifty {
            $0.retry = .standard
            $0.admission = admission
            $0.use(constraint)
        }
        let resource = BaseResource(server.url, networkInterface: swifty).get("ip")
            .timeout(total: endless, connect: endless, firstByte: endless, idle: endless)
        #expect(try await resource.load().statusCode == 200)
        swifty.pause()
        let waiting = Task { try await resource.load() }
        try await until { swifty.admissionStatistics.waiting == 1 }
        swifty.resume()
        _ = try await waiting.value
        await swifty.shutdown(graceful: endless)
    }

    @Test("of a backoff stay within its maximum", arguments: [Double.infinity, .nan, -1, 0, 1e300])
    func backoff(multiplier: Double) {
        let backoff = RetryPolicy.Backoff(initial: .seconds(1), multiplier: multiplier, maximum: .seconds(10))
        for retry in [Int.min, 0, 1, 2, 63, Int.max] {
            for fraction in [0, 0.5, 1, Double.nan, .infinity, -1] {
                let delay = backoff.delay(beforeRetry: retry, fraction: fraction)
                #expect(delay >= .zero)
                #expect(delay <= .seconds(10))
            }
        }
    }
}
