// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

package import struct Foundation.Data

/// Streamed content that is read no faster than a rate allows. Unread content slows the server down.
///
/// The transport may have received all of it long before the reader gets the last part, and does not end such a
/// transfer early any more. So the limits and the cancellation of the load also end the waits of this content.
final class PacedContent: StreamedContent {
    private let content: any StreamedContent
    private let slices: PacedSlices
    private let deadline: Deadline?
    private let cancellation: LoadCancellation
    /// The error of an early end; `nil` until then.
    private let failure = Mutex<SwiftyError?>(nil)

    /// Makes content that is read at the rate.
    ///
    /// - Parameters:
    ///   - deadline: The end of the load's or the attempt's time; `nil` without a limit.
    ///   - cancellation: That of the load.
    init(
        _ content: any StreamedContent,
        bandwidth: Bandwidth,
        clock: LoadClock,
        deadline: Deadline?,
        cancellation: LoadCancellation
    ) {
        self.content = content
        self.deadline = deadline
        self.cancellation = cancellation
        slices = PacedSlices(bandwidth, clock)
    }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        if let error = failure.withLock({ $0 }) { throw error }
        while slices.isEmpty {
            guard let part = try await content.next() else { return nil }
            slices.refill(part)
        }
        let (slice, delay, clock) = slices.reserveNext()
        let rest = max(.zero, deadline?.remaining ?? delay)
        if delay > .zero { await clock.sleep(for: min(delay, rest), until: cancellation) }
        if Task.isCancelled || cancellation.code != nil { throw end(with: cancellationError) }
        if let deadline, delay > rest || deadline.isReached {
            throw end(with: deadline.error(at: .content, sent: .responded))
        }
        return slice
    }

    private var cancellationError: SwiftyError {
        guard let code = cancellation.code else {
            return SwiftyError(.cancelled, stage: .content, sent: .responded, reason: "the stream was cancelled")
        }
        return SwiftyError(code, stage: .content, sent: .responded, reason: cancellation.endReason)
    }

    private func end(with error: SwiftyError) -> SwiftyError {
        failure.withLock { $0 = error }
        content.cancel()
        return error
    }

    func whenEnded(_ handler: @escaping @Sendable (SwiftyError?) -> Void) -> Bool {
        content.whenEnded(handler)
    }

    func cancel() {
        content.cancel()
    }

    var trailers: HTTPFields { content.trailers }
    var metrics: TransferMetrics { content.metrics }
}

/// The content of a request that is sent no faster than a rate allows.
package final class PacedSource: ContentSource {
    /// The content without the limit of its rate.
    package let source: any ContentSource
    private let slices: PacedSlices

    init(_ source: any ContentSource, bandwidth: Bandwidth, clock: LoadClock) {
        self.source = source
        slices = PacedSlices(bandwidth, clock)
    }

    package var length: Int? { source.length }
    package var isRewindable: Bool { source.isRewindable }

    package func next() async throws -> Data? {
        while slices.isEmpty {
            guard let part = try await source.next() else { return nil }
            slices.refill(part)
        }
        let (slice, delay, clock) = slices.reserveNext()
        if delay > .zero { try await clock.sleep(for: delay) }
        return slice
    }

    package func rewind() async throws {
        slices.refill(Data())
        try await source.rewind()
    }

    package func replayed() -> (any ContentSource)? {
        source.replayed().map { PacedSource($0, bandwidth: slices.bandwidth, clock: slices.clock) }
    }

    package func cancel() {
        source.cancel()
    }
}

/// A part of the content, taken in slices no faster than a rate allows.
private final class PacedSlices: Sendable {
    let bandwidth: Bandwidth
    let clock: LoadClock
    private let rest = Mutex(Data())

    init(_ bandwidth: Bandwidth, _ clock: LoadClock) {
        self.bandwidth = bandwidth
        self.clock = clock
    }

    var isEmpty: Bool { rest.withLock { $0.isEmpty } }

    func refill(_ part: Data) {
        rest.withLock { $0 = part }
    }

    /// Removes the next slice.
    ///
    /// - Returns: The slice, and the time until it may be transferred, with the clock of that time.
    func reserveNext() -> (slice: Data, delay: Duration, clock: LoadClock) {
        let slice = rest.withLock { rest in
            let slice = rest.prefix(bandwidth.sliceSize)
            rest = rest.dropFirst(slice.count)
            return slice
        }
        let (delay, clock) = bandwidth.reserve(slice.count, clock: clock)
        return (slice, delay, clock)
    }
}
