// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty

/// The loads in flight with their levels, as the events of the pipeline show them.
struct LevelRecord {
    private struct Entry {
        let level: Int
        let number: Int
        /// Its wait, with the number of the event that began it; `nil` if it does not wait, or not yet.
        var wait: (number: Int, time: Int64)?
    }

    private var entries: [UInt64: Entry] = [:]
    private var lastNumber = 0
    /// The last times at which a load of a higher level than this one was in flight.
    private var heldUntil: [Int: Int64] = [:]
    /// The time since when some deferrable load waits; `nil` if none does.
    private var deferral: Int64?
    /// The latest end of the second after a limit, in which deferrable loads pass.
    private var passEnd: Int64 = .min

    mutating func observe(_ event: Swifty.Event, of load: UInt64, _ run: LoadRun) {
        lastNumber += 1
        let (now, limit) = (run.world.now, (run.history.plan.setup.deferralLimit ?? 0).milliseconds)
        if let deferral, now - deferral >= limit { passEnd = now + 1_000.milliseconds }
        for level in 0...1 where entries.values.contains(where: { $0.level > level }) { heldUntil[level] = now }
        switch event {
        case .created: entries[load] = Entry(level: run.plan.level, number: lastNumber)
        case .waiting where entries[load]?.wait == nil:
            entries[load]?.wait = (lastNumber, now)
            if run.plan.level == 0 { deferral = deferral ?? now }
        case .attemptStarted(1):
            checkBegin(of: load, run)
            entries[load]?.wait = nil
        case .finished:
            if !run.isMocked, run.history.plan.setup.responseHook == nil { checkEnd(of: load, run) }
            entries[load] = nil
        default: break
        }
        if !entries.values.contains(where: { $0.level == 0 && $0.wait != nil }) { deferral = nil }
    }

    /// No load of a higher level was in flight for the whole wait of this one.
    private func checkBegin(of load: UInt64, _ run: LoadRun) {
        guard let entry = entries[load], let wait = entry.wait, run.maker == nil, !run.history.isLate else { return }
        // It may have passed the gate of its level, and waited for a critical load since.
        let mayPass = entry.level == 0 && wait.time < passEnd
        let isHeld = entries.contains { id, other in
            id != load && other.level > entry.level && other.number < wait.number && (other.level == 2 || !mayPass)
        }
        run.world.expect(
            !isHeld,
            "a load begins when no load of a higher level is in flight",
            "load \(run.number), level \(entry.level)"
        )
        checkEnd(of: load, run)
    }

    /// What a load waits for is still there.
    private func checkEnd(of load: UInt64, _ run: LoadRun) {
        guard let entry = entries[load], let wait = entry.wait, run.history.constraints.isEmpty, !run.history.isLate
        else { return }
        let isFree = max(wait.time, heldUntil[entry.level] ?? .min) < run.world.now
        run.world.expect(!isFree, "a load waits no longer than for loads of a higher level", "load \(run.number)")
    }
}
