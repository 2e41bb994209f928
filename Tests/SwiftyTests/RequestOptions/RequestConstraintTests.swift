// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

/// What the constraints of a test have in common, although each request makes its constraint anew.
private final class SignInSession: Sendable {
    let flights = Counter()
    let gate = Gate()
    let box = Box()
    private let state = Mutex(false)
    var isOpen: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// One flight, which makes a load of the same kind, and waits for the gate.
    func signIn(_ request: NetworkResource?) async throws {
        flights.increment()
        try await request?.load()
        await gate.wait()
        isOpen = true
    }
}

private enum Common {
    @TaskLocal static var session = SignInSession()
}

/// A value without stored properties.
private struct Stateless: AsyncConstraint {
    func isSatisfied(for resource: NetworkResource) -> Bool { Common.session.isOpen }
    func satisfy(for resource: NetworkResource) async throws {
        try await Common.session.signIn(Common.session.box.swifty?.api.get("sign-in").use(Stateless()))
    }
}

/// Values of which two are equal if they are for the same account.
private struct Account: AsyncConstraint, Hashable {
    let name: String
    func isSatisfied(for resource: NetworkResource) -> Bool { Common.session.isOpen }
    func satisfy(for resource: NetworkResource) async throws {
        try await Common.session.signIn(Common.session.box.swifty?.api.get("sign-in").use(Account(name: name)))
    }
}

/// A value that says nothing about its identity.
private struct Unidentifiable: AsyncConstraint {
    let name: String
    func isSatisfied(for resource: NetworkResource) -> Bool { true }
    func satisfy(for resource: NetworkResource) {}
}

private struct Group: Swifty.HookGroup {
    let hooks: [any Swifty.Hook]
}

@Suite("The constraints of a request", .timeLimit(.minutes(15)))
struct RequestConstraintTests {
    enum Kind: CaseIterable, Sendable {
        case stateless, hashable, grouped

        fileprivate var hook: any Swifty.Hook {
            switch self {
            case .stateless: Stateless()
            case .hashable: Account(name: "Ada")
            case .grouped: Group(hooks: [Account(name: "Ada")])
            }
        }
    }

    @Test("have one flight for all requests with equal values, and its loads pass them", arguments: Kind.allCases)
    func singleFlight(_ kind: Kind) async throws {
        let stub = StubTransport()
        let session = SignInSession()
        let swifty = Swifty(transport: stub)
        session.box.swifty = swifty
        try await Common.$session.withValue(session) {
            try await withThrowingTaskGroup { group in
                for index in 0..<20 {
                    group.addTask { try await swifty.api.get("\(index)").use(kind.hook).load() }
                }
                try await until { stub.requests.contains { $0.target.path == "/sign-in" } }
                try await swifty.api.get("free").load()
                session.gate.open()
                try await group.waitForAll()
            }
        }
        #expect(session.flights.value == 1)
        #expect(stub.requests.count == 22)
        session.box.swifty = nil
    }

    @Test("have separate flights for different values")
    func separateFlights() async throws {
        let session = SignInSession()
        session.gate.open()
        let swifty = Swifty(transport: StubTransport())
        try await Common.$session.withValue(session) {
            try await swifty.api.get("x").use(Account(name: "Ada")).load()
            session.isOpen = false
            try await swifty.api.get("x").use(Account(name: "Bob")).load()
        }
        #expect(session.flights.value == 2)
    }

    @Test("fail the load if requests could not share their flights", arguments: [false, true])
    func unidentifiable(isGrouped: Bool) async throws {
        let stub = StubTransport()
        let hook = Unidentifiable(name: "a")
        let resource = Swifty(transport: stub).api.get("x").use(isGrouped ? Group(hooks: [hook]) : hook)
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.code == .invalidSettings)
        #expect(error?.reason.contains("Unidentifiable of a request must be a class, an actor or Hashable") == true)
        #expect(stub.requests.isEmpty)
    }

    @Test("can be left out by their type, and are objects of Flipkart's kind as well")
    func objects() async throws {
        struct Mine: Error {}
        let constraint = TestConstraint { $0.finish(with: Mine()) }
        let swifty = Swifty(transport: StubTransport())
        let resource = swifty.api.get("x").use(constraint)
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.code == .constraintFailed)
        try await resource.constraints(.except(TestConstraint.self)).load()
        try await swifty.api.get("x").load()
        #expect(constraint.flights == 1)
    }

    @Test("do not accumulate: values that no load has are forgotten")
    func forgotten() async throws {
        let session = SignInSession()
        session.isOpen = true
        let swifty = Swifty(transport: StubTransport())
        try await Common.$session.withValue(session) {
            for index in 0..<200 { try await swifty.api.get("x").use(Account(name: "\(index)")).load() }
        }
        #expect(swifty.valueConstraintCount <= 32)
    }
}
