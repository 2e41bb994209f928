// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization

/// One loop and its thread, as seen by other threads. The thread does not keep this object alive.
final class LoopThread: Sendable {
    private enum Phase {
        case notStarted
        case running
        /// Asked to end; the thread is still to be joined or detached.
        case ending
        case ended
    }

    /// The thread, stored apart from the phase, which every transfer reads.
    private struct Life {
        var phase = Phase.notStarted
        var thread: (any LoopThreadHandle)?

        /// Moves the thread out, once it was asked to end.
        mutating func takeEnding() -> (any LoopThreadHandle)? {
            guard phase == .ending else { return nil }
            phase = .ended
            return thread.take()
        }
    }

    private let mailbox = Mailbox()
    private let completion = LoopCompletion()
    private let life = Mutex(Life())
    private let environment: CurlEnvironment
    private let system: any LoopSystem
    private let name: String
    private let transferCount = Atomic(0)

    /// The number of transfers given to this loop whose callers have not resumed.
    var inFlight: Int { transferCount.load(ordering: .relaxed) }

    init(environment: CurlEnvironment, system: any LoopSystem, name: String) {
        self.environment = environment
        self.system = system
        self.name = name
    }

    /// Gives a transfer to the loop, whose thread starts with the first one.
    func start(_ transfer: Transfer) {
        transferCount.wrappingAdd(1, ordering: .relaxed)
        var failure = startThread() ?? mailbox.post(.start(transfer))
        if failure == .noLoop { failure = restartThread() ?? mailbox.post(.start(transfer)) }
        guard let failure else { return }
        transfer.end(TransferOutcome(failure: failure))
        transfer.resume()
    }

    /// Counts that the caller of a transfer of this loop has resumed.
    func noteEnd() {
        transferCount.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Ends a transfer early, wherever it is.
    func cancel(_ transfer: Transfer, with code: SwiftyError.Code) {
        // Set before the command, which is lost if there is no loop; the transfer may still be started, on another one.
        transfer.noteCancellation(code)
        _ = mailbox.post(.cancel(transfer))
    }

    /// Continues a response whose buffer the reader has drained.
    func unpause(_ transfer: Transfer) {
        _ = mailbox.post(.unpause(transfer))
    }

    /// Gives the loop a part of a request's content, or its end.
    func provide(_ answer: ContentPump.Answer, of pump: ContentPump, for transfer: Transfer) {
        _ = mailbox.post(.content(transfer, answer, pump))
    }

    /// Counts the connections; none without a running loop.
    func connectionStatistics() async -> ConnectionStatistics {
        await withCheckedContinuation { continuation in
            let isRunning = life.withLock { $0.phase == .running }
            let take = { @Sendable in continuation.resume(returning: $0) }
            if !isRunning || mailbox.post(.count(take)) != nil { take(ConnectionStatistics()) }
        }
    }

    /// Has the loop's thread run a part of a task. If the loop has ended or cannot start, it runs elsewhere.
    func run(_ job: LoopJob) {
        if (startThread() ?? mailbox.post(.run(job))) != nil { system.runElsewhere(job) }
    }

    /// Asks the loop to end all transfers and itself.
    func beginShutdown() {
        let mustPost = life.withLock { life in
            switch life.phase {
            case .notStarted:
                life.phase = .ended
                completion.signal()
                return false
            case .running:
                life.phase = .ending
                return true
            case .ending, .ended:
                return false
            }
        }
        // A loop that could not start does not signal.
        if mustPost, mailbox.post(.shutdown) != nil { completion.signal() }
    }

    /// Waits until the loop and its thread have ended.
    func awaitEnd() async {
        await completion.wait()
        // Signalling its end is the last action of the thread.
        life.withLock { $0.takeEnding() }?.join()
    }

    /// Ends the loop without waiting for it.
    func abandon() {
        beginShutdown()
        life.withLock { $0.takeEnding() }?.detach()
    }

    /// Starts the loop again after a failure for lack of descriptors, since some may be available now.
    private func restartThread() -> TransferFailure? {
        life.withLock { life in
            guard life.phase == .running, mailbox.reopen(after: .noLoop) else { return }
            // The thread has nothing left to do.
            life.thread?.join()
            life = Life()
        }
        return startThread()
    }

    private func startThread() -> TransferFailure? {
        life.withLock { life in
            switch life.phase {
            case .running: return nil
            case .ending, .ended: return .shutdown
            case .notStarted: if LoopPresence.isProcessEnding { return .shutdown }
            }
            let context = LoopContext(
                mailbox: mailbox,
                completion: completion,
                environment: environment,
                system: system
            )
            guard let thread = system.startThread(named: name, for: context) else { return .noThread }
            life = Life(phase: .running, thread: thread)
            return nil
        }
    }
}

extension TransferFailure {
    fileprivate static let noThread = TransferFailure(
        code: .transportFailed,
        stage: .queue,
        sent: .notSent,
        reason: "the transport's thread could not be started"
    )
}
