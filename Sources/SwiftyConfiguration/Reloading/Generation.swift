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

    /// Lets loads and streams finish for some time, ends the rest, and leaves the transport to others.
    ///
    /// The instance is shut down last: until then it loads what its hooks and constraints need for the other loads, and
    /// what a call that has chosen it is about to begin.
    func end(within time: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in await drain() }
            group.addTask { [self] in try? await swifty.clock.sleep(for: time, tolerance: nil) }
            await group.next()
            group.cancelAll()
            await shutdown(graceful: .zero)
        }
    }

    private func drain() async {
        for await _ in left {}
        await swifty.drain()
    }

    /// Refuses further loads, gives those in flight some time, and leaves the transport to others.
    ///
    /// - Parameters:
    ///   - graceful: The time.
    ///   - others: Returns when other instances have ended, whose hooks may load what they need with this one.
    func shutdown(graceful: Duration, serving others: @Sendable () async -> Void = {}) async {
        await swifty.shutdown(graceful: graceful, serving: others)
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
#endif
