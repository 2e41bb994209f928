// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Runs tasks on the thread of a loop, between the turns of its transfers.
final class LoopExecutor: TaskExecutor {
    private let loop: LoopThread

    init(_ loop: LoopThread) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        loop.run(LoopJob(job: UnownedJob(job), executor: asUnownedTaskExecutor()))
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
