// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

import struct Foundation.Data

// Safety: the task that loads gives `load` away together with this object, which uses it once, under its lock, at the
// end. Everything else is immutable or behind the lock.
/// The content of a load that has left the pipeline. The load ends with its last part, with an error, or with its
/// release.
final class LoadedContent: StreamedContent, @unchecked Sendable {
    private enum State {
        case open(decoded: Int)
        case ended(LoadMetrics, SwiftyError?)
    }

    /// The content as its reader gets it.
    private let content: any StreamedContent
    private let open: OpenContent
    private let load: Load
    private let pipeline: LoadPipeline
    private let onEnd: @Sendable (SwiftyError?, _ attempts: Int) -> Void
    /// The measurements until the head was accepted.
    private let begun: LoadMetrics
    private let state = Mutex(State.open(decoded: 0))

    init(
        _ content: any StreamedContent,
        _ open: OpenContent,
        _ load: Load,
        _ pipeline: LoadPipeline,
        onEnd: @escaping @Sendable (SwiftyError?, _ attempts: Int) -> Void
    ) {
        self.content = content
        self.open = open
        self.load = load
        self.pipeline = pipeline
        self.onEnd = onEnd
        begun = load.state.metrics
    }

    deinit {
        cancel()
    }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        if case .ended(_, let error) = state.withLock({ $0 }) {
            if let error { throw error }
            return nil
        }
        do throws(SwiftyError) {
            if let part = try await content.next() {
                count(part)
                return part
            }
        } catch {
            throw end(with: error) ?? error
        }
        if let error = end(with: nil) { throw error }
        return nil
    }

    func cancel() {
        guard case .open = state.withLock({ $0 }) else { return }
        content.cancel()
        end(with: SwiftyError(.cancelled, stage: .body, sent: .responded, reason: "the stream was cancelled"))
    }

    var trailers: HTTPFields { content.trailers }
    var metrics: TransferMetrics { content.metrics }

    /// The measurements of the load: complete once it has ended.
    var loadMetrics: LoadMetrics {
        if case .ended(let metrics, _) = state.withLock({ $0 }) { metrics } else { begun }
    }

    private func count(_ part: Data) {
        state.withLock { state in
            if case .open(let decoded) = state { state = .open(decoded: decoded + part.count) }
        }
    }

    /// Ends the load, unless it has ended.
    ///
    /// - Returns: The error of the load, which is that of its first end.
    @discardableResult
    private func end(with error: SwiftyError?) -> SwiftyError? {
        let (attempt, error) = state.withLock { state -> (LoadMetrics.Attempt?, SwiftyError?) in
            switch state {
            case .ended(_, let error): return (nil, error)
            case .open(let decoded):
                let (attempt, error) = pipeline.recordEnd(of: load, open, decoded: decoded, error)
                state = .ended(load.state.metrics, error)
                return (attempt, error)
            }
        }
        // Outside of the lock, since observers are called.
        if let attempt {
            pipeline.reportEnd(of: load, open, attempt, error)
            onEnd(error, load.state.metrics.attempts.count)
        }
        return error
    }
}
