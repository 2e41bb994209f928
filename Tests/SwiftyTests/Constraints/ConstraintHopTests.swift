// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import Swifty

/// Loads that a constraint makes in a task, and after a hop to another queue or task, which loses the task-local
/// values.
@Suite("A constraint that hops", .timeLimit(.minutes(15)))
struct ConstraintHopTests {
    /// A hop that loses the task-local values of the calling code.
    enum Hop: CaseIterable, Sendable {
        case none, task, detachedTask, globalQueue, ownQueue, delayed, thread, operation, twice

        /// Whether what it runs still belongs to the flight.
        var keepsFlight: Bool { self == .none || self == .task }

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
        let flights = Counter()

        init(_ hop: Hop, _ form: Form, _ board: FlightBoard) {
            (self.hop, self.form, ownBoard) = (hop, form, board)
        }

        override var board: FlightBoard { ownBoard }

        override var timeout: Duration { .seconds(900) }

        override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
            isOpen.withLock(\.self)
        }

        override func satisfyConstraint(for resource: NetworkResource) {
            flights.increment()
            guard let swifty = box.swifty else { return }
            let token = swifty.api.get("token").canHaveConstraints(hop.keepsFlight)
            let end: @Sendable ((any Error)?) -> Void = { [self] error in
                isOpen.withLock { $0 = error == nil }
                finish(with: error)
            }
            hop.run { [form] in
                do {
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
    final class Returning: AsyncConstraint {
        let box = Box()
        let hop: Hop
        private let isOpen = Mutex(false)
        let flights = Counter()

        init(_ hop: Hop) {
            self.hop = hop
        }

        var timeout: Duration { .seconds(900) }

        func isSatisfied(for resource: NetworkResource) async -> Bool {
            isOpen.withLock(\.self)
        }

        func satisfy(for resource: NetworkResource) async throws {
            flights.increment()
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                hop.run { [box, hop] in
                    do {
                        _ = try await box.swifty?.api.get("token").canHaveConstraints(hop.keepsFlight).load()
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
        TransportResponse(head: ResponseHead(statusCode: 200), content: Data("[1]".utf8))
    }

    @Test("does not hold the loads of its flight, nor those that say so after a hop", arguments: Form.allCases)
    func finishing(form: Form) async throws {
        for round in 0..<50 {
            let constraint = Finishing(Hop.allCases[round % Hop.allCases.count], form, FlightBoard())
            let swifty = Swifty(transport: stub) { $0.use(constraint) }
            constraint.box.swifty = swifty
            async let beside = swifty.api.get("beside").load()
            let response = try await swifty.api.get("x").load()
            #expect(try await beside.error == nil)
            #expect(response.error == nil)
            try #require(constraint.flights.value == 1, "\(constraint.hop)")
            constraint.box.swifty = nil
        }
    }

    @Test("does not hold the loads of its task, nor those that say so after a hop", arguments: Hop.allCases)
    func returning(hop: Hop) async throws {
        for _ in 0..<50 {
            let constraint = Returning(hop)
            let swifty = Swifty(transport: stub) { $0.use(AsyncConstraintAdapter(constraint, board: FlightBoard())) }
            constraint.box.swifty = swifty
            async let beside = swifty.api.get("beside").load()
            let response = try await swifty.api.get("x").load()
            #expect(try await beside.error == nil)
            #expect(response.error == nil)
            try #require(constraint.flights.value == 1)
            constraint.box.swifty = nil
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
