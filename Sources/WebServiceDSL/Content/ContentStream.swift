// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Content that is produced while it is sent, and again for each attempt.
struct ContentStream: Sendable {
    /// Makes the reader of the parts, when the first one is needed.
    typealias Producer = @Sendable () async throws -> any ContentReader

    let length: Int?
    private let produce: Producer
    /// `nil` if the content can be produced again.
    private let use: SingleUse?
    private let earlier = EarlierContent()
    /// The runs of the load that has this copy of the content; `nil` if no load has begun.
    private var runs: ContentRuns?

    init(length: Int64?, isReplayable: Bool, _ produce: @escaping Producer) {
        self.length = length.map { Int(clamping: $0) }
        self.produce = produce
        use = isReplayable ? nil : SingleUse()
    }

    /// Content of the elements of a sequence.
    init<Chunks: AsyncSequence>(
        length: Int64?,
        isReplayable: Bool,
        sequence makeChunks: @escaping @Sendable () async throws -> Chunks
    ) where Chunks.Element == Data, Chunks: SendableMetatype, Chunks.AsyncIterator: SendableMetatype {
        self.init(length: length, isReplayable: isReplayable) {
            SequenceReader(try await makeChunks().makeAsyncIterator())
        }
    }

    /// Content that a closure writes.
    init(length: Int64?, isReplayable: Bool, writing write: @escaping @Sendable (ContentWriter) async throws -> Void) {
        self.init(length: length, isReplayable: isReplayable) { WriterReader(write) }
    }

    var isUsedUp: Bool { use?.isUsed ?? false }

    /// The same content for one load, whose attempts must all have the same content.
    func forLoad() -> ContentStream {
        var copy = self
        copy.runs = ContentRuns(earlier)
        return copy
    }

    /// A source at the beginning of the content.
    ///
    /// - Throws: ``SwiftyError/Code/contentNotReplayable``.
    func open() throws(SwiftyError) -> StreamSource {
        try use?.check()
        return StreamSource(length: length, produce, use: use, runs: runs ?? ContentRuns(earlier))
    }
}

/// Reads the parts of produced content, from the beginning to the end, once.
protocol ContentReader: AnyObject, Sendable {
    /// The next part; `nil` after the last one. Called by one task at a time.
    func next() async throws -> Data?

    /// Ends the reading early. Called from any thread, possibly during ``next()``.
    func cancel()
}

/// Reads the elements of an asynchronous sequence.
// Safety: `next()` alone uses the iterator, and one task calls it at a time.
final class SequenceReader<Iterator: AsyncIteratorProtocol>: ContentReader, @unchecked Sendable
where Iterator.Element == Data, Iterator: SendableMetatype {
    private var iterator: Iterator

    init(_ iterator: Iterator) {
        self.iterator = iterator
    }

    func next() async throws -> Data? {
        try await iterator.next()
    }

    /// Does nothing: the sequence learns of it by the cancellation of the reading task and the release of the iterator.
    func cancel() {}
}
