// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdTesting
import Swifty
import SwiftyTestTraits
import Testing

@testable import Storefront

@Suite("/health", .mocked(Inventory.self), .mocked(Prices.self), .timeLimit(.minutes(15)))
struct HealthTests {
    @Test("says that both upstreams answer")
    func healthy() async throws {
        let response = try await withStorefront { try await $0.get("/health") }
        let report = try response.decode(HealthRoute.Report.self)
        #expect(report.status == "healthy")
        #expect(report.upstreams.keys.sorted() == ["inventory", "prices"])
    }

    @Test("says which upstream does not, and has the status 200")
    func degraded() async throws {
        let response = try await withMocks(for: Prices.self, [.get("health"): .status(500)]) {
            try await withStorefront { try await $0.get("/health") }
        }
        #expect(response.status == .ok)
        let report = try response.decode(HealthRoute.Report.self)
        #expect(report.status == "degraded")
        #expect(report.upstreams["prices"]?.error == "unacceptableStatus")
        #expect(report.upstreams["inventory"]?.isHealthy == true)
    }
}
