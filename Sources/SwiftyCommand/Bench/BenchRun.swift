// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import Synchronization

/// Sends loads with many in flight, and counts their outcomes.
///
/// Each worker counts on its own and adds to the common results every 256 loads or 100 ms, so that workers rarely
/// compete for the lock.
final class BenchRun: Sendable {
    /// Makes the draft of a load by its number.
    typealias MakeDraft = @Sendable (Int) -> RequestDraft

    let plan: BenchPlan
    private let interface: any NetworkInterface
    private let makeDraft: MakeDraft
    private let start = ContinuousClock.now
    private let tickets = Atomic<Int>(0)
    private let isStopped = Atomic<Bool>(false)
    private let shared = Mutex(BenchResults())

    init(_ plan: BenchPlan, _ interface: any NetworkInterface, makeDraft: @escaping MakeDraft) {
        self.plan = plan
        self.interface = interface
        self.makeDraft = makeDraft
    }

    var results: BenchResults { shared.withLock { $0 } }

    /// The time since the run was made.
    var elapsed: Duration { ContinuousClock.now - start }

    /// Starts no more loads; those in flight continue.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// Returns when all loads have ended.
    func run() async {
        await withDiscardingTaskGroup { group in
            for _ in 0..<plan.concurrency { group.addTask { await self.work() } }
        }
    }

    private func work() async {
        var tally = Tally()
        var merged = ContinuousClock.now
        while let number = nextTicket() {
            guard let begin = await waitUntilDue(number) else { break }
            let outcome = await load(number)
            let end = ContinuousClock.now
            tally.add(outcome, latency: Self.nanoseconds(end - begin), matches: matches(outcome))
            if tally.requests >= 256 || end - merged > .milliseconds(100) {
                merge(&tally)
                merged = end
            }
        }
        merge(&tally)
    }

    private func nextTicket() -> Int? {
        if isStopped.load(ordering: .relaxed) { return nil }
        if let duration = plan.duration, elapsed >= duration { return nil }
        let number = tickets.wrappingAdd(1, ordering: .relaxed).oldValue
        if let loads = plan.loads, number >= loads { return nil }
        return number
    }

    /// Waits until a load is due, and returns the moment from which its time counts: with a rate, the time at which it
    /// was due, so that a slow server does not hide the loads that it has delayed. Returns `nil` if the run ends first.
    private func waitUntilDue(_ number: Int) async -> ContinuousClock.Instant? {
        guard let due = plan.due(number) else { return .now }
        if let duration = plan.duration, due >= duration { return nil }
        let moment = start + due
        while !isStopped.load(ordering: .relaxed) {
            let now = ContinuousClock.now
            if now >= moment { return moment }
            try? await Task.sleep(until: min(moment, now + .milliseconds(100)), tolerance: .zero, clock: .continuous)
        }
        return nil
    }

    private func merge(_ tally: inout Tally) {
        if tally.requests == 0 { return }
        shared.withLock { $0.merge(tally) }
        tally = Tally()
    }

    private static func nanoseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) &* 1_000_000_000 &+ Int(attoseconds / 1_000_000_000)
    }
}

extension BenchRun {
    private func load(_ number: Int) async -> NetworkResponse {
        let cancellation = LoadCancellation()
        guard plan.cancelledShare > 0, .random(in: 0..<1) < plan.cancelledShare else {
            return await interface.load(makeDraft(number), cancellation: cancellation)
        }
        // Within the average duration of a load so far; before the first, within a millisecond.
        let mean = max(results.latencies.mean, 1_000_000)
        let delay = Duration.nanoseconds(Int(Double.random(in: 0..<1) * mean))
        let timer = Task {
            try await Task.sleep(for: delay, tolerance: .zero)
            cancellation.cancel()
        }
        defer { timer.cancel() }
        return await interface.load(makeDraft(number), cancellation: cancellation)
    }

    private func matches(_ outcome: NetworkResponse) -> Bool {
        guard let expected = plan.expectedSHA256, outcome.error == nil else { return true }
        return SHA256.hash(Array(outcome.data ?? Data())).hexadecimal == expected
    }
}
