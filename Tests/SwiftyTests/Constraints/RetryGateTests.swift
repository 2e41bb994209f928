// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

private final class Switch: AsyncConstraint {
    let gatesRetries: Bool
    let asked = Counter()
    let flights = Counter()
    private let state = Mutex(true)

    init(gatesRetries: Bool) {
        self.gatesRetries = gatesRetries
    }

    var isOn: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func isSatisfied(for resource: NetworkResource) -> Bool {
        asked.increment()
        return isOn
    }

    func satisfy(for resource: NetworkResource) {
        flights.increment()
        isOn = true
    }
}

@Suite("A constraint before a retry", .timeLimit(.minutes(15)))
struct RetryGateTests {
    @Test("is asked again if it gates retries, and satisfied again", arguments: [true, false])
    func gates(gatesRetries: Bool) async throws {
        let constraint = Switch(gatesRetries: gatesRetries)
        let count = Counter()
        let stub = StubTransport { _ in
            constraint.isOn = false
            return TransportResponse(head: ResponseHead(statusCode: count.increment() < 3 ? 503 : 200), content: Data())
        }
        let swifty = Swifty(transport: stub) {
            $0.use(constraint)
            $0.retry = RetryPolicy(maximumAttempts: 3, backoff: .none)
        }
        let response = try await swifty.api.get("x").load()
        #expect(stub.requests.count == 3)
        #expect(constraint.asked.value == (gatesRetries ? 3 : 1))
        #expect(constraint.flights.value == (gatesRetries ? 2 : 0))
        #expect(response.metrics.constraintWaits.count == (gatesRetries ? 3 : 1))
    }

    @Test("fails the load, which is then not repeated")
    func failure() async throws {
        final class Closed: Constraint, @unchecked Sendable {
            struct Mine: Error {}
            let stub: StubTransport
            init(_ stub: StubTransport) { self.stub = stub }
            override var gatesRetries: Bool { true }
            override func isConstraintSatisfied(for resource: NetworkResource) -> Bool { stub.requests.isEmpty }
            override func satisfyConstraint(for resource: NetworkResource) { finish(with: Mine()) }
        }
        let stub = StubTransport(status: 503)
        let resource = Swifty(transport: stub).api.get("x").use(Closed(stub)).retry(3)
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.code == .constraintFailed)
        #expect(error?.underlying is Closed.Mine)
        #expect(stub.requests.count == 1)
    }
}
