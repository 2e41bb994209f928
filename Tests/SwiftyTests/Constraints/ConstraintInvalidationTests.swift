// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyTesting
import TestSupport
import Testing

import struct Foundation.Data

@Suite("A constraint that invalidates", .timeLimit(.minutes(15)))
struct ConstraintInvalidationTests {
    /// A constraint that each flight satisfies until `invalidate` is called, which always returns `true`.
    private final class RefreshedCredential: Constraint, @unchecked Sendable {
        let flights = Counter()
        let invalidations = Counter()

        override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
            flights.value > invalidations.value
        }

        override func satisfyConstraint(for resource: NetworkResource) {
            flights.increment()
            finish()
        }

        override func invalidate(after response: NetworkResponse) -> Bool {
            #expect(response.request?.template == "x")
            invalidations.increment()
            return true
        }
    }

    @Test(
        "makes the load wait again and be sent a second time, but not a third time",
        arguments: [401, 403]
    )
    func replay(status: Int) async throws {
        let stub = StubTransport(status: status)
        let credential = RefreshedCredential()
        let swifty = Swifty(transport: stub) { $0.constraints = [credential] }
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.post("x").text("body").load() }
        #expect(error?.statusCode == status)
        #expect(error?.attempts.count == 2)
        #expect(stub.requests.count == 2)
        #expect(credential.flights.value == 2)
        #expect(stub.requests.allSatisfy { $0.body?.count == 4 })
    }

    @Test("is not asked about loads without constraints, nor about other statuses")
    func noReplay() async throws {
        let stub = StubTransport { request in
            let status = request.headers.contains(.accept) ? 404 : 401
            return TransportResponse(head: ResponseHead(statusCode: status), body: Data())
        }
        let credential = RefreshedCredential()
        let swifty = Swifty(transport: stub) { $0.constraints = [credential] }
        await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").canHaveConstraints(false).load() }
        await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").accept("a/b").load() }
        #expect(stub.requests.count == 2)
        #expect(credential.invalidations.value == 0)
    }
}
