// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

import struct Foundation.Data

/// Collects the chunks of a streamed body.
final class ChunkCollector: Sendable {
    private let bytes = Mutex(Data())

    var data: Data { bytes.withLock { $0 } }

    func append(_ chunk: Data) {
        bytes.withLock { $0.append(chunk) }
    }
}
