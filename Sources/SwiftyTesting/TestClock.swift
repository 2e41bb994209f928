// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A clock whose time stands still until a test moves it.
///
///     let clock = TestClock()
///     let task = Task { try await clock.sleep(for: .seconds(30)) }
///     await clock.waitForSleepers(1)
///     await clock.advance(by: .seconds(30))
///     try await task.value
///
/// Nothing about it depends on real time, so a test of an hour's backoff takes no longer than its code. May be used from
/// any thread; only one task at a time should move the time.
public final class TestClock: Clock, Sendable {
    /// A moment, told by its distance from the clock's creation.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let offset: Duration

        /// Makes the moment that is so long after the clock's creation.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// The moment that is so much later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// The time from this moment to another one; negative if that is earlier.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Orders by time.
        public static func < (lhs: Instant, rhs: Instant) -> Bool {
            lhs.offset < rhs.offset
        }
    }

    private let state = Mutex(TestClockState())

    /// Makes a clock that stands at zero.
    public init() {}

    /// The current time, zero at first.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: this clock is exact.
    public var minimumResolution: Duration { .zero }

    /// How many sleep now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Returns when the time has been moved to the deadline, or beyond; at once if it is there already.
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
        // Awake: whoever moves the time may go on.
        state.withLock { $0.movers.removeValue(forKey: number) }?.resume()
    }

    /// Moves the time, and wakes those whose deadline is reached on the way, the earliest first.
    ///
    /// Each of them finds the clock at exactly its deadline. Before the next one is woken and before this returns, other
    /// tasks get the chance to run, so that who was woken can go to sleep again; a second sleep that ends within the same
    /// time is served too. A test that has to be certain that somebody sleeps says so with ``waitForSleepers(_:)``.
    public func advance(by duration: Duration) async {
        await advance(to: now.advanced(by: duration))
    }

    /// Moves the time to a moment; see ``advance(by:)``. A moment in the past has no effect.
    public func advance(to instant: Instant) async {
        await Self.letOthersRun()
        while let sleeper = state.withLock({ $0.wake(until: instant) }) {
            await wake(sleeper)
        }
        state.withLock { $0.move(to: instant) }
    }

    /// Moves the time from deadline to deadline until nobody sleeps.
    ///
    /// What goes to sleep again and again for ever makes this wait for ever, until its task is cancelled.
    public func run() async {
        await Self.letOthersRun()
        while !Task.isCancelled, let sleeper = state.withLock({ $0.wake(until: nil) }) {
            await wake(sleeper)
        }
    }

    /// Returns when at least so many sleep, or when the task is cancelled.
    public func waitForSleepers(_ count: Int) async {
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

    /// Resumes a sleeper, waits until its task really runs, and lets it get somewhere.
    private func wake(_ sleeper: TestClockState.Sleeper) async {
        await withCheckedContinuation { (mover: CheckedContinuation<Void, Never>) in
            state.withLock { $0.movers[sleeper.number] = mover }
            sleeper.continuation.resume()
        }
        await Self.letOthersRun()
    }

    /// Lets what is ready to run do so, as far as that can be said of several threads.
    private static func letOthersRun() async {
        for _ in 0..<10 {
            await Task.yield()
            await Task.detached(priority: .background) { await Task.yield() }.value
        }
    }
}

/// Who sleeps and who waits for sleepers.
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
    /// In the order of their deadlines; those with the same one in the order in which they came.
    private(set) var sleepers: [Sleeper] = []
    var observers: [Int: Observer] = [:]
    /// Those who move the time and wait until the sleeper of this number runs.
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
