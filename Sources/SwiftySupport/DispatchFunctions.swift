// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Dispatch

/// The functions of Dispatch that run blocks, which a simulation replaces: then its seed decides their order.
package struct DispatchFunctions: Sendable {
    package typealias Block = @Sendable () -> Void

    /// Runs a block on a queue.
    package var run: @Sendable (DispatchQueue, @escaping Block) -> Void = { queue, block in
        queue.async(execute: block)
    }
    /// Runs a block on a queue after a time.
    package var runLater: @Sendable (DispatchQueue, Duration, @escaping Block) -> Void = { queue, pause, block in
        queue.asyncAfter(deadline: .now() + pause / .seconds(1), execute: block)
    }
    /// Runs a block on a queue as soon as a group is empty.
    package var runAtEnd: @Sendable (DispatchGroup, DispatchQueue, @escaping Block) -> Void = { group, queue, block in
        group.notify(queue: queue, execute: block)
    }

    // Safety: replaced before anything uses it, if at all.
    /// The functions in use.
    @exclusivity(unchecked) nonisolated(unsafe) package static var current = DispatchFunctions()
}

extension DispatchQueue {
    /// Runs a block.
    package func run(_ block: @escaping DispatchFunctions.Block) {
        DispatchFunctions.current.run(self, block)
    }

    /// Runs a block that may wait, which a task's thread must not, and returns its value.
    package nonisolated(nonsending) func value<Value: Sendable>(
        of block: @escaping @Sendable () -> Value
    ) async -> Value {
        #if SWIFTY_THREAD_SANITIZER
        // The sanitizer sees the order of a promise.
        let promise = Promise<Value>()
        run { promise.resolve(block()) }
        return await promise.value()
        #else
        await withCheckedContinuation { continuation in
            run { continuation.resume(returning: block()) }
        }
        #endif
    }

    /// Runs a block after a time.
    package func run(after pause: Duration, _ block: @escaping DispatchFunctions.Block) {
        DispatchFunctions.current.runLater(self, pause, block)
    }

    /// Runs a block as soon as a group is empty.
    package func run(atEndOf group: DispatchGroup, _ block: @escaping DispatchFunctions.Block) {
        DispatchFunctions.current.runAtEnd(group, self, block)
    }
}
