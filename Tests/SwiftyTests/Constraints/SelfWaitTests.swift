// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SwiftyTesting
import TestSupport
import Testing

@testable import Swifty

/// Loads that are held by a flight which waits for them, and loads that only appear to be.
@Suite("A load that waits for itself", .timeLimit(.minutes(15)))
struct SelfWaitTests {
    /// A duration far above the time of detection, and far below the time limits of the constraints.
    private static let sensible = Duration.seconds(300)

    private func failure(of swifty: Swifty, _ path: String = "x") async -> SwiftyError? {
        do throws(SwiftyError) {
            _ = try await swifty.api.get(path).load()
            return nil
        } catch {
            return error
        }
    }

    /// Runs the closure fifty times, ten simultaneously.
    private func repeated(_ body: @escaping @Sendable (Int) async -> Void) async {
        for start in stride(from: 0, to: 50, by: 10) {
            await withTaskGroup(of: Void.self) { group in
                for round in start..<start + 10 { group.addTask { await body(round) } }
            }
        }
    }

    /// Makes a load in another function, where its constraint is unknown.
    private static func token(_ box: Box) async throws {
        _ = try await box.swifty?.api.get("token").load()
    }

    /// Returns when a probe has raised the priority of the current task, which is that of a flight.
    private static func untilProbed() async throws {
        guard #available(macOS 26, iOS 26, *) else { return }
        let probes = Counter()
        try await withTaskPriorityEscalationHandler {
            try await until { probes.value > 0 }
        } onPriorityEscalated: { _, _ in
            probes.increment()
        }
    }

