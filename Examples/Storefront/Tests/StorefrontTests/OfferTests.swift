// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdTesting
import Swifty
import SwiftyTestTraits
import Testing

@testable import Storefront

@Suite(
    "Offers",
    .mocked(Inventory.self, tokenMocks, policy: .withToken),
    .mocked(Prices.self, policy: .withToken),
    .timeLimit(.minutes(15))
)
struct OfferTests {
    @Test("have what both upstreams know")
    func offer() async throws {
        let response = try await withStorefront { try await $0.get("/items/7") }
        #expect(response.status == .ok)
        #expect(try response.decode(Offer.self) == Offer(item: 7, available: 9, price: 849, currency: "EUR"))
    }

    @Test("are asked for with a token, which the service of prices does not get")
    func token() async throws {
        _ = try await withStorefront { try await $0.get("/items/7") }
        #expect(try Inventory.sent().last?["Authorization"] == "Bearer t1")
        #expect(try Prices.sent().map { $0["Authorization"] } == [nil])
    }

    @Test("come after a retry if an upstream is busy once")
    func retry() async throws {
        let busyOnce: KeyValuePairs<MockPattern, MockAnswer> = [
            .get("items/{}/price"): .sequence(.status(503), .text(#"{"item": 7, "amount": 1, "currency": "EUR"}"#))
        ]
        let (response, sent) = try await withMocks(for: Prices.self, busyOnce, policy: .withToken) {
            (try await withStorefront { try await $0.get("/items/7") }, try Prices.sent())
        }
        #expect(try response.decode(Offer.self).price == 1)
        #expect(sent.count == 2)
    }

    @Test("are refused if their number is none")
    func number() async throws {
        #expect(try await withStorefront { try await $0.get("/items/seven") }.status == .badRequest)
    }
}
