// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

extension ResponseStream {
    /// The parts of the content, as they arrive; see ``NetworkResource/chunks()``.
    public struct Chunks: AsyncSequence, Sendable {
        /// A part, which is not empty.
        public typealias Element = Data

        let source: PartSource

        /// An iterator, which loads the request with its first part.
        public func makeAsyncIterator() -> Iterator {
            Iterator(parts: PartReader(source))
        }

        /// Reads the parts of one response. Its release ends the transfer.
        public struct Iterator: AsyncIteratorProtocol {
            let parts: PartReader

            /// Waits for the next part; `nil` at the end, and after an error.
            ///
            /// - Throws: ``SwiftyError`` of the load.
            public mutating func next() async throws(SwiftyError) -> Data? {
                try await parts.next()
            }

            /// Waits for the next part; see ``next()``.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> Data? {
                try await parts.next()
            }
        }
    }
}
