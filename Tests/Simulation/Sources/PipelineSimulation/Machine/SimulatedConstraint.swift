// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty

/// The error of a flight that fails.
struct FlightFailure: Error {
    let flight: Int
}

extension NetworkResource {
    /// The number of the load; -1 for another one.
    var loadNumber: Int { draft.headers[.loadNumber].flatMap { Int($0) } ?? -1 }
}

/// A constraint with blocking methods, whose flights end later.
// Safety: the one thread of the simulation uses it.
final class BlockingConstraint: Constraint, @unchecked Sendable {
    let record: ConstraintRecord

    init(_ record: ConstraintRecord) {
        self.record = record
        super.init()
    }

    override var constraintName: String { record.name }
    override var timeout: Duration { .planned(record.plan.timeout) }

    override func isKnownSatisfied(for resource: NetworkResource) -> Bool { record.answersKnown(resource.loadNumber) }

    override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
        record.beginQuestion(resource.loadNumber)
        return record.endQuestion(resource.loadNumber, record.isSatisfied)
    }

    override func invalidate(after response: NetworkResponse) -> Bool {
        record.invalidate(response.request?.headers[.credential])
    }

    override func satisfyConstraint(for resource: NetworkResource) {
        let (flight, plan) = record.beginFlight(resource.loadNumber)
        let (own, world) = (self.flight, record.history.world)
        let time = plan.time.milliseconds
        let end = { @Sendable [self] (succeeds: Bool) in
            record.endFlight(flight, succeeds: succeeds)
            own?.finish(with: succeeds ? nil : FlightFailure(flight: flight.number))
        }
        switch plan.ending {
        case .success: world.after(time) { end(true) }
        case .failure: world.after(time) { end(false) }
        case .never: break
        case .twice(let later):
            world.after(time) {
                end(true)
                world.after(later.milliseconds) { own?.finish() }
            }
        case .lost:
            world.after(time) { [self] in
                record.endFlight(flight, succeeds: true, isExact: false)
                finish()
            }
        case .lostFailure:
            world.after(time) { [self] in
                record.endFlight(flight, succeeds: false, isExact: false)
                finish(with: FlightFailure(flight: flight.number))
            }
        case .withLoad: load(in: record) { succeeds in world.after(time) { end(succeeds) } }
        case .withDetachedLoad:
            world.soon { [self] in load(in: nil) { succeeds in world.after(time) { end(succeeds) } } }
        }
    }
}

extension BlockingConstraint {
    /// Makes a load for a flight.
    private func load(in maker: ConstraintRecord?, _ completion: @escaping @Sendable (Bool) -> Void) {
        guard let run = record.history.makeRun(ofFlightOf: maker) else { return completion(true) }
        run.load { completion($0 == nil) }
    }
}

/// A constraint with `async` methods.
final class TaskConstraint: AsyncConstraint {
    let record: ConstraintRecord

    init(_ record: ConstraintRecord) {
        self.record = record
    }

    var constraintName: String { record.name }
    var timeout: Duration { .planned(record.plan.timeout) }

    func isKnownSatisfied(for resource: NetworkResource) -> Bool { record.answersKnown(resource.loadNumber) }

    func isSatisfied(for resource: NetworkResource) async -> Bool {
        record.beginQuestion(resource.loadNumber)
        // The answer is that of the beginning, and may be out of date when it arrives.
        let answer = record.isSatisfied
        await record.history.clock.wait(record.timeOfNextAnswer())
        return record.endQuestion(resource.loadNumber, answer)
    }

    func invalidate(after response: NetworkResponse) -> Bool {
        record.invalidate(response.request?.headers[.credential])
    }

    func satisfy(for resource: NetworkResource) async throws {
        let (flight, plan) = record.beginFlight(resource.loadNumber)
        do {
            if case .never = plan.ending { try await record.history.clock.sleep(for: .seconds(1_000)) }
            if case .withLoad = plan.ending, let run = record.history.makeRun(ofFlightOf: record) {
                try await run.load()
            }
            if case .withDetachedLoad = plan.ending, let run = record.history.makeRun(ofFlightOf: nil) {
                let result = await Task.detached { try await run.load() }.result
                record.checkSelfWait(run)
                try result.get()
            }
            if plan.time > 0 { try await record.history.clock.sleep(for: .planned(plan.time)) }
            record.checkCancelled(flight, isCancelled: Task.isCancelled)
            if plan.fails { throw FlightFailure(flight: flight.number) }
            record.endFlight(flight, succeeds: true)
        } catch {
            record.endFlight(flight, succeeds: false)
            throw error
        }
    }
}
