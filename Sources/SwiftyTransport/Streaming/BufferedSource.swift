// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

package import struct Foundation.Data

/// Content in memory, in one part, as a source.
package final class BufferedSource: ContentSource {
    private let bytes: Data
    private let isRead = Mutex(false)

    /// Makes a source of bytes in memory.
    package init(_ bytes: Data) {
        self.bytes = bytes
    }

    package var length: Int? { bytes.count }
    package var isRewindable: Bool { true }

    package func next() async throws -> Data? {
        let wasRead = isRead.withLock { isRead in
            defer { isRead = true }
            return isRead
        }
        return wasRead ? nil : bytes
    }

    package func rewind() async throws {
        isRead.withLock { $0 = false }
    }

    package func replayed() -> (any ContentSource)? { BufferedSource(bytes) }
}
