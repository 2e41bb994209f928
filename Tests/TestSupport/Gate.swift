// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A gate that is closed until a test opens it.
package final class Gate: Sendable {
    private let state = Mutex((isOpen: false, waiters: [CheckedContinuation<Void, Never>]()))

    package init() {}

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    package func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the gate is open, even if the task is cancelled; for hooks and servers.
    ///
    /// A test waits with `until { gate.isOpen }` instead, which fails after a time.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
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

    package func append(_ value: Element) {
        state.withLock { $0.append(value) }
    }
}
