// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SwiftyTesting
import Synchronization
import Testing

@testable import Swifty

/// Loads that a constraint makes elsewhere than where it was called, so that task-local values are lost on the way.
@Suite("A constraint that hops", .timeLimit(.minutes(15)))
struct ConstraintHopTests {
    /// A way to run code without the task-local values of the code that asks for it.
    enum Hop: CaseIterable, Sendable {
        case none, task, detachedTask, globalQueue, ownQueue, delayed, thread, operation, twice

        func run(_ body: @escaping @Sendable () async -> Void) {
            switch self {
            case .none, .task: Task { await body() }
            case .detachedTask: Task.detached { await body() }
            case .globalQueue: DispatchQueue.global().async { Task { await body() } }
            case .ownQueue: DispatchQueue(label: "own").async { Task { await body() } }
            case .delayed: DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { Task { await body() } }
            case .thread: Thread.detachNewThread { Task { await body() } }
            case .operation: OperationQueue().addOperation { Task { await body() } }
            case .twice: Task.detached { DispatchQueue.global().async { Task { await body() } } }
            }
        }
    }

    /// The forms of load.
    enum Form: CaseIterable, Sendable {
        case awaited, decoded, typed, typedResponse, closure, fields, blocks, json, typedClosure, added, batch
    }

    /// The seed's form: hops, loads and finishes.
    final class Seed: Constraint, @unchecked Sendable {
        let box = Box()
        let hop: Hop
        let form: Form
        private let ownBoard: FlightBoard
        private let isOpen = Mutex(false)
        /// The load is made when this is true.
        private let mayLoad: @Sendable () -> Bool
        let flights = Counter()

        init(_ hop: Hop, _ form: Form, _ board: FlightBoard, mayLoad: @escaping @Sendable () -> Bool = { true }) {
            (self.hop, self.form, ownBoard, self.mayLoad) = (hop, form, board, mayLoad)
        }

        override var board: FlightBoard { ownBoard }

        override var timeout: Duration { .seconds(60) }

        override func isConstraintSatisfied(for resource: NetworkResource) -> Bool { isOpen.withLock(\.self) }

        override func satisfyConstraint(for resource: NetworkResource) {
            flights.increment()
            guard let swifty = box.swifty else { return }
            let token = swifty.api.get("token")
            let end: @Sendable ((any Error)?) -> Void = { [self] error in
                isOpen.withLock { $0 = error == nil }
                finish(with: error)
            }
            hop.run { [form, mayLoad] in
                do {
                    try await until { mayLoad() }
                    switch form {
                    case .awaited: _ = try await token.load()
                    case .decoded: _ = try await token.load([Int].self)
                    case .typed: _ = try await token.decode([Int].self).load()
                    case .typedResponse: _ = try await token.decode([Int].self).response()
                    case .closure:
                        _ = token.load { end($0.error) }
                        return
                    case .fields:
                        _ = token.load { _, _, error in end(error) }
                        return
                    case .blocks:
                        _ = token.load(successBlock: { _ in end(nil) }, failureBlock: { end($0) })
                        return
                    case .json:
                        _ = token.loadJSON(successBlock: { _ in end(nil) }, failureBlock: { end($0) })
                        return
                    case .typedClosure:
                        _ = token.decode([Int].self).load { end($0.failure) }
                        return
                    case .added:
                        _ = swifty.add(token, successBlock: { _ in end(nil) }, failureBlock: { end($0.error) })
                        return
                    case .batch: _ = try await swifty.batch([token, token]).map { try $0.get() }
                    }
                    end(nil)
                } catch {
                    end(error)
                }
            }
        }
    }

    /// The async form: hops, and waits for what is loaded there.
    final class Modern: AsyncConstraint, @unchecked Sendable {
        let box = Box()
        let hop: Hop
        private let ownBoard: FlightBoard
        private let isOpen = Mutex(false)
        let flights = Counter()

        init(_ hop: Hop, _ board: FlightBoard) {
            (self.hop, ownBoard) = (hop, board)
        }

        override var board: FlightBoard { ownBoard }

        override var timeout: Duration { .seconds(60) }

