// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Synchronization

/// Content in parts, each after a pause, that can be produced again.
///
/// A source that is busy when its transfer is repeated goes on until its pause is over: it ignores cancellation.
final class PausingSource: ContentSource {
    /// The way in which the content is produced again.
    enum Repetition {
        /// By a source of its own.
        case replay
        /// By the same source.
        case rewind
        case none
    }

    let length: Int?
    private let parts: [String]
    private let pause: Duration
    private let repetition: Repetition
    private let position = Mutex(0)

    init(_ parts: [String], hasLength: Bool = false, length: Int? = nil, pause: Duration, _ repetition: Repetition) {
        (self.parts, self.pause, self.repetition) = (parts, pause, repetition)
        self.length = length ?? (hasLength ? parts.reduce(0) { $0 + $1.utf8.count } : nil)
    }

    var isRewindable: Bool { if case .none = repetition { false } else { true } }

    func next() async throws -> Data? {
        let pause = pause
        // Unlike its caller, the new task is not cancelled.
        if pause > .zero { await Task { try? await Task.sleep(for: pause) }.value }
        return position.withLock { position in
            defer { position += 1 }
            return position < parts.count ? Data(parts[position].utf8) : nil
        }
    }

    func rewind() async throws {
        position.withLock { $0 = 0 }
    }

    func replayed() -> (any ContentSource)? {
        guard case .replay = repetition else { return nil }
        return PausingSource(parts, length: length, pause: pause, repetition)
    }
}

/// A run of a source that waits until the test lets it go on.
final class PausedRun: Sendable {
    /// The next part of a run.
    final class Position: Sendable {
        let isFirst: Bool
        private let index = Mutex(0)

        init(isFirst: Bool) {
            self.isFirst = isFirst
        }

        func advance() -> Int {
            index.withLock { index in
                defer { index += 1 }
                return index
            }
        }
    }

    private struct State {
        var isEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                if !state.isEnded { state.waiting.append(continuation) }
                return state.isEnded
            }
            if isEnded { continuation.resume() }
        }
    }

    func end() {
        let waiting = state.withLock { state in
            defer { (state.isEnded, state.waiting) = (true, []) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
