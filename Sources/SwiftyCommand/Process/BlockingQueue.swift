// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A queue for calls that may block, one at a time, so that they do not block the threads of tasks.
struct BlockingQueue: Sendable {
    private let queue: DispatchQueue

    init(_ label: String) {
        queue = DispatchQueue(label: label)
    }

    func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
