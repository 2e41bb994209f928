// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

import struct Foundation.Data

/// The record of what the runs of a streamed body have produced in one load, so that a later run cannot replace the
/// content by its rest, or by nothing.
///
/// A closure that returns a sequence which another run has read, or that writes what another run has left, gives less
/// than before. That is found by the number of bytes, at the end of the run, and by the first bytes, while they arrive.
/// A run that the end of its transfer has cancelled may still be producing while the next one does.
final class BodyRuns: Sendable {
    fileprivate struct State {
        /// The first bytes of the content.
        var beginning = Data()
        /// The largest number of bytes of a run.
        var count = 0
    }

    /// The number of bytes that are compared: enough to tell a beginning from a rest, and nothing beside what is sent.
    static let comparedCount = 1024

    private let state = Mutex(State())
    /// Whether a load of the body had content.
    private let earlier: EarlierContent

    init(_ earlier: EarlierContent) {
        self.earlier = earlier
    }

    /// Records a part, unless it is another one than before.
    ///
    /// - Parameter place: The number of bytes that the run has produced before.
    /// - Throws: ``SwiftyError/Code/bodyNotReplayable``.
    func add(_ part: Data, at place: Int) throws(SwiftyError) {
        if place == 0, !part.isEmpty { earlier.note() }
        let isSame = state.withLock { $0.add(part, at: place) }
        if !isSame { throw Self.error("the body's stream has begun with other bytes than in an attempt before") }
    }

    /// Checks the number of bytes of a run that has ended.
    ///
    /// - Throws: ``SwiftyError/Code/bodyNotReplayable`` if an earlier run had more, or if an earlier load had content
    ///   and this one has none.
    func end(at count: Int) throws(SwiftyError) {
        let expected = state.withLock { $0.count }
        if count < expected {
            throw Self.error("the body's stream has \(count) bytes, but had at least \(expected) in an attempt before")
        }
        if count == 0, earlier.isNoted {
            throw Self.error("the body's stream is empty, but had content in an earlier load of this resource")
        }
    }

    private static func error(_ reason: String) -> SwiftyError {
        SwiftyError(
            .bodyNotReplayable,
            stage: .send,
            sent: .maybeSent,
            reason: "\(reason): its closure must produce the same bytes each time, from a new sequence for example, "
                + "or say isReplayable: false"
        )
    }
}

extension BodyRuns.State {
    /// Returns whether a part is the same as before, as far as that is known.
    fileprivate mutating func add(_ part: Data, at place: Int) -> Bool {
        if place < BodyRuns.comparedCount {
            let known = beginning.dropFirst(place).prefix(part.count)
            if !part.starts(with: known) { return false }
            if place <= beginning.count {
                beginning += part.dropFirst(known.count).prefix(BodyRuns.comparedCount - beginning.count)
            }
        }
        count = max(count, place + part.count)
        return true
    }
}

/// Whether any load of a streamed body had content.
final class EarlierContent: Sendable {
    private let flag = Atomic(false)

    var isNoted: Bool { flag.load(ordering: .relaxed) }

    func note() {
        flag.store(true, ordering: .relaxed)
    }
}
