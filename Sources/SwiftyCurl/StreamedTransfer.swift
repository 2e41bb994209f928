// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization

import struct Foundation.Data

/// The reader's side of a streamed response. Releasing it ends the transfer.
final class StreamedTransfer: StreamedContent {
    private struct Ending {
        var trailers: HTTPFields = [:]
        var metrics = TransferMetrics()
        var error: SwiftyError?
    }

    private let transfer: Transfer
    private let feed: ResponseFeed
    private let loop: LoopThread
    private let onRelease: @Sendable () -> Void
    /// Keeps the loops alive until the content is released.
    private let transport: CurlTransport
    private let ending = Mutex<Ending?>(nil)

    init(
        _ transfer: Transfer,
        _ feed: ResponseFeed,
        on loop: LoopThread,
        of transport: CurlTransport,
        onRelease: @escaping @Sendable () -> Void
    ) {
        self.transfer = transfer
        self.feed = feed
        self.loop = loop
        self.transport = transport
        self.onRelease = onRelease
    }

    deinit {
        onRelease()
        cancel()
        loop.noteEnd()
    }

    func head() async throws(SwiftyError) -> ResponseHead {
        if let head = await feed.head() { return head }
        throw end().error ?? SwiftyError(.transportFailed, stage: .firstByte)
    }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        switch await nextStep() {
        case .part(let bytes, let isLoopWaiting):
            if isLoopWaiting { loop.unpause(transfer) }
            return bytes
        case .isBusy:
            throw SwiftyError(.transportFailed, stage: .content, reason: "another task is reading this content")
        case .ended:
            if let error = end().error { throw error }
            return nil
        }
    }

    /// Waits for the next bytes, without leaving the caller's executor if they have arrived.
    private nonisolated(nonsending) func nextStep() async -> ResponseFeed.Step {
        if !Task.isCancelled, let step = feed.takeStep() { return step }
        return await waitForStep()
    }

    private func waitForStep(isolation: isolated (any Actor)? = #isolation) async -> ResponseFeed.Step {
        let (loop, transfer, feed) = (loop, transfer, feed)
        return await withTaskCancellationHandler {
            // Capturing the isolation makes the closure inherit it; otherwise it would run on another executor.
            _ = isolation
            return await feed.next()
        } onCancel: {
            loop.cancel(transfer, with: .cancelled)
        }
    }

    func whenEnded(_ handler: @escaping @Sendable (SwiftyError?) -> Void) -> Bool {
        feed.whenEnded { [weak self] in self.map { handler($0.end().error) } }
        return true
    }

    func cancel() {
        if ending.withLock({ $0 == nil }) { loop.cancel(transfer, with: .cancelled) }
    }

    var trailers: HTTPFields { ending.withLock { $0?.trailers } ?? [:] }

    var metrics: TransferMetrics { ending.withLock { $0?.metrics } ?? TransferMetrics() }

    /// The end of the transfer, which the loop does not touch any more.
    private func end() -> Ending {
        ending.withLock { ending in
            if let ending { return ending }
            var result = Ending()
            do throws(SwiftyError) {
                result.metrics = try transfer.response().metrics
                result.trailers = transfer.trailers
            } catch {
                result.error = error
                result.metrics = error.transfer ?? TransferMetrics()
            }
            ending = result
            return result
        }
    }
}
