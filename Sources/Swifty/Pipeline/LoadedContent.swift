// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

import struct Foundation.Data

// Safety: the loading task hands `load` over together with this object, which uses it once, under its lock, at the end.
// Everything else is immutable or guarded by the lock.
/// The content of a streamed load whose head was already returned. The load ends with its last part, with an error, or
/// with its release.
///
/// A reader may hold the stream and not read it. So the load also ends when its transfer fails or when it is cancelled,
/// and its admission with the transfer; the reader gets what has arrived, and then the error.
final class LoadedContent: StreamedContent, @unchecked Sendable {
    /// The content as its reader gets it.
    private let content: any StreamedContent
    private let open: OpenContent
    private let load: Load
    private let onEnd: @Sendable (SwiftyError?, _ attempts: Int) -> Void
    /// The measurements until the head was accepted.
    private let begun: LoadMetrics
    private let progress = Mutex(ContentProgress())

    init(
        _ content: any StreamedContent,
        open: OpenContent,
        load: Load,
        onEnd: @escaping @Sendable (SwiftyError?, _ attempts: Int) -> Void
    ) {
        self.content = content
        self.open = open
        self.load = load
        self.onEnd = onEnd
        begun = load.state.metrics
        watch()
    }

    deinit {
        cancel()
    }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        if let ending = progress.withLock({ $0.beginReading() }) {
            if let error = ending.error { throw error }
            return nil
        }
        do throws(SwiftyError) {
            if let error = progress.withLock(\.closingError) { throw error }
            if let part = try await content.next() { return try take(part) }
        } catch {
            throw finishReading(with: progress.withLock(\.cancellation) ?? error) ?? error
        }
        if let error = finishReading(with: nil) { throw error }
        return nil
    }

    /// The part for the reader, after which the load may end.
    ///
    /// - Throws: The error of a stream that a shutdown has ended meanwhile: what has arrived is of a later element.
    private func take(_ part: Data) throws(SwiftyError) -> Data {
        let (part, error, endsNow) = try progress.withLock { progress throws(SwiftyError) in
            if let error = progress.closingError { throw error }
            let part = progress.cut(part)
            return (part, progress.endReading(part), progress.endsNow)
        }
        if let error { end(with: error) } else if endsNow { endBetweenElements() }
        return part
    }

    func cancel() {
        guard progress.withLock({ $0.ending == nil || !$0.isRead }) else { return }
        finishReading(
            with: SwiftyError(.cancelled, stage: .content, sent: .responded, reason: "the stream was cancelled")
        )
        content.cancel()
    }

    var trailers: HTTPFields { content.trailers }
    var metrics: TransferMetrics { content.metrics }

    /// The measurements of the load: complete once it has ended.
    var loadMetrics: LoadMetrics { progress.withLock(\.ending)?.metrics ?? begun }

    // MARK: Ends without a reader

    private func watch() {
        let reportsEnd = content.whenEnded { [weak self] error in self?.transferEnded(with: error) }
        progress.withLock { $0.reportsEnd = reportsEnd }
        let cancellation = load.cancellation
        let registration = cancellation.onCancel { [weak self] code in
            let error = SwiftyError(code, stage: .content, sent: .responded, reason: cancellation.endReason)
            self?.endEarly { $0.cancel(with: error) }
        }
        let hasEnded = progress.withLock { progress in
            progress.registration = registration
            progress.boundary = StreamBoundary(open.head, of: load.state.draft)
            return progress.ending != nil
        }
        if hasEnded { cancellation.remove(registration) }
        watchShutdown()
    }

    private func watchShutdown() {
        let loads = load.interface.activeLoads
        loads.onClose(of: load.id) { [weak self] in self?.close() }
        // The load may have ended before, and does not come back to be removed.
        if progress.withLock({ $0.ending != nil }) { loads.forgetClosing(of: load.id) }
    }

    /// Ends a stream of events or lines between two of them, because of a shutdown; other streams go on.
    private func close() {
        if progress.withLock({ $0.close() }) { endBetweenElements() }
    }

    private func endBetweenElements() {
        let error = SwiftyError(
            .shutdown,
            stage: .content,
            sent: .responded,
            reason: "the Swifty is shut down, and the stream was ended between two elements"
        )
        endEarly { $0.cancel(with: error) }
        content.cancel()
    }

    private func transferEnded(with error: SwiftyError?) {
        // Here as well: the transport may have replaced the closure that releases it with this one.
        open.release(afterTransferWith: error)
        endEarly { $0.endTransfer(with: error) }
    }

    /// Ends the load in a separate task, if the change says so: the call comes from the transport's thread, and
    /// observers are called.
    private func endEarly(_ change: (inout ContentProgress) -> SwiftyError?) {
        guard let error = progress.withLock({ change(&$0) }) else { return }
        Task { end(with: error) }
    }

    // MARK: The end of the load

    @discardableResult
    private func finishReading(with error: SwiftyError?) -> SwiftyError? {
        progress.withLock { $0.isRead = true }
        return end(with: error)
    }

    /// Ends the load, unless it has ended.
    ///
    /// - Returns: The error of the load, which is that of its first end.
    @discardableResult
    private func end(with error: SwiftyError?) -> SwiftyError? {
        let (attempt, error) = progress.withLock { progress -> (LoadMetrics.Attempt?, SwiftyError?) in
            if let ending = progress.ending { return (nil, ending.error) }
            let (attempt, error) = load.recordEnd(open, decoded: progress.decoded, error)
            progress.ending = ContentProgress.Ending(metrics: load.state.metrics, error: error)
            return (attempt, error)
        }
        // Outside the lock, since observers are called.
        if let attempt {
            load.cancellation.remove(progress.withLock { $0.registration.take() })
            open.release(error.map { .failed($0) } ?? .responded(open.response))
            load.reportEnd(open, attempt: attempt, error: error)
            onEnd(error, load.state.metrics.attempts.count)
        }
        return error
    }
}
