// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import Testing

/// Holds a numbered token; a 401 for the token that it holds makes it fetch the next one.
private final class TokenConstraint: Constraint, RequestInterceptor, @unchecked Sendable {
    private let state = Mutex((token: Int?.some(1), fetched: 1))
    var fetches: Int { state.withLock { $0.fetched } }

    override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
        state.withLock { $0.token != nil }
    }

    override func satisfyConstraint(for resource: NetworkResource) {
        state.withLock { state in
            state.fetched += 1
            state.token = state.fetched
        }
        finish()
    }

    override func invalidate(after response: NetworkResponse) -> Bool {
        let sent = response.request?.headers[.authorization]
        return state.withLock { state in
            if sent == "Bearer \(state.token ?? 0)" { state.token = nil }
            return sent != nil
        }
    }

    func intercept(resource: NetworkResource) -> NetworkResource {
        resource.bearer("\(state.withLock { $0.token } ?? 0)")
    }
}

@Suite("A credential", .timeLimit(.minutes(15)))
struct CredentialTests {
    private func swifty(_ constraint: TokenConstraint, accepting token: String) -> (Swifty, StubTransport) {
        let stub = StubTransport { request in
            let isGood = request.headers[.authorization] == "Bearer \(token)"
            return TransportResponse(head: ResponseHead(statusCode: isGood ? 200 : 401), content: Data())
        }
        return (
            Swifty(transport: stub) {
                $0.use(constraint)
                $0.use(constraint)
            }, stub
        )
    }

    @Test("that is refused is replaced once for all loads, and each of them is sent again, with any method")
    func replay() async throws {
        let constraint = TokenConstraint()
        let (swifty, stub) = swifty(constraint, accepting: "2")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask { try await swifty.api.post("x").text("a").load().metrics.attempts.count }
            }
            for try await attempts in group { #expect(attempts <= 2) }
        }
        #expect(constraint.fetches == 2)
        #expect(stub.requests.count <= 400)
    }

    @Test("that is refused again is the outcome of the load, without a loop")
    func noLoop() async throws {
        let constraint = TokenConstraint()
        let (swifty, stub) = swifty(constraint, accepting: "never")
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        #expect(error?.statusCode == 401)
        #expect(error?.attempts.count == 2)
        #expect(stub.requests.count == 2)
    }

    @Test("does not matter to a load that may not have constraints")
    func unconstrained() async throws {
        let constraint = TokenConstraint()
        let (swifty, stub) = swifty(constraint, accepting: "2")
        _ = try? await swifty.api.get("x").constraints(.none).load()
        #expect(stub.requests.count == 1)
        #expect(constraint.fetches == 1)
    }
}
