// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The clock of a `Swifty`, as two functions: the time since the clock was taken, and sleep.
///
/// `any Clock<Duration>` cannot tell its time without naming the type of its instants; here that type is closed over.
struct LoadClock: Sendable {
    /// The time since this value was made.
    let now: @Sendable () -> Duration
    private let sleepFor: @Sendable (Duration) async throws -> Void

    init(_ clock: any Clock<Duration>) {
        self = Self.open(clock)
    }

    private init(now: @escaping @Sendable () -> Duration, sleepFor: @escaping @Sendable (Duration) async throws -> Void)
    {
        self.now = now
        self.sleepFor = sleepFor
    }

    private static func open<SomeClock: Clock<Duration>>(_ clock: SomeClock) -> LoadClock {
        let start = clock.now
        return LoadClock(now: { start.duration(to: clock.now) }, sleepFor: { try await clock.sleep(for: $0) })
    }

    /// Sleeps until the time is over or the load is cancelled.
    func sleep(for duration: Duration, until cancellation: LoadCancellation) async {
        let sleepFor = self.sleepFor
        let task = Task { try? await sleepFor(duration) }
        cancellation.onCancel { _ in task.cancel() }
        await task.value
        cancellation.onCancel(nil)
    }

    /// Calls a closure after some time, unless the returned task is cancelled.
    func after(_ duration: Duration, _ body: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        let sleepFor = self.sleepFor
        return Task {
            guard (try? await sleepFor(duration)) != nil else { return }
            body()
        }
    }
}
