// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The elements that a request gives, as they arrive: parts, bytes, lines, values, events or pages.
///
///     for try await line in GitHub.log("build").lines() { print(line) }
///
/// The sequence of a resource describes the request as it was when the sequence was made. Each iterator loads it again
/// with its first element, and its release ends the transfer. The sequence of a ``ResponseStream`` reads on from the
/// current position of the stream.
public struct NetworkSequence<Element: Sendable>: AsyncSequence, Sendable {
    let makeReader: @Sendable () -> any BatchReader<Element>

    /// An iterator. That of a resource loads the request with its first element.
    public func makeAsyncIterator() -> Iterator { Iterator(makeReader()) }

    /// Reads the elements. Its release ends what it has loaded.
    public struct Iterator: AsyncIteratorProtocol {
        private let reader: any BatchReader<Element>
        // For functions that are inlined into the caller's loop, so that an element that has arrived costs no
        // asynchronous call.
        @usableFromInline var batch: [Element] = []
        @usableFromInline var position = 0

        init(_ reader: any BatchReader<Element>) {
            self.reader = reader
        }

        /// Waits for the next element; `nil` at the end, and after an error.
        ///
        /// - Throws: ``SwiftyError`` of the load, and of the form of the elements; see the method that makes the
        ///   sequence.
        @inlinable
        public mutating func next() async throws(SwiftyError) -> Element? {
            if position < batch.count { return takeElement() }
            return try await firstOfNextBatch(isolation: nil)
        }

        /// Waits for the next element; see ``next()``.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> Element? {
            if position < batch.count { return takeElement() }
            return try await firstOfNextBatch(isolation: actor)
        }

        @inlinable
        mutating func takeElement() -> Element {
            defer { position &+= 1 }
            return batch[position]
        }

        @usableFromInline
        mutating func firstOfNextBatch(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> Element? {
            // The old batch is released during the wait.
            (batch, position) = ([], 0)
            batch = try await reader.nextBatch()
            return batch.isEmpty ? nil : takeElement()
        }
    }
}

/// One reading of a ``NetworkSequence``. It is used by one task at a time.
protocol BatchReader<Element>: AnyObject {
    associatedtype Element

    /// Waits for further elements; none at the end, and after an error.
    nonisolated(nonsending) func nextBatch() async throws(SwiftyError) -> [Element]
}
