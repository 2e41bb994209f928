// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs tasks on the thread of a loop, between the turns of its transfers.
final class LoopExecutor: TaskExecutor {
    private let loop: LoopThread

    init(_ loop: LoopThread) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = LoopJob(job: UnownedJob(job), executor: asUnownedTaskExecutor())
        if loop.run(job) { return }
        // The loop has ended or cannot start. A task must run all the same.
        DispatchQueue.global().async { job.run() }
    }
}

/// A part of a task that is to run on a loop's thread.
struct LoopJob: Sendable {
    let job: UnownedJob
    let executor: UnownedTaskExecutor

    func run() {
        job.runSynchronously(on: executor)
    }
}
