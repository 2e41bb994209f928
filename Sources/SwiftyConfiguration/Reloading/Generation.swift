// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Swifty
import Synchronization

/// An instance with the settings of one reading, and its calls.
final class Generation: Sendable {
    let swifty: Swifty
    let settings: MadeSettings
    /// The transport of the instance; `nil` for the one that all programs share.
    let carrier: Carrier?
    /// The end of all calls of an instance that gets no further ones.
    private let (left, leaving) = AsyncStream<Never>.makeStream()
    private let state = Mutex(State())

    private struct State {
        var calls = 0
        var isRetired = false
        var isReleased = false
    }

    /// Makes an instance, over the transport of an earlier one if it has the same settings.
    init(_ settings: MadeSettings, after earlier: Generation?) {
        self.settings = settings
        let predecessor = settings.transport == earlier?.settings.transport ? earlier : nil
        carrier = predecessor.map(\.carrier) ?? settings.transport.makeCarrier()
        carrier?.retain()
        swifty =
            if let carrier {
                Swifty(
                    configuration: settings.configuration,
                    sharing: carrier.transport,
                    number: predecessor?.swifty.transportNumber
                )
            } else {
                Swifty(configuration: settings.configuration)
            }
    }

    /// Counts a call, which may not come after ``retire()``.
    func enter() {
        state.withLock { $0.calls += 1 }
    }

    func leave() {
        update { $0.calls -= 1 }
    }

    /// Ends the time in which calls come.
    func retire() {
        update { $0.isRetired = true }
    }

    private func update(_ change: (inout State) -> Void) {
        let hasEnded = state.withLock { state in
            change(&state)
            return state.isRetired && state.calls == 0
        }
        if hasEnded { leaving.finish() }
    }

    /// Lets calls and streams finish for some time, ends the rest, and leaves the transport to others.
    ///
    /// `Swifty.shutdown(graceful:)` refuses loads that it does not know yet, and a call that has chosen this instance
    /// may not have arrived there: so the calls end first.
    func end(within time: Duration) async {
        let passed = await swifty.clock.wait(for: left, atMost: time)
        await shutdown(graceful: max(time - passed, .zero))
    }

    /// Refuses further loads, gives those in flight some time, and leaves the transport to others.
    func shutdown(graceful: Duration) async {
        await swifty.shutdown(graceful: graceful)
        await release()
    }

    private func release() async {
        let isFirst = state.withLock { state in
            defer { state.isReleased = true }
            return !state.isReleased
        }
        if isFirst { await carrier?.release() }
    }
}

extension Clock<Duration> {
    /// Waits for the end of a sequence without elements.
    ///
    /// - Returns: The time that has passed.
    fileprivate func wait(for end: AsyncStream<Never>, atMost time: Duration) async -> Duration {
        if time <= .zero { return .zero }
        let start = now
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in end {} }
            group.addTask { try? await sleep(until: start.advanced(by: time), tolerance: nil) }
            await group.next()
            group.cancelAll()
        }
        return start.duration(to: now)
    }
}
#endif
