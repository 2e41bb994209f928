// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SwiftySupport
import Synchronization

/// Holds the loads that wait for one constraint, and runs one flight at a time to satisfy it.
final class ConstraintGate: Sendable {
    /// A load that is held, and the closure that releases it.
    struct Waiter: Sendable {
        let resource: NetworkResource
        /// The load's wait for all of its constraints.
        var wait: ConstraintWait?
        /// The clock of the time limit, if this load starts a flight.
        var clock = LoadClock(ContinuousClock())
        /// Called once, with `nil` if the load may continue.
        let proceed: @Sendable (SwiftyError?) -> Void
        /// Lets the questions about this load continue when a flight has landed.
        let turn = Turn()
    }

    /// The queue for probes and the ends of waits. It runs no user code, so nothing can block it.
    static let watch = DispatchQueue(label: "swifty.constraint.watch")

    private let state = Mutex(GateState())
    /// Asks the constraint about one request at a time.
    let askingExecutor = QueueExecutor(DispatchQueue(label: "swifty.constraint"))

    /// Holds a load until the constraint is satisfied for it.
    ///
    /// - Returns: The waiter's number, for ``leave(_:)``.
    func hold(_ waiter: Waiter, for constraint: Constraint) -> Int {
        let number = state.withLock { $0.register(waiter) }
        // Created by the load's own task, so that the constraint's methods see the task-local values of its caller.
        Task(executorPreference: constraint.askingExecutor, priority: .medium) { [self] in
            await ask(number, constraint: constraint, turn: waiter.turn)
        }
        return number
    }

    /// Removes a waiter whose load has ended. Its closure is not called any more.
    func leave(_ number: Int) {
        let departure = state.withLock { $0.remove(number) }
        departure.waiter?.turn.end()
        departure.abandon?()
    }

    /// Releases a waiter that has departed, with the error of its flight if it has one.
    private func release(_ departure: GateState.Departure, with error: SwiftyError?) {
        departure.abandon?()
        departure.waiter?.proceed(error)
    }

    /// Whether the flight or the question with this number is under way.
    func isUnderWay(_ number: Int) -> Bool {
        state.withLock { $0.isUnderWay(number) }
    }

    /// Calls the action when the flight ends or no load waits for it any more; immediately if this is already so.
    func onEnd(ofFlight flight: Int, _ action: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { $0.onEnd(ofFlight: flight, action) }
        if isOver { action() }
    }

    /// Starts a probe for loads that the flight waits for.
    func attach(_ probe: FlightProbe, toFlight flight: Int) {
        state.withLock { $0.attach(probe, toFlight: flight) }
        probe.schedule()
    }

    /// The flight that a waiter waits for; `nil` if it waits for none, or has left.
    func flight(holding number: Int) -> FlightID? {
        state.withLock { $0.flight(holding: number) }
    }

    /// Whether this gate's flight `own` holds a load that another flight waits for.
    func holdsLoad(of flight: FlightID, untilEndOf own: Int) -> Bool {
        let waits = state.withLock { $0.isInProgress(own) ? $0.waitingForFlight : [] }
        return waits.contains { $0.isAwaited(by: flight) }
    }

    /// Ends the flight with this number; with `nil`, the flight in progress, if the call can belong to it.
    func finish(flight: Int?, of constraint: Constraint, with error: SwiftyError?) {
        switch state.withLock({ $0.finish(flight, isFailure: error != nil) }) {
        case .ignore: break
        case .land(let flight): land(flight, with: error)
        case .verify(let flight, let resource):
            // Detached: the question belongs to no load.
            Task.detached(executorPreference: constraint.askingExecutor) { [self] in
                let isSatisfied = await isSatisfied(constraint, for: resource)
                if state.withLock({ $0.confirm(isSatisfied: isSatisfied) }) { land(flight, with: nil) }
            }
        }
    }

    private func land(_ flight: Int, isTimeout: Bool = false, with error: SwiftyError?) {
        let landing = state.withLock { $0.land(flight, isTimeout: isTimeout, with: error) }
        guard let landing else { return }
        landing.timer?.cancel()
        landing.constraint.board.remove(landing.flight)
        landing.onEnd?()
        for waiter in landing.released {
            waiter.turn.end()
            waiter.proceed(error)
        }
        for number in landing.asking { state.withLock { $0.waiter(number) }?.turn.come() }
    }

    /// Asks about one load, and again after each flight that it has waited for, until the load continues or ends.
    private func ask(_ number: Int, constraint: Constraint, turn: Turn) async {
        while let resource = state.withLock({ $0.beginAsking(number) }) {
            if await isSatisfied(constraint, for: resource) {
                return release(state.withLock { $0.remove(number) }, with: nil)
            }
            switch state.withLock({ $0.board(number, constraint) }) {
            case .wait(let probe):
                probe?.schedule()
                guard await turn.wait() else { return }
            case .askAgain: break
            case .fail(let departure, let error): return release(departure, with: error)
            case .start(let flight, let waiter): return start(flight, constraint, for: waiter)
            }
        }
    }

    /// Asks whether a request may be sent. After the answer, loads of code that the question has started, such as a
    /// task, are held.
    private func isSatisfied(_ constraint: Constraint, for resource: NetworkResource) async -> Bool {
        let question = state.withLock { $0.beginQuestion() }
        defer { state.withLock { $0.endQuestion(question) } }
        return await constraint.answer(question, about: resource)
    }

    private func start(_ flight: Int, _ constraint: Constraint, for waiter: Waiter) {
        let limit = constraint.timeout
        let clock = waiter.clock
        let timer = clock.timer(at: clock.now() + max(limit, .zero)) { [weak self, weak constraint] in
            guard let self, let constraint, isUnderWay(flight) else { return }
            let error = constraint.timeoutError(limit, passengers: state.withLock { $0.passengers })
            land(flight, isTimeout: true, with: error)
        }
        if !state.withLock({ $0.attach(timer, toFlight: flight) }) { timer.cancel() }
        let id = FlightID(constraint: ObjectIdentifier(constraint), number: flight)
        constraint.board.insert(id, of: constraint)
        constraint.start(flight: flight, for: waiter.resource)
    }
}
