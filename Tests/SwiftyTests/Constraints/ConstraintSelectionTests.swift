// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

private class Blocking: Constraint, @unchecked Sendable {}
private final class Derived: Blocking, @unchecked Sendable {}

private struct Consent: AsyncConstraint {
    func isSatisfied(for resource: NetworkResource) async -> Bool { true }
    func satisfy(for resource: NetworkResource) async throws {}
}

private struct Both: Swifty.HookGroup {
    let hooks: [any Swifty.Hook] = [Derived(), Consent()]
}

@Suite("The constraints of a request", .timeLimit(.minutes(15)))
struct ConstraintSelectionTests {
    private func waits(_ selection: ConstraintSelection, _ hooks: any Swifty.Hook...) async throws -> [String] {
        let swifty = Swifty(transport: StubTransport()) { $0.use(hooks) }
        let response = try await swifty.api.get("x").constraints(selection).load()
        return response.metrics.constraintWaits.map(\.name)
    }

    @Test("are all, none, all but some types, or some types only")
    func selection() async throws {
        let hooks: [any Swifty.Hook] = [Blocking(), Consent()]
        let cases: [(ConstraintSelection, [String])] = [
            (.all, ["Blocking", "Consent"]), (.none, []),
            (.except(Consent.self), ["Blocking"]), (.only(Consent.self), ["Consent"]),
            (.except(Consent.self, Blocking.self), []), (.only(), []), (.except(), ["Blocking", "Consent"]),
            (.only(OAuth2.self), []),
        ]
        for (selection, names) in cases {
            #expect(try await waits(selection, Both.Members(hooks)) == names, "\(selection)")
        }
    }

    @Test("are named by their type, a type that they inherit from, or the group that they belong to")
    func names() async throws {
        #expect(try await waits(.except(Blocking.self), Derived(), Consent()) == ["Consent"])
        #expect(try await waits(.only(Derived.self), Blocking(), Derived()) == ["Derived"])
        #expect(try await waits(.except(Both.self), Both(), Blocking()) == ["Blocking"])
        #expect(try await waits(.only(Both.self), Both(), Blocking()) == ["Derived", "Consent"])
        #expect(try await waits(.except(Consent.self), Both()) == ["Derived"])
    }

    @Test("decide about the credential of a request, too")
    func credential() async throws {
        let stub = StubTransport()
        let key = APIKey("k", in: .query("key"), for: "https://api.example.com")
        let swifty = Swifty(transport: stub) { $0.use(Both.Members([key, Consent()])) }
        let selections: [ConstraintSelection] = [
            .all, .none, .except(APIKey.self), .except(Consent.self), .only(APIKey.self), .only(Consent.self),
            .only(Both.Members.self), .except(Both.Members.self),
        ]
        for selection in selections { _ = try await swifty.api.get("x").constraints(selection).load() }
        #expect(stub.requests.map { $0.target.query != nil } == [true, false, false, true, true, false, true, false])
    }

    @Test("are named in an explanation")
    func explanation() async throws {
        let swifty = Swifty(transport: StubTransport()) { $0.use(Blocking(), Consent()) }
        for (selection, text) in [(ConstraintSelection.only(Consent.self), "constraints: Consent"), (.none, nil)] {
            let stages = try await swifty.api.get("x").constraints(selection).explain().stages
            #expect(stages.first { $0.hasPrefix("constraints") } == text)
        }
    }
}

extension Both {
    struct Members: Swifty.HookGroup {
        let hooks: [any Swifty.Hook]

        init(_ hooks: [any Swifty.Hook]) {
            self.hooks = hooks
        }
    }
}