    @Test("ends when the constraint's task waits for a detached one, with an error that names the remedy")
    func detached() async throws {
        let ways: [@Sendable (Box) async throws -> Void] = [
            { box in try await Task.detached { try await Self.token(box) }.value },
            { box in
                let inner = Task.detached { try await Self.token(box) }
                try await Task.detached { try await inner.value }.value
            },
            { box in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await Task.detached { try await Self.token(box) }.value }
                    // A task that ends earlier.
                    group.addTask { await Task.yield() }
                    try await group.waitForAll()
                }
            },
            { box in
                try await Self.untilProbed()
                try await Task.detached { try await Self.token(box) }.value
            },
        ]
        await repeated { round in
            let box = Box()
            let constraint = Session(timeout: .seconds(900)) { _ in try await ways[round % ways.count](box) }
            let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
            box.swifty = swifty
            let start = ContinuousClock.now
            async let beside = failure(of: swifty, "beside")
            let errors = [await failure(of: swifty), await beside]
            #expect(ContinuousClock.now - start < Self.sensible)
            for error in errors {
                #expect(error?.code == .constraintFailed, "\(round)")
                #expect(error?.stage == .constraint, "\(round)")
                #expect(error?.reason.contains("Session waits for itself") == true, "\(error?.reason ?? "")")
                #expect(error?.reason.contains("constraints(.none)") == true)
            }
            box.swifty = nil
        }
    }

    @Test("is the only load that ends")
    func beside() async throws {
        let box = Box()
        let constraint = Session(timeout: .seconds(900)) { _ in
            let own = await Task.detached { () -> SwiftyError? in
                do { try await Self.token(box) } catch { return error as? SwiftyError }
                return nil
            }.value
            #expect(own?.reason.contains("Session waits for itself") == true)
            // The constraint is satisfied in another way, some time later.
            try await Task.sleep(for: .milliseconds(500))
        }
        let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
        box.swifty = swifty
        let loads = (0..<100).map { _ in Task { await failure(of: swifty) } }
        for load in loads { #expect(await load.value == nil) }
        #expect(constraint.flights == 1)
        box.swifty = nil
    }

    @Test("through two constraints ends in all forms")
    func cycle() async throws {
        await repeated { round in
            let box = Box()
            let first = Session(timeout: .seconds(900)) { _ in
                _ = try await box.swifty?.api.get("of-session").tag("key").load()
            }
            let second = Tagged("key") { constraint in
                box.swifty?.api.get("of-key").load { (outcome: NetworkResponse) in
                    constraint.finish(with: outcome.error)
                }
            }
            let constraints: [any Swifty.Hook] = round.isMultiple(of: 2) ? [first, second] : [second, first]
            let swifty = Swifty(transport: StubTransport()) { $0.use(constraints) }
            box.swifty = swifty
            let start = ContinuousClock.now
            let error = await failure(of: swifty)
            #expect(ContinuousClock.now - start < Self.sensible)
            #expect(error?.reason.contains("wait for each other") == true, "\(error?.reason ?? "")")
            for name in ["Session", "Tagged", "constraints(.none)"] {
                #expect(error?.reason.contains(name) == true)
            }
            box.swifty = nil
        }
    }

    @Test("is not assumed when one constraint needs another, which needs none")
    func chain() async throws {
        await repeated { _ in
            let box = Box()
            let needed = Tagged("key") { constraint in
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { constraint.finish() }
            }
            let needing = Session(timeout: .seconds(900)) { _ in
                _ = try await box.swifty?.api.get("token").tag("key").load()
            }
            let swifty = Swifty(transport: StubTransport()) { $0.use(needed, needing) }
            box.swifty = swifty
            async let tagged = Task { try await swifty.api.get("y").tag("key").load() }.result
            #expect(await failure(of: swifty) == nil)
            let other = await tagged
            #expect(throws: Never.self) { try other.get() }
            box.swifty = nil
        }
    }

    @Test("is not assumed when constraints are slow, whatever loads begin in the meantime", arguments: Slow.allCases)
    func slow(kind: Slow) async throws {
        let box = Box()
        let swifty = Swifty(transport: StubTransport()) { $0.use(kind.constraint(box)) }
        box.swifty = swifty
        let loads = (0..<200).map { number in
            Task {
                // Loads begin throughout the two seconds.
                try await Task.sleep(for: .milliseconds(number * 10))
                return await failure(of: swifty)
            }
        }
        let closures = (0..<20).map { number in
            AsyncStream<SwiftyError?> { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(number * 100)) {
                    swifty.api.get("x").load { (outcome: NetworkResponse) in
                        continuation.yield(outcome.error)
                        continuation.finish()
                    }
                }
            }
        }
        for load in loads { #expect(try await load.value == nil) }
        for closure in closures { for await error in closure { #expect(error == nil) } }
        box.swifty = nil
    }

    /// The ways in which a constraint takes two seconds.
    enum Slow: CaseIterable, Sendable {
        case blocks, finishesLater, sleeps, waitsForDetachedTask, waitsForContinuation, loadsUnheld, loadsItsOwn

        func constraint(_ box: Box) -> any Swifty.Hook {
            let pause = Duration.seconds(2)
            return switch self {
            case .blocks: TestConstraint(sleeping: 2)
            case .finishesLater:
                TestConstraint { constraint in
                    DispatchQueue.global().asyncAfter(deadline: .now() + 2) {
                        constraint.isSatisfied = true
                        constraint.finish()
                    }
                }
            case .sleeps: Session { _ in try await Task.sleep(for: pause) }
            case .waitsForDetachedTask:
                Session { _ in try await Task.detached { try await Task.sleep(for: pause) }.value }
            case .waitsForContinuation:
                Session { _ in
                    await withCheckedContinuation { continuation in
                        DispatchQueue.global().asyncAfter(deadline: .now() + 2) { continuation.resume() }
                    }
                }
            case .loadsUnheld:
                Session { _ in
                    try await Task.detached {
                        _ = try await box.swifty?.api.get("token").constraints(.none).load()
                        try await Task.sleep(for: pause)
                    }.value
                }
            case .loadsItsOwn:
                Session { _ in
                    for _ in 0..<20 {
                        _ = try await box.swifty?.api.get("token").load()
                        try await Task.sleep(for: pause / 20)
                    }
                }
            }
        }
    }

    @Test("that is not detected ends with the constraint's timeout, and the error names the load")
    func unnoticed() async throws {
        // The time in which the load must begin to wait.
        let error = try await withGrowing([.seconds(5), .seconds(60)]) { limit in
            let box = Box()
            let constraint = TestConstraint(timeout: limit) { constraint in
                DispatchQueue.global().async {
                    Task {
                        try? await Self.token(box)
                        constraint.finish()
                    }
                }
            }
            let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
            box.swifty = swifty
            defer { box.swifty = nil }
            let error = await failure(of: swifty)
            guard error?.reason.contains("it held GET https://api.example.com/token") == true else {
                throw ConditionTimeoutError(description: "\(error?.reason ?? "no error")")
            }
            return error
        }
        #expect(error?.code == .timedOut)
        for text in ["TestConstraint did not finish", "constraints(.none)"] {
            #expect(error?.reason.contains(text) == true, "\(error?.reason ?? "")")
        }
    }
}

/// A constraint for requests with a tag, which is satisfied by a closure.
private final class Tagged: Constraint, @unchecked Sendable {
    private let tag: String
    private let satisfy: @Sendable (Tagged) -> Void

    init(_ tag: String, satisfy: @escaping @Sendable (Tagged) -> Void) {
        (self.tag, self.satisfy) = (tag, satisfy)
    }

    override var timeout: Duration { .seconds(900) }
    override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
        !resource.hasTag(tag)
    }
    override func satisfyConstraint(for resource: NetworkResource) { satisfy(self) }
}
