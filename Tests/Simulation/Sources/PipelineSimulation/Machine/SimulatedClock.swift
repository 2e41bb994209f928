// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// The clock of a world, for waits: since Swift 6.2, those of `ContinuousClock` no longer pass the hooks of the
/// concurrency library.
struct SimulatedClock: Clock {
    typealias Instant = ContinuousClock.Instant

    let world: World
    /// Records the sleeps that have come to their end; `nil` for those of the simulation itself.
    var wakes: WakeCounter?

    /// The world has taken over the system's clock.
    var now: Instant { .now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let sleeper = Sleeper(world, wakes)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { sleeper.begin($0, for: deadline - .now) }
        } onCancel: {
            sleeper.cancel()
        }
    }

    /// Sleeps for a time of the plan; shorter if the task is cancelled.
    func wait(_ milliseconds: Int) async {
        if milliseconds > 0 { try? await sleep(for: .planned(milliseconds)) }
    }
}

// Safety: the one thread of the simulation uses it.
/// The times at which sleeps have come to their end.
final class WakeCounter: @unchecked Sendable {
    fileprivate(set) var times: [Int64] = []
}

/// One sleep.
// Safety: the one thread of the simulation uses it.
private final class Sleeper: @unchecked Sendable {
    private let world: World
    private var continuation: CheckedContinuation<Void, any Error>?
    private var timer: World.Timer?
    private let wakes: WakeCounter?
    private var isCancelled = false

    init(_ world: World, _ wakes: WakeCounter?) {
        (self.world, self.wakes) = (world, wakes)
    }

    func begin(_ continuation: CheckedContinuation<Void, any Error>, for time: Duration) {
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        self.continuation = continuation
        timer = world.after(max(0, time.nanoseconds)) { [self] in
            wakes?.times.append(world.now)
            self.continuation?.resume()
            self.continuation = nil
        }
    }

    func cancel() {
        isCancelled = true
        if let timer { world.cancel(timer) }
        continuation?.resume(throwing: CancellationError())
        continuation = nil
    }
}
