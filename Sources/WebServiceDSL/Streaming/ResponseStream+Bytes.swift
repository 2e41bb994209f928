// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

extension ResponseStream {
    /// The bytes of the content one by one; see ``NetworkResource/bytes()``.
    public struct Bytes: AsyncSequence, Sendable {
        /// A byte.
        public typealias Element = UInt8

        let source: PartSource

        /// Makes an iterator. The iterator of a resource loads the request with its first byte.
        public func makeAsyncIterator() -> Iterator {
            Iterator(source)
        }

        /// Reads the bytes of one response. The release of an iterator that has loaded the request ends the transfer.
        public struct Iterator: AsyncIteratorProtocol {
            private let parts: PartReader
            // For functions that are inlined into the caller's loop, so that a byte that has arrived costs no call.
            @usableFromInline var part: [UInt8] = []
            @usableFromInline var position = 0

            init(_ source: PartSource) {
                parts = PartReader(source)
            }

            /// Waits for the next byte; `nil` at the end, and after an error.
            ///
            /// - Throws: ``SwiftyError`` of the load.
            @inlinable
            public mutating func next() async throws(SwiftyError) -> UInt8? {
                if position < part.count { return takeByte() }
                return try await firstOfNextPart(isolation: nil)
            }

            /// Waits for the next byte; see ``next()``.
            @inlinable
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> UInt8? {
                if position < part.count { return takeByte() }
                return try await firstOfNextPart(isolation: actor)
            }

            @inlinable
            mutating func takeByte() -> UInt8 {
                defer { position &+= 1 }
                return part[position]
            }

            @usableFromInline
            mutating func firstOfNextPart(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> UInt8? {
                // The old part is released during the wait.
                (part, position) = ([], 0)
                // Parts are not empty; `takeByte` would trap if a transport broke that rule.
                guard let bytes = try await parts.next(), !bytes.isEmpty else { return nil }
                part = [UInt8](bytes)
                return takeByte()
            }
        }
    }
}
