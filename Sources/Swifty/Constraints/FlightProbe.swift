// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

/// Finds the loads that the task of a flight waits for, through any number of other tasks.
///
/// A task passes its priority on to the tasks that it waits for (SE-0462): child tasks, and a `Task.detached` whose
/// value it awaits. The probe raises the priority of the flight's task a little. The flight waits for exactly those
/// loads whose tasks are escalated by that call.
final class FlightProbe: Sendable {
    private struct State {
        var probes: UInt8 = 0
        var isScheduled = false
    }

    /// The loads that a running probe has found.
    private final class Findings: Sendable {
        let waits = Mutex<[ConstraintWait]>([])
    }

    @TaskLocal private static var findings: Findings?

    /// The upper bound of the priorities. Each probe needs a higher priority than the one before.
    private static let highest = TaskPriority.high.rawValue + 7

    private let flight: FlightID
    private let task: Task<Void, Never>
    private let state = Mutex(State())

    init(_ flight: FlightID, _ task: Task<Void, Never>) {
        self.flight = flight
        self.task = task
    }

    /// Schedules a probe, because a load has started to wait for the flight. The pauses between probes grow, because
    /// the priorities allow only about ten.
    func schedule() {
        let pause: Duration? = state.withLock { state in
            guard !state.isScheduled, TaskPriority.medium.rawValue + state.probes < Self.highest else { return nil }
            state.isScheduled = true
            return .milliseconds(50 << Int(state.probes))
        }
        guard let pause else { return }
        ConstraintGate.watch.run(after: pause) { [weak self] in self?.probe() }
    }

    private func probe() {
        let priority = state.withLock { state in
            state.isScheduled = false
            state.probes += 1
            return TaskPriority(rawValue: TaskPriority.medium.rawValue + state.probes)
        }
        let findings = Findings()
        Self.$findings.withValue(findings) { task.escalate(to: priority) }
        for wait in findings.waits.withLock(\.self) { wait.recordDependent(flight) }
    }

    /// Calls the closure, and adds the wait to the findings of probes that reach the current task in the meantime.
    static func whileProbed(_ wait: ConstraintWait, _ body: () async -> Void) async {
        guard #available(macOS 26, iOS 26, *) else { return await body() }
        await withTaskPriorityEscalationHandler {
            await body()
        } onPriorityEscalated: { _, _ in
            // Called on the probe's thread while the task is locked, so it only records the wait.
            findings?.waits.withLock { $0.append(wait) }
        }
    }
}

extension Task {
    fileprivate func escalate(to priority: TaskPriority) {
        if #available(macOS 26, iOS 26, *) { escalatePriority(to: priority) }
    }
}
