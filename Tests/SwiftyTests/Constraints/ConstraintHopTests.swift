// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import Swifty

/// Loads that a constraint makes after a hop to another queue or task, which loses the task-local values.
@Suite("A constraint that hops", .timeLimit(.minutes(15)))
struct ConstraintHopTests {
    /// A hop that loses the task-local values of the calling code.
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

    /// A constraint that hops, loads and calls `finish`.
    final class Finishing: Constraint, @unchecked Sendable {
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

        override var timeout: Duration { .seconds(900) }

        override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
            isOpen.withLock(\.self)
        }

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

    /// An async constraint that hops, and waits for the load there.
    final class Returning: AsyncConstraint, @unchecked Sendable {
        let box = Box()
        let hop: Hop
        private let ownBoard: FlightBoard
        private let isOpen = Mutex(false)
        let flights = Counter()

        init(_ hop: Hop, _ board: FlightBoard) {
            (self.hop, ownBoard) = (hop, board)
        }

        override var board: FlightBoard { ownBoard }

        override var timeout: Duration { .seconds(900) }

        override func isSatisfied(for resource: NetworkResource) async -> Bool {
            isOpen.withLock(\.self)
        }

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

    @Test("does not hold loads in closures of satisfyConstraint", arguments: Form.allCases)
    func finishing(form: Form) async throws {
        for round in 0..<50 {
            let constraint = Finishing(Hop.allCases[round % Hop.allCases.count], form, FlightBoard())
            let swifty = Swifty(transport: stub) { $0.constraints = [constraint] }
            constraint.box.swifty = swifty
            async let beside = swifty.api.get("beside").load()
            let response = try await swifty.api.get("x").load()
            #expect(try await beside.error == nil)
            #expect(response.error == nil)
            try #require(constraint.flights.value == 1, "\(constraint.hop)")
            constraint.box.swifty = nil
        }
    }

    @Test("does not hold loads in closures of satisfy", arguments: Hop.allCases)
    func returning(hop: Hop) async throws {
        for _ in 0..<50 {
            let constraint = Returning(hop, FlightBoard())
            let swifty = Swifty(transport: stub) { $0.constraints = [constraint] }
            constraint.box.swifty = swifty
            async let beside = swifty.api.get("beside").load()
            let response = try await swifty.api.get("x").load()
            #expect(try await beside.error == nil)
            #expect(response.error == nil)
            try #require(constraint.flights.value == 1)
            constraint.box.swifty = nil
        }
    }

    /// A constraint that finishes when the test calls `open`.
    final class Other: Constraint, @unchecked Sendable {
        private let ownBoard: FlightBoard
        private let isOpen = Mutex(false)

        init(_ board: FlightBoard) { ownBoard = board }

        override var board: FlightBoard { ownBoard }
        override var timeout: Duration { .seconds(900) }
        override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
            isOpen.withLock(\.self)
        }
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

    @Test("has its load fail if another constraint holds it, too, and either may have made it")
    func ambiguous() async throws {
        for _ in 0..<50 {
            let board = FlightBoard()
            let other = Other(board)
            // A load of one constraint is the other's concern only if both are being satisfied.
            let finishing = Finishing(.delayed, .closure, board) { other.isBeingSatisfied }
            let swifty = Swifty(transport: stub) { $0.constraints = [finishing, other] }
            finishing.box.swifty = swifty
            let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
            #expect(error?.reason.contains("Finishing or Other waits for itself") == true, "\(error?.reason ?? "")")
            #expect(error?.reason.contains("canHaveConstraints(false)") == true)
            finishing.box.swifty = nil
        }
    }

    @Test("waits for another constraint, however slow, and continues when that is satisfied")
    func heldByAnother() async throws {
        let board = FlightBoard()
        let (finishing, other) = (Finishing(.delayed, .closure, board), Other(board))
        let authorization = Swifty(transport: stub) { $0.constraints = [other] }
        let swifty = Swifty(transport: stub) { $0.constraints = [finishing] }
        // The token is loaded through another `Swifty`, whose constraint has a flight already.
        async let first = authorization.api.get("y").load()
        try await until { other.isBeingSatisfied }
        finishing.box.swifty = authorization
        async let second = swifty.api.get("x").load()
        // A wait that ended early would end in this time.
        try await Task.sleep(for: .seconds(1))
        #expect(stub.requests.isEmpty)
        other.open()
        #expect(try await first.error == nil)
        #expect(try await second.error == nil)
        finishing.box.swifty = nil
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
