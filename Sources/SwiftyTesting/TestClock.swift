// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A clock whose time stands still until a test moves it.
///
///     let clock = TestClock()
///     let task = Task { try await clock.sleep(for: .seconds(30)) }
///     await clock.waitForSleepers(1)
///     await clock.advance(by: .seconds(30))
///     try await task.value
///
/// It does not depend on real time, so a test of an hour's backoff takes no longer than its code. May be used from any
/// thread; only one task at a time should advance the clock.
public final class TestClock: Clock, Sendable {
    /// A moment, given by its distance from the clock's creation.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let offset: Duration

        /// Makes the moment at this distance from the clock's creation.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// The moment that is later by a duration.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// The time from this moment to another one; negative if the other is earlier.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Whether the first moment is earlier.
        public static func < (lhs: Instant, rhs: Instant) -> Bool {
            lhs.offset < rhs.offset
        }
    }

    private let state = Mutex(TestClockState())

    /// Makes a clock at zero.
    public init() {}

    /// The current time, zero at first.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: this clock is exact.
    public var minimumResolution: Duration { .zero }

    /// The number of tasks that sleep now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Returns when the clock has reached the deadline; immediately if it already has.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { $0.takeNumber() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                fallAsleep(TestClockState.Sleeper(number: number, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            state.withLock { $0.removeSleeper(number) }?.continuation.resume(throwing: CancellationError())
        }
        // Awake: the task that advances the clock may continue.
        state.withLock { $0.movers.removeValue(forKey: number) }?.resume()
    }

    /// Advances the clock, and wakes the sleepers whose deadlines are reached, the earliest first.
    ///
    /// Each sleeper finds the clock at exactly its deadline. Before the next one is woken and before this returns,
    /// other tasks get the chance to run, so that a woken task can sleep again; a second sleep that ends within the
    /// same duration also ends. A test that must be certain that a task sleeps calls ``waitForSleepers(_:)`` first.
    public func advance(by duration: Duration) async {
        await advance(to: now.advanced(by: duration))
    }

    /// Advances the clock to a moment; see ``advance(by:)``. A moment in the past has no effect.
    public func advance(to instant: Instant) async {
        await Self.letOthersRun()
        while let sleeper = state.withLock({ $0.wake(until: instant) }) {
            await wake(sleeper)
        }
        state.withLock { $0.move(to: instant) }
    }

    /// Advances the clock from deadline to deadline until no task sleeps.
    ///
    /// If a task keeps sleeping again, this returns only when its own task is cancelled.
    public func run() async {
        await Self.letOthersRun()
        while !Task.isCancelled, let sleeper = state.withLock({ $0.wake(until: nil) }) {
            await wake(sleeper)
        }
    }

    /// Returns when at least `count` tasks sleep, or when the calling task is cancelled.
    ///
    /// If that takes ten seconds of real time, a line on standard error says how many sleep, since the count is then
    /// probably wrong.
    public func waitForSleepers(_ count: Int) async {
        let warning = Task.detached {
            guard (try? await Task.sleep(for: .seconds(10))) != nil else { return }
            let sleeping = self.state.withLock { $0.sleepers.count }
            let text = "TestClock.waitForSleepers(\(count)) still waits: \(sleeping) sleep after ten seconds\n"
            FileHandle.standardError.write(Data(text.utf8))
        }
        defer { warning.cancel() }
        let number = state.withLock { $0.takeNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isDone = state.withLock { state in
                    if state.sleepers.count >= count || Task.isCancelled { return true }
                    state.observers[number] = TestClockState.Observer(count: count, continuation: continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.observers.removeValue(forKey: number) }?.continuation.resume()
        }
    }

    private func fallAsleep(_ sleeper: TestClockState.Sleeper) {
        let isCancelled = Task.isCancelled
        let (isAwake, observers) = state.withLock { state in
            if isCancelled || Task.isCancelled || sleeper.deadline <= state.now {
                return (true, [TestClockState.Observer]())
            }
            state.insert(sleeper)
            return (false, state.takeObservers())
        }
        for observer in observers { observer.continuation.resume() }
        guard isAwake else { return }
        sleeper.continuation.resume(with: Task.isCancelled ? .failure(CancellationError()) : .success(()))
    }

    /// Resumes a sleeper, waits until its task runs, and lets it proceed.
    private func wake(_ sleeper: TestClockState.Sleeper) async {
        await withCheckedContinuation { (mover: CheckedContinuation<Void, Never>) in
            state.withLock { $0.movers[sleeper.number] = mover }
            sleeper.continuation.resume()
        }
        await Self.letOthersRun()
    }

    /// Gives tasks that are ready the chance to run, as far as that is possible with several threads.
    private static func letOthersRun() async {
        for _ in 0..<10 {
            await Task.yield()
            await Task.detached(priority: .background) { await Task.yield() }.value
        }
    }
}

/// The time, the sleeping tasks, and the tasks that wait for sleepers.
private struct TestClockState {
    struct Sleeper {
        let number: Int
        let deadline: TestClock.Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    struct Observer {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private(set) var now = TestClock.Instant(offset: .zero)
    /// In the order of their deadlines; with equal deadlines in the order of arrival.
    private(set) var sleepers: [Sleeper] = []
    var observers: [Int: Observer] = [:]
    /// Tasks that advance the clock and wait until the sleeper of this number runs.
    var movers: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastNumber = 0

    mutating func takeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func insert(_ sleeper: Sleeper) {
        let index = sleepers.firstIndex { $0.deadline > sleeper.deadline } ?? sleepers.endIndex
        sleepers.insert(sleeper, at: index)
    }

    mutating func removeSleeper(_ number: Int) -> Sleeper? {
        sleepers.firstIndex { $0.number == number }.map { sleepers.remove(at: $0) }
    }

    mutating func takeObservers() -> [Observer] {
        let ready = observers.filter { $0.value.count <= sleepers.count }
        for number in ready.keys { observers[number] = nil }
        return Array(ready.values)
    }

    /// Removes the first sleeper and moves the time to its deadline, if that is not after the limit.
    mutating func wake(until limit: TestClock.Instant?) -> Sleeper? {
        guard let first = sleepers.first, limit.map({ first.deadline <= $0 }) ?? true else { return nil }
        move(to: first.deadline)
        return sleepers.removeFirst()
    }

    mutating func move(to instant: TestClock.Instant) {
        now = max(now, instant)
    }
}
