// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Dispatch

/// Runs tasks as blocks of a Dispatch queue. A task keeps the task-local values of the code that creates it; a block
/// alone does not.
package final class QueueExecutor: TaskExecutor {
    private let queue: DispatchQueue

    package init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.run { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
