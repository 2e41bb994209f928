// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

import struct Foundation.Data

/// Streamed content that is read no faster than a rate allows. Unread content slows the server down.
final class PacedContent: StreamedContent {
    private let content: any StreamedContent
    private let slices: PacedSlices

    init(_ content: any StreamedContent, bandwidth: Bandwidth, clock: LoadClock) {
        self.content = content
        slices = PacedSlices(bandwidth, clock)
    }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        while slices.isEmpty {
            guard let part = try await content.next() else { return nil }
            slices.refill(part)
        }
        return await slices.next()
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
final class PacedSource: ContentSource {
    private let source: any ContentSource
    private let slices: PacedSlices

    init(_ source: any ContentSource, bandwidth: Bandwidth, clock: LoadClock) {
        self.source = source
        slices = PacedSlices(bandwidth, clock)
    }

    var length: Int? { source.length }
    var isRewindable: Bool { source.isRewindable }

    func next() async throws -> Data? {
        while slices.isEmpty {
            guard let part = try await source.next() else { return nil }
            slices.refill(part)
        }
        return await slices.next()
    }

    func rewind() async throws {
        slices.refill(Data())
        try await source.rewind()
    }

    func replayed() -> (any ContentSource)? {
        source.replayed().map { PacedSource($0, bandwidth: slices.bandwidth, clock: slices.clock) }
    }

    func cancel() {
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

    /// Removes the next slice, and waits until it may be transferred or the task is cancelled.
    nonisolated(nonsending) func next() async -> Data {
        let slice = rest.withLock { rest in
            let slice = rest.prefix(bandwidth.sliceSize)
            rest = rest.dropFirst(slice.count)
            return slice
        }
        await bandwidth.take(slice.count, clock: clock)
        return slice
    }
}
