// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The clock of a network interface, as two functions: the time since this value was made, and sleep.
///
/// `any Clock<Duration>` cannot tell its time without naming the type of its instants; here closures capture that type.
package struct LoadClock: Sendable {
    /// The time since this value was made.
    package let now: @Sendable () -> Duration
    private let sleepUntil: @Sendable (Duration) async throws -> Void

    /// Some sixty years. The system's clocks trap on times that do not fit into 64 bits of nanoseconds.
    package static let longest = Duration.seconds(2_000_000_000)

    private static func open<SomeClock: Clock<Duration>>(_ clock: SomeClock) -> LoadClock {
        let start = clock.now
        return LoadClock(
            now: { start.duration(to: clock.now) },
            sleepUntil: { try await clock.sleep(until: start.advanced(by: min($0, longest)), tolerance: nil) }
        )
    }

    /// Sleeps until the time has passed.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package nonisolated(nonsending) func sleep(for duration: Duration) async throws {
        try await sleepUntil(now() + duration)
    }

    /// Sleeps until the time has passed, or the load or the task is cancelled.
    package func sleep(for duration: Duration, until cancellation: LoadCancellation) async {
        let (sleepUntil, end) = (self.sleepUntil, now() + duration)
        let task = Task { try? await sleepUntil(end) }
        let registration = cancellation.onCancel { _ in task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        cancellation.remove(registration)
    }

    /// Calls a closure once, at the given time on this clock's scale, unless it is cancelled before.
    package func timer(at time: Duration, ring: @escaping @Sendable () -> Void) -> Timer {
        let sleepUntil = self.sleepUntil
        // Detached: a timer has nothing to do with the task that happens to set it.
        let task = Task.detached {
            guard (try? await sleepUntil(time)) != nil else { return }
            ring()
        }
        return Timer(time: time, task: task)
    }

    /// A call that is due at some time.
    package struct Timer: Sendable {
        package let time: Duration
        fileprivate let task: Task<Void, Never>

        package func cancel() {
            task.cancel()
        }
    }
}

extension LoadClock {
    package init(_ clock: any Clock<Duration>) {
        // The usual clock's type is named, so that reading its time needs no look-up of the type.
        self = if let clock = clock as? ContinuousClock { Self.open(clock) } else { Self.open(clock) }
    }
}
