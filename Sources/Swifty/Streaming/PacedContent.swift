// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

import struct Foundation.Data

/// A streamed content that is read no faster than a rate allows. What is not read holds the server back.
final class PacedContent: StreamedContent {
    private let content: any StreamedContent
    private let bandwidth: Bandwidth
    /// The rest of the last part.
    private let rest = Mutex(Data())

    init(_ content: any StreamedContent, _ bandwidth: Bandwidth) {
        self.content = content
        self.bandwidth = bandwidth
    }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        if rest.withLock({ $0.isEmpty }) {
            guard let part = try await content.next() else { return nil }
            rest.withLock { $0 = part }
        }
        let slice = rest.withLock { $0.takePrefix(bandwidth.sliceSize) }
        await bandwidth.wait(for: slice.count)
        return slice
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
    private let bandwidth: Bandwidth
    /// The rest of the last part.
    private let rest = Mutex(Data())

    init(_ source: any ContentSource, _ bandwidth: Bandwidth) {
        self.source = source
        self.bandwidth = bandwidth
    }

    var length: Int? { source.length }
    var isRewindable: Bool { source.isRewindable }

    func next() async throws -> Data? {
        while rest.withLock({ $0.isEmpty }) {
            guard let part = try await source.next() else { return nil }
            rest.withLock { $0 = part }
        }
        let slice = rest.withLock { $0.takePrefix(bandwidth.sliceSize) }
        await bandwidth.wait(for: slice.count)
        return slice
    }

    func rewind() async throws {
        rest.withLock { $0 = Data() }
        try await source.rewind()
    }

    func replayed() -> (any ContentSource)? {
        source.replayed().map { PacedSource($0, bandwidth) }
    }

    func cancel() {
        source.cancel()
    }
}

extension Bandwidth {
    /// Waits until the bytes may be transferred, or until the task is cancelled.
    fileprivate nonisolated(nonsending) func wait(for count: Int) async {
        let delay = reserve(count)
        if delay > .zero { try? await Task.sleep(for: delay) }
    }
}

extension Data {
    /// Removes the first bytes and returns them.
    fileprivate mutating func takePrefix(_ count: Int) -> Data {
        let result = prefix(count)
        self = dropFirst(count)
        return result
    }
}
