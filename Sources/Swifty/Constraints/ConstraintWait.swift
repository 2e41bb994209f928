// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SwiftySupport
import Synchronization

/// The wait of one load for all of its constraints.
///
/// It waits on a `DispatchGroup`, which holds no thread. The first failure ends it.
final class ConstraintWait: Sendable {
    private struct Place {
        let constraint: Constraint
        let number: Int

        var gate: ConstraintGate { constraint.gate }
    }

    private struct State {
        var places: [Int: Place] = [:]
        var open: Set<Int> = []
        var ends: [Int: Duration] = [:]
        var error: SwiftyError?
        var selfWait = SelfWait()

        var placesInOrder: [Place] { places.sorted { $0.key < $1.key }.map(\.value) }
    }

    private let group = DispatchGroup()
    private let state = Mutex(State())
    private let clock: LoadClock
    private let start: Duration

    private init(_ clock: LoadClock) {
        self.clock = clock
        start = clock.now()
    }

    /// The records of waits if all constraints are known to be satisfied; `nil` if one of them has to be asked.
    static func recordsIfSatisfied(
        _ constraints: [Constraint],
        for resource: NetworkResource
    ) -> [LoadMetrics.ConstraintWait]? {
        guard Constraint.flights.isEmpty else { return nil }
        for constraint in constraints where !constraint.isKnownSatisfied(for: resource) { return nil }
        return constraints.map { LoadMetrics.ConstraintWait(name: $0.constraintName, duration: .zero) }
    }

    /// Waits until all constraints are satisfied, asking them simultaneously.
    ///
    /// - Returns: The time for which each constraint held the load.
    /// - Throws: The error of the first constraint that failed, or that of the load's cancellation or deadline. The
    ///   error's `metrics` contain the times.
    @discardableResult
    static func waitUntilSatisfied(
        _ constraints: [Constraint],
        for resource: NetworkResource,
        cancellation: LoadCancellation,
        deadline: Deadline?,
        clock: LoadClock
    ) async throws(SwiftyError) -> [LoadMetrics.ConstraintWait] {
        // A load that belongs to a constraint's flight is not held by that constraint.
        let relevant = Constraint.flights.isEmpty ? constraints : constraints.filter { !$0.isBeingSatisfiedHere }
        if relevant.isEmpty { return [] }
        if cancellation.code != nil { throw endError(cancellation) }
        let open = relevant.indices.filter { !relevant[$0].isKnownSatisfied(for: resource) }
        if open.isEmpty { return relevant.map { LoadMetrics.ConstraintWait(name: $0.constraintName, duration: .zero) } }
        let wait = ConstraintWait(clock)
        wait.enter(relevant, open: open, for: resource)
        wait.recordMakers()
        let registration = cancellation.onCancel { _ in wait.end(with: endError(cancellation)) }
        let timer = deadline.map { deadline in
            deadline.whenReached { wait.end(with: deadline.error(at: .constraint)) }
        }
        await wait.waitUntilEmpty()
        timer?.cancel()
        cancellation.remove(registration)
        return try wait.outcome(relevant)
    }

    private func enter(_ constraints: [Constraint], open: [Int], for resource: NetworkResource) {
        state.withLock { state in
            state.open = Set(open)
            state.ends = Dictionary(uniqueKeysWithValues: constraints.indices.map { ($0, start) })
            for index in open { state.ends[index] = nil }
        }
        for _ in open { group.enter() }
        for index in open {
            let constraint = constraints[index]
            let waiter = ConstraintGate.Waiter(resource: resource, wait: self, clock: clock) { [self] error in
                leave(index, error)
            }
            let number = constraint.gate.hold(waiter, for: constraint)
            store(Place(constraint: constraint, number: number), index)
        }
    }

    /// Stores the place in a gate, for ``end(with:)``, or leaves the gate if the wait for it has ended already.
    private func store(_ place: Place, _ index: Int) {
        let isOpen = state.withLock { state in
            if state.open.contains(index) { state.places[index] = place }
            return state.open.contains(index)
        }
        if !isOpen { place.gate.leave(place.number) }
    }

    private func leave(_ index: Int, _ error: SwiftyError?) {
        if let error { return end(with: error) }
        let now = clock.now()
        let wasOpen = state.withLock { state in
            state.places[index] = nil
            state.ends[index] = now
            return state.open.remove(index) != nil
        }
        if wasOpen { group.leave() }
    }

    /// Ends the wait for all constraints that are still open.
    private func end(with error: SwiftyError) {
        let (count, places) = state.withLock { state in
            defer { (state.open, state.places) = ([], [:]) }
            if !state.open.isEmpty, state.error == nil { state.error = error }
            return (state.open.count, state.placesInOrder)
        }
        for place in places { place.gate.leave(place.number) }
        for _ in 0..<count { group.leave() }
    }

    private func waitUntilEmpty() async {
        await FlightProbe.whileProbed(self) {
            await withCheckedContinuation { continuation in
                ConstraintGate.watch.run(atEndOf: group) { continuation.resume() }
            }
        }
    }

    private func outcome(_ constraints: [Constraint]) throws(SwiftyError) -> [LoadMetrics.ConstraintWait] {
        let (ends, error) = state.withLock { ($0.ends, $0.error) }
        let now = clock.now()
        let records = constraints.enumerated().map { index, constraint in
            LoadMetrics.ConstraintWait(name: constraint.constraintName, duration: (ends[index] ?? now) - start)
        }
        guard var error else { return records }
        var metrics = error.metrics ?? LoadMetrics()
        metrics.constraintWaits = records
        error.metrics = metrics
        throw error
    }

    private static func endError(_ cancellation: LoadCancellation) -> SwiftyError {
        SwiftyError(cancellation.code ?? .cancelled, stage: .constraint, reason: cancellation.endReason)
    }
}

extension ConstraintWait {
    /// The interval between two checks of a load that a flight may wait for.
    private static let interval = Duration.milliseconds(100)

    /// Whether this flight is known to wait for the load.
    func isAwaited(by flight: FlightID) -> Bool {
        state.withLock { $0.selfWait.dependents.contains(flight) }
    }

    /// Records that the flight waits for this load.
    func recordDependent(_ flight: FlightID) {
        update { $0.dependents.insert(flight) }
    }

    /// Records the flight that the load belongs to.
    private func recordMakers() {
        let flights = Constraint.flights.map(FlightID.init)
        if !flights.isEmpty { update { $0.dependents.formUnion(flights) } }
    }

    private func update(_ change: (inout SelfWait) -> Void) {
        let isFirst = state.withLock { state in
            let wasPossible = state.selfWait.isPossible
            change(&state.selfWait)
            return !wasPossible && state.selfWait.isPossible
        }
        if isFirst { scheduleCheck() }
    }

    private func scheduleCheck() {
        ConstraintGate.watch.run(after: Self.interval) { [weak self] in self?.check() }
    }

    private func check() {
        let (places, selfWait) = state.withLock { ($0.placesInOrder, $0.selfWait) }
        guard let board = places.first?.constraint.board else { return }
        let cycle = selfWait.cycle(ofLoadHeldBy: places.compactMap { $0.gate.flight(holding: $0.number) }, on: board)
        let isConfirmed = state.withLock { $0.selfWait.confirm(cycle) }
        if isConfirmed, let cycle { end(with: Constraint.selfWaitError(cycle.description)) } else { scheduleCheck() }
    }
}
