// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Synchronization
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("The pump of a request's content", .timeLimit(.minutes(15)))
struct ContentPumpTests {
    @Test("cancels a source that was made for a repetition which has ended meanwhile")
    func lateReplay() async throws {
        let replay = ReplayingSource()
        let source = ReplayingSource(replay)
        let pump = ContentPump(source)
        source.onReplay { pump.end() }
        pump.start({ _, _ in }, after: Task {})
        try await until { replay.isCancelled }
        #expect(source.isCancelled)
    }
}

/// A source without content that calls a closure while it makes another source.
private final class ReplayingSource: ContentSource {
    let length: Int? = nil
    let isRewindable = true
    private let replay: ReplayingSource?
    private let action = Mutex<(@Sendable () -> Void)?>(nil)
    private let cancellation = Mutex(false)

    init(_ replay: ReplayingSource? = nil) {
        self.replay = replay
    }

    var isCancelled: Bool { cancellation.withLock { $0 } }

    func onReplay(_ action: @escaping @Sendable () -> Void) {
        self.action.withLock { $0 = action }
    }

    func next() async throws -> Data? { nil }

    func replayed() -> (any ContentSource)? {
        action.withLock { $0 }?()
        return replay
    }

    func cancel() {
        cancellation.withLock { $0 = true }
    }
}