        override func isSatisfied(for resource: NetworkResource) async -> Bool { isOpen.withLock(\.self) }

        override func satisfy(for resource: NetworkResource) async throws {
            flights.increment()
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                hop.run { [box] in
                    do {
                        _ = try await box.swifty?.api.get("token").load()
                        continuation.resume()
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
            isOpen.withLock { $0 = true }
        }
    }

    private let stub = StubTransport { _ in
        TransportResponse(head: ResponseHead(statusCode: 200), body: Data("[1]".utf8))
    }

    @Test("is not in the way of loads that are written inside of satisfyConstraint", arguments: Form.allCases)
    func seed(form: Form) async throws {
        for round in 0..<50 {
            let constraint = Seed(Hop.allCases[round % Hop.allCases.count], form, FlightBoard())
            let swifty = Swifty(constraints: [constraint], transport: stub)
            constraint.box.swifty = swifty
            async let beside = swifty.api.get("beside").load()
            let response = try await swifty.api.get("x").load()
            #expect(try await beside.error == nil && response.error == nil)
            #expect(constraint.flights.value == 1, "\(constraint.hop)")
            constraint.box.swifty = nil
        }
    }

    @Test("is not in the way of loads that are written inside of satisfy", arguments: Hop.allCases)
    func modern(hop: Hop) async throws {
        for _ in 0..<50 {
            let constraint = Modern(hop, FlightBoard())
            let swifty = Swifty(constraints: [constraint], transport: stub)
            constraint.box.swifty = swifty
            async let beside = swifty.api.get("beside").load()
            let response = try await swifty.api.get("x").load()
            #expect(try await beside.error == nil && response.error == nil)
            #expect(constraint.flights.value == 1)
            constraint.box.swifty = nil
        }
    }

    /// Another constraint of the seed's form, which finishes when it is told to.
    final class Other: Constraint, @unchecked Sendable {
        private let ownBoard: FlightBoard
        private let isOpen = Mutex(false)

        init(_ board: FlightBoard) { ownBoard = board }

        override var board: FlightBoard { ownBoard }
        override var timeout: Duration { .seconds(60) }
        override func isConstraintSatisfied(for resource: NetworkResource) -> Bool { isOpen.withLock(\.self) }
        override func satisfyConstraint(for resource: NetworkResource) {}

        /// Whether its first flight is on the board, where other constraints' loads are compared with it.
        var isBeingSatisfied: Bool {
            gate.flight(holding: 1).map { !ownBoard.constraints(of: [$0]).isEmpty } ?? false
        }

        func open() {
            isOpen.withLock { $0 = true }
            finish()
        }
    }

    @Test("beside another one gets an error if the load waits for both, as one of them waits for itself")
    func ambiguous() async throws {
        for _ in 0..<50 {
            let board = FlightBoard()
            let other = Other(board)
            // A load of one constraint is the other's concern only if both are being satisfied.
            let seed = Seed(.delayed, .closure, board) { other.isBeingSatisfied }
            let swifty = Swifty(constraints: [seed, other], transport: stub)
            seed.box.swifty = swifty
            let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
            #expect(error?.reason.contains("Other or Seed waits for itself") == true, "\(error?.reason ?? "")")
            #expect(error?.reason.contains("canHaveConstraints(false)") == true)
            seed.box.swifty = nil
        }
    }

    @Test("is held by another constraint, however slow that is, and goes on when that is satisfied")
    func heldByAnother() async throws {
        let board = FlightBoard()
        let (seed, other) = (Seed(.delayed, .closure, board), Other(board))
        let authorization = Swifty(constraints: [other], transport: stub)
        let swifty = Swifty(constraints: [seed], transport: stub)
        // The token comes through a `Swifty` of its own, whose constraint is being satisfied already.
        async let first = authorization.api.get("y").load()
        try await until { other.isBeingSatisfied }
        seed.box.swifty = authorization
        async let second = swifty.api.get("x").load()
        try await Task.sleep(for: .seconds(1))
        #expect(stub.requests.isEmpty)
        other.open()
        #expect(try await first.error == nil)
        #expect(try await second.error == nil)
        seed.box.swifty = nil
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
