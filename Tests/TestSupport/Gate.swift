// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// A gate that is closed until a test opens it.
package final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    package func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for resume in waiters { resume() }
    }

    /// Waits until the gate is open, even if the task is cancelled; for hooks and servers.
    ///
    /// A test waits with `until { gate.isOpen }` instead, which fails after a time.
    package func wait() async {
        await withCheckedContinuation { continuation in
            whenOpen { continuation.resume() }
        }
    }

    /// Blocks the calling thread until the gate is open; for hooks that are not asynchronous.
    package func block() {
        let semaphore = DispatchSemaphore(value: 0)
        whenOpen { semaphore.signal() }
        semaphore.wait()
    }

    private func whenOpen(_ resume: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.waiters.append(resume) }
            return state.isOpen
        }
        if isOpen { resume() }
    }
}

/// Opens a gate when nothing refers to it any more. A closure that has held it cannot be called again then.
package final class ReleaseMark: Sendable {
    private let gate: Gate

    package init(opening gate: Gate) {
        self.gate = gate
    }

    deinit {
        gate.open()
    }
}

/// Returns when the calling task is cancelled.
package func untilCancelled() async {
    let gate = Gate()
    await withTaskCancellationHandler {
        await gate.wait()
    } onCancel: {
        gate.open()
    }
}

/// Hangs until the calling task is cancelled.
///
/// - Throws: `CancellationError`.
package func hang() async throws {
    await untilCancelled()
    throw CancellationError()
}

/// A counter for any thread.
package final class Counter: Sendable {
    private let state = Mutex(0)

    package init() {}

    package var value: Int { state.withLock { $0 } }

    @discardableResult
    package func increment() -> Int {
        state.withLock { state in
            state += 1
            return state
        }
    }
}

/// The values that were recorded from any thread, in order.
package final class Recording<Element: Sendable>: Sendable {
    private let state = Mutex<[Element]>([])

    package init() {}

    package var values: [Element] { state.withLock { $0 } }
    package var count: Int { state.withLock { $0.count } }

    /// Returns what was recorded, and forgets it.
    package func take() -> [Element] {
        state.withLock { values in
            defer { values.removeAll() }
            return values
        }
    }

    package func append(_ value: Element) {
        state.withLock { $0.append(value) }
    }
}
