// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdTesting
import Swifty
import SwiftyTestTraits
import Testing

@testable import Storefront

@Suite(
    "The deadline of a caller",
    .mocked(Inventory.self, tokenMocks),
    .mocked(Prices.self),
    .timeLimit(.minutes(15))
)
struct DeadlineTests {
    /// What the services are told about the time that is left.
    private func toldTimes(_ fields: HTTPFields) async throws -> [Duration?] {
        // Without the limits of the service itself, which would be the earlier ones.
        let response = try await withStorefront {
            $0.timeouts = NetworkRequest.Timeouts()
        } body: {
            try await $0.get("/items/7", fields)
        }
        #expect(response.status == .ok)
        let sent = try Inventory.sent().suffix(1) + Prices.sent().suffix(1)
        return sent.map { $0["grpc-timeout"].flatMap(DeadlineField.grpcTimeout.time) }
    }

    @Test("is passed on to both upstreams, with what is left of it")
    func passedOn() async throws {
        let times = try await toldTimes([DeadlineField.grpcTimeout.name: "4S"])
        #expect(times.count == 2)
        for time in times {
            let time = try #require(time)
            #expect(time > .zero && time < .seconds(4))
        }
    }

    @Test("is not longer than the service's own", arguments: ["1H", "soon"])
    func bounded(field: String) async throws {
        let times = try await toldTimes([DeadlineField.grpcTimeout.name: field])
        #expect(times.count == 2)
        for time in times { #expect(try #require(time) <= .seconds(10)) }
    }

    @Test("that is past is a 504, and nothing is sent")
    func past() async throws {
        let response = try await withStorefront {
            try await $0.get("/items/7", [DeadlineField.grpcTimeout.name: "0m"])
        }
        #expect(response.status == .gatewayTimeout)
        #expect(try Prices.sent().isEmpty)
    }
}
