// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

extension ResponseStream {
    /// The lines of the content as strings; see ``NetworkResource/lines(limit:)``.
    public struct Lines: AsyncSequence, Sendable {
        /// A line without its end.
        public typealias Element = String

        let source: PartSource
        let limit: Int

        /// An iterator. That of a resource loads the request with its first line.
        public func makeAsyncIterator() -> Iterator {
            Iterator(lines: ElementReader(source, TextLines(limit: limit)))
        }

        /// Reads the lines of one response. Its release ends the transfer.
        public struct Iterator: AsyncIteratorProtocol {
            var lines: ElementReader<TextLines>

            /// Waits for the next line; `nil` at the end, and after an error.
            ///
            /// - Throws: ``SwiftyError`` of the load, ``SwiftyError/Code/elementTooLarge``, or
            ///   ``SwiftyError/Code/decodingFailed`` for bytes that are not text.
            @inlinable
            public mutating func next() async throws(SwiftyError) -> String? {
                if let line = try ready() { return line }
                return try await received(isolation: nil)
            }

            /// Waits for the next line; see ``next()``.
            @inlinable
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> String? {
                // Inlined into the caller's loop, so that a line that has arrived costs no asynchronous call.
                if let line = try ready() { return line }
                return try await received(isolation: actor)
            }

            @usableFromInline
            mutating func ready() throws(SwiftyError) -> String? {
                try lines.ready()
            }

            @usableFromInline
            mutating func received(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> String? {
                try await lines.next()
            }
        }
    }

    /// The lines of the content as bytes; see ``NetworkResource/byteLines(limit:)``.
    public struct ByteLines: AsyncSequence, Sendable {
        /// A line without its end, as a slice: its first index is `startIndex`, which may not be 0.
        public typealias Element = Data

        let source: PartSource
        let limit: Int

        /// An iterator. That of a resource loads the request with its first line.
        public func makeAsyncIterator() -> Iterator {
            Iterator(lines: ElementReader(source, LineSplitter(limit: limit)))
        }

        /// Reads the lines of one response. Its release ends the transfer.
        public struct Iterator: AsyncIteratorProtocol {
            var lines: ElementReader<LineSplitter<Data>>

            /// Waits for the next line; `nil` at the end, and after an error.
            ///
            /// - Throws: ``SwiftyError`` of the load, or ``SwiftyError/Code/elementTooLarge``.
            @inlinable
            public mutating func next() async throws(SwiftyError) -> Data? {
                if let line = try ready() { return line }
                return try await received(isolation: nil)
            }

            /// Waits for the next line; see ``next()``.
            @inlinable
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> Data? {
                // Inlined into the caller's loop, so that a line that has arrived costs no asynchronous call.
                if let line = try ready() { return line }
                return try await received(isolation: actor)
            }

            @usableFromInline
            mutating func ready() throws(SwiftyError) -> Data? {
                try lines.ready()
            }

            @usableFromInline
            mutating func received(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> Data? {
                try await lines.next()
            }
        }
    }
}
