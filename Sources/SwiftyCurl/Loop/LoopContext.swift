// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization

/// The objects that the loop's thread starts with: everything except the object that started it.
final class LoopContext: Sendable {
    let mailbox: Mailbox
    let completion: LoopCompletion
    let environment: CurlEnvironment
    private let system: any LoopSystem
    private let presence: LoopPresence

    init(
        mailbox: Mailbox,
        completion: LoopCompletion,
        environment: CurlEnvironment,
        system: any LoopSystem = NativeLoopSystem()
    ) {
        self.mailbox = mailbox
        self.completion = completion
        self.environment = environment
        self.system = system
        presence = LoopPresence { mailbox.close(with: .shutdown) }
    }

    /// Runs the loop, on its thread.
    func run() {
        finish(with: runLoop())
    }

    /// Runs the loop, frees it, and returns the failure of later transfers.
    private func runLoop() -> TransferFailure {
        guard let loop = makeLoop() else { return .noLoop }
        loop.run()
        return .shutdown
    }

    /// Makes the loop, on its thread. Returns `nil` if the process is out of memory or descriptors.
    func makeLoop() -> EventLoop? {
        presence.register()
        return system.makeResources(environment).map { EventLoop($0, mailbox: mailbox, presence) }
    }

    /// Ends the thread's work, once the loop is freed. A loop that could not start does not count as ended: it may
    /// start later, unless it was asked to end.
    ///
    /// - Parameter end: The failure of later transfers.
    func finish(with end: TransferFailure) {
        presence.unregister()
        let isShutdownRequested = failRemainingCommands(with: end)
        if end == .shutdown || isShutdownRequested { completion.signal() }
    }

    /// Ends the transfers that were queued while the loop ended or could not start. Returns whether a shutdown was
    /// requested.
    private func failRemainingCommands(with failure: TransferFailure) -> Bool {
        var isShutdownRequested = false
        for command in mailbox.close(with: failure) {
            switch command {
            case .start(let transfer):
                transfer.end(TransferOutcome(failure: failure))
                transfer.resume()
            case .cancel, .unpause, .content: break
            case .count(let take): take(ConnectionStatistics())
            case .run(let job): job.run()
            case .shutdown: isShutdownRequested = true
            }
        }
        return isShutdownRequested
    }
}

extension TransferFailure {
    static let noLoop = TransferFailure(
        code: .tooManyOpenFiles,
        stage: .queue,
        sent: .notSent,
        reason: "the transport could not be set up: the process is out of memory or file descriptors"
    )
}

/// The end of a loop, which any number of callers can await.
final class LoopCompletion: Sendable {
    /// The callers that wait; `nil` after the end.
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>([])

    /// Resumes all waiters; later calls of ``wait()`` return immediately.
    func signal() {
        let waiting = waiting.withLock { $0.take() }
        for continuation in waiting ?? [] { continuation.resume() }
    }

    func wait() async {
        // Resumed once, either here or by the other side, as the state under the lock decides.
        await withCheckedContinuation { continuation in
            let isDone = waiting.withLock { waiting in
                waiting?.append(continuation)
                return waiting == nil
            }
            if isDone { continuation.resume() }
        }
    }
}
