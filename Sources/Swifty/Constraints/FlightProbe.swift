// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Finds the loads that the task of a flight waits for, through any number of other tasks.
///
/// A task lends its priority to those that it waits for (SE-0462): to child tasks, and to a `Task.detached` whose value it
/// wants. So the probe raises the flight's priority a little, and a load whose task is raised by that very call is waited
/// for. No other load is.
final class FlightProbe: Sendable {
    private struct State {
        var probes: UInt8 = 0
        var isScheduled = false
    }

    /// The loads that the probe under way has found.
    private final class Findings: Sendable {
        let waits = Mutex<[ConstraintWait]>([])
    }

    @TaskLocal private static var findings: Findings?

    /// Each probe needs a higher priority than the one before; the highest is that of user interfaces.
    private static let highest = TaskPriority.high.rawValue + 7

    private let flight: FlightID
    private let task: Task<Void, Never>
    private let state = Mutex(State())

    init(_ flight: FlightID, _ task: Task<Void, Never>) {
        self.flight = flight
        self.task = task
    }

    /// A load has come to wait for the flight: looks soon whether the flight waits for the load. The further probes come less
    /// and less often, as there are only some ten.
    func schedule() {
        let pause: DispatchTimeInterval? = state.withLock { state in
            guard !state.isScheduled, TaskPriority.medium.rawValue + state.probes < Self.highest else { return nil }
            state.isScheduled = true
            return .milliseconds(50 << Int(state.probes))
        }
        guard let pause else { return }
        ConstraintGate.watch.asyncAfter(deadline: .now() + pause) { [weak self] in self?.probe() }
    }

    private func probe() {
        let priority = state.withLock { state in
            state.isScheduled = false
            state.probes += 1
            return TaskPriority(rawValue: TaskPriority.medium.rawValue + state.probes)
        }
        let findings = Findings()
        Self.$findings.withValue(findings) { task.escalate(to: priority) }
        for wait in findings.waits.withLock(\.self) { wait.noteDependent(flight) }
    }

    /// Calls the closure, and notices in the meantime whether a probe finds the task that it is called in.
    static func whileProbed(_ wait: ConstraintWait, _ body: () async -> Void) async {
        guard #available(macOS 26, iOS 26, *) else { return await body() }
        await withTaskPriorityEscalationHandler {
            await body()
        } onPriorityEscalated: { _, _ in
            // Called by the probe, on its thread. The task is locked meanwhile, so it is only noted.
            findings?.waits.withLock { $0.append(wait) }
        }
    }
}

extension Task {
    fileprivate func escalate(to priority: TaskPriority) {
        if #available(macOS 26, iOS 26, *) { escalatePriority(to: priority) }
    }
}
