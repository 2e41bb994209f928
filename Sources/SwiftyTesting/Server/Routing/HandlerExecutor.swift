// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs the asynchronous handlers of routes on a Dispatch queue instead of the cooperative pool.
///
/// The pool has as many threads as the machine has cores. Tests that block it while they wait for an answer would
/// otherwise keep the handler from running that makes the answer.
final class HandlerExecutor: TaskExecutor {
    static let shared = HandlerExecutor()

    private let queue = DispatchQueue(label: "SwiftyTesting.handlers", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
