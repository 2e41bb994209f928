// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Buffers that are used again for the next parts of a file. Fresh memory would cost a page fault for every 4 KiB.
package final class ReadBuffers: Sendable {
    /// As many as are in use at once: one is sent while the next one is read.
    private static var mostFree: Int {
        // The sanitizer does not see that the last reference to a buffer is released after it was read, and by another
        // thread: the next part in it would look like a race.
        #if SWIFTY_THREAD_SANITIZER
        0
        #else
        3
        #endif
    }

    /// The size of each, in bytes.
    let size: Int
    // Safety: an address is either here or with the one that has taken it.
    private let free = Mutex<[UInt]>([])

    package init(size: Int) {
        self.size = size
    }

    deinit {
        free.withLock { free in
            for address in free { Foundation.free(UnsafeMutableRawPointer(bitPattern: address)) }
        }
    }

    /// A buffer, whose content is undefined; `nil` if there is no memory.
    func take() -> UnsafeMutableRawPointer? {
        free.withLock { $0.popLast() }.flatMap { UnsafeMutableRawPointer(bitPattern: $0) } ?? malloc(size)
    }

    func giveBack(_ buffer: UnsafeMutableRawPointer) {
        let isKept = free.withLock { free in
            if free.count >= Self.mostFree { return false }
            free.append(UInt(bitPattern: buffer))
            return true
        }
        if !isKept { Foundation.free(buffer) }
    }
}
