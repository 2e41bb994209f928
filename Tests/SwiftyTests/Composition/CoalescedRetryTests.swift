// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import SwiftyTransport
import TestSupport
import Testing

@testable import Swifty

@Suite("The loads of a coalesced transfer", .timeLimit(.minutes(15)))
struct CoalescedRetryTests {
    private enum Failure: CaseIterable {
        case busy, lost

        func response() throws -> TransportResponse {
            if self == .lost { throw SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent) }
            return TransportResponse(head: ResponseHead(statusCode: 503), content: Data())
        }
    }

    /// A transport that fails first, and holds each transfer until its gate is open.
    private func stub(_ gates: [Gate], _ failure: Failure) -> StubTransport {
        let calls = Counter()
        return StubTransport { _ in
            let call = calls.increment()
            await gates[min(call, gates.count) - 1].wait()
            if call == 1 { return try failure.response() }
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
    }

    @Test("repeat it together, for one retry of the budget", arguments: Failure.allCases)
    private func together(_ failure: Failure) async throws {
        let gates = [Gate(), Gate()]
        let stub = stub(gates, failure)
        let transport = CoalescingTransport(stub)
        let swifty = Swifty(transport: transport) {
            $0.retry = RetryPolicy(maximumAttempts: 2)
            $0.retryBudget = RetryPolicy.Budget(share: 0, reserve: 1)
        }
        let loads = Loads(100) { try await swifty.api.get("x").load().text() }
        try await until { transport.memberCount == 100 }
        gates[0].open()
        try await until { stub.requests.count == 2 && transport.memberCount == 100 }
        gates[1].open()
        for result in await loads.results { _ = try result.get() }
        #expect(stub.requests.count == 2)
    }

    @Test("all fail with it if the budget has no retry")
    func exhausted() async throws {
        let gate = Gate()
        let stub = stub([gate], .busy)
        let transport = CoalescingTransport(stub)
        let swifty = Swifty(transport: transport) {
            $0.retry = .standard
            $0.retryBudget = RetryPolicy.Budget(share: 0, reserve: 0)
        }
        let loads = Loads(20) { try await swifty.api.get("x").load().text() }
        try await until { transport.memberCount == 20 }
        gate.open()
        for result in await loads.results {
            let error = #expect(throws: SwiftyError.self) { try result.get() }
            #expect(error?.statusCode == 503)
        }
        #expect(stub.requests.count == 1)
    }
}
