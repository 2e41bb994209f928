// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import SwiftyTransport
import Synchronization

import struct Foundation.Data

/// Content of a request in two parts, the second of which waits until ``letGo()``.
final class HeldSource: ContentSource {
    private let first: String
    private let second: String
    private let isLetGo = Promise<Bool>()
    private let position = Mutex(0)
    private let isEnded = Mutex(false)
    let isRewindable = false

    init(_ first: String, _ second: String) {
        (self.first, self.second) = (first, second)
    }

    var length: Int? { first.utf8.count + second.utf8.count }

    /// Whether the second part was asked for.
    var isWaiting: Bool { position.withLock { $0 > 1 } }
    var isReleased: Bool { isEnded.withLock { $0 } }

    func letGo() {
        isLetGo.resolve(true)
    }

    func next() async throws -> Data? {
        let position = position.withLock { position in
            defer { position += 1 }
            return position
        }
        switch position {
        case 0: return Data(first.utf8)
        case 1:
            guard await isLetGo.value() else { throw CancellationError() }
            return Data(second.utf8)
        default: return nil
        }
    }

    /// Also ends the wait.
    func cancel() {
        isEnded.withLock { $0 = true }
        isLetGo.resolve(false)
    }
}
