// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdTesting
import Swifty
import SwiftyTestTraits
import Testing

@testable import Storefront

@Suite(
    "A failing upstream",
    .mocked(Inventory.self, tokenMocks),
    .mocked(Prices.self),
    .timeLimit(.minutes(15))
)
struct FailureTests {
    /// The status of the service, and what it says, after an answer of the prices.
    private func answer(
        to mock: MockAnswer,
        fields: HTTPFields = [:]
    ) async throws -> (TestResponse, UpstreamProblem.Content) {
        let response = try await withMocks(for: Prices.self, [.get("items/{}/price"): mock]) {
            try await withStorefront { try await $0.get("/items/7", fields) }
        }
        return (response, try response.decode(UpstreamProblem.Content.self))
    }

    @Test("is a 502 when retries do not help")
    func failure() async throws {
        let (response, problem) = try await answer(to: .status(500))
        #expect(response.status == .badGateway)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(problem.upstream == "prices")
        #expect(problem.code == "unacceptableStatus")
        #expect(problem.request != nil)
    }

    @Test("is a 502 when it says nothing that can be read", arguments: [MockAnswer.text("<html>"), .json(["item": 7])])
    func nonsense(mock: MockAnswer) async throws {
        let (response, problem) = try await answer(to: mock)
        #expect(response.status == .badGateway)
        #expect(problem.code == "decodingFailed")
    }

    @Test("is a 502 when it cannot be reached")
    func unreachable() async throws {
        let (response, problem) = try await answer(to: .failure(.connectionFailed))
        #expect(response.status == .badGateway)
        #expect(problem.code == "connectionFailed")
    }

    @Test("is a 504 when it does not answer within the time that the caller waits")
    func timeout() async throws {
        let timeout: HTTPFields = [DeadlineField.grpcTimeout.name: "100m"]
        let mock = MockAnswer.json(["item": 7]).delayed(by: .seconds(600))
        let (response, problem) = try await answer(to: mock, fields: timeout)
        #expect(response.status == .gatewayTimeout)
        #expect(problem.code == "timedOut")
    }

    @Test("is a 503 without a request when its circuit breaker is open")
    func openBreaker() async throws {
        try await withMocks(for: Prices.self, [.get("items/{}/price"): .status(500)]) {
            func configure(_ settings: inout Swifty.Configuration) {
                settings.retry = .none
                settings.admission.circuitBreaker = .init(failures: 1)
            }
            try await withStorefront(configure: configure) { client in
                #expect(try await client.get("/items/7").status == .badGateway)
                let sent = try Prices.sent().count
                let response = try await client.get("/items/7")
                #expect(response.status == .serviceUnavailable)
                #expect(response.headers[.retryAfter] == "5")
                #expect(try response.decode(UpstreamProblem.Content.self).code == "circuitOpen")
                #expect(try Prices.sent().count == sent)
            }
        }
    }

    @Test("is a 404 when the item is unknown")
    func unknown() async throws {
        #expect(try await withStorefront { try await $0.get("/items/404") }.status == .notFound)
    }

    @Test("is the server of tokens as well")
    func tokens() async throws {
        let mocks: KeyValuePairs<MockPattern, MockAnswer> = [.url("https://tokens.example.com/token"): .status(400)]
        let response = try await withMocks(for: Inventory.self, mocks) {
            try await withStorefront { try await $0.get("/items/7") }
        }
        #expect(response.status == .badGateway)
        #expect(try response.decode(UpstreamProblem.Content.self).code == "constraintFailed")
    }
}
