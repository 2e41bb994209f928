// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// An injected clock, counting from the moment at which this was made.
struct AdmissionClock: Sendable {
    /// The time since then.
    let now: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { time in try await clock.sleep(until: start.advanced(by: time), tolerance: nil) }
    }

    /// Calls once, at the given time, unless it is cancelled before.
    func timer(at time: Duration, ring: @escaping @Sendable () -> Void) -> Timer {
        let sleep = sleep
        let task = Task.detached {
            do { try await sleep(time) } catch { return }
            ring()
        }
        return Timer(time: time, task: task)
    }

    /// A call that is due at some time.
    struct Timer: Sendable {
        let time: Duration
        fileprivate let task: Task<Void, Never>

        func cancel() {
            task.cancel()
        }
    }
}
