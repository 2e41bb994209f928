// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization

import struct Foundation.Data

/// Content of a request as a list of parts, which may end in an error.
final class ListedSource: ContentSource {
    struct Failure: Error {}

    private struct State {
        var position = 0
        var isCancelled = false
    }

    private let parts: [String]
    private let error: (any Error)?
    /// The time before each part.
    private let pause: Duration
    private let state = Mutex(State())
    let length: Int?
    private let onPart: @Sendable () -> Void
    let isRewindable = false

    init(
        _ parts: [String],
        length: Int? = nil,
        error: (any Error)? = nil,
        pause: Duration = .zero,
        onPart: @escaping @Sendable () -> Void = {}
    ) {
        (self.parts, self.length, self.error) = (parts, length, error)
        (self.pause, self.onPart) = (pause, onPart)
    }

    /// The number of parts that were read.
    var position: Int { state.withLock { $0.position } }
    /// Whether the transport has released the source.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func next() async throws -> Data? {
        let position = state.withLock { state in
            defer { state.position += 1 }
            return state.position
        }
        if position < parts.count {
            if pause > .zero { try await Task.sleep(for: pause) }
            onPart()
            return Data(parts[position].utf8)
        }
        if let error { throw error }
        return nil
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }
}
