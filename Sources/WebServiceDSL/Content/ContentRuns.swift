// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

import struct Foundation.Data

/// A record of what the runs of streamed content have produced in one load, so that a later run cannot send only the
/// rest of the content, or nothing.
///
/// A closure that returns a sequence that another run has already read, or writes what another run has left, produces
/// less than before. This is detected by the first bytes as they arrive, and by the number of bytes at the end of the
/// run. A run that was cancelled by the end of its transfer may still be producing while the next one does.
final class ContentRuns: Sendable {
    fileprivate struct State {
        /// The first bytes of the content.
        var beginning = Data()
        /// The largest number of bytes of a run.
        var count = 0
    }

    /// The number of bytes that are compared: enough to tell the beginning of the content from its rest, and negligible
    /// beside what is sent.
    static let comparedCount = 1024

    private let state = Mutex(State())
    /// Whether a load of the content had content.
    private let earlier: EarlierContent

    init(_ earlier: EarlierContent) {
        self.earlier = earlier
    }

    /// Records a part, unless it differs from that of an earlier run.
    ///
    /// - Parameter place: The offset of the part: the number of bytes that the run has produced before it.
    /// - Throws: ``SwiftyError/Code/contentNotReplayable``.
    func add(_ part: Data, at place: Int) throws(SwiftyError) {
        if place == 0, !part.isEmpty { earlier.note() }
        let isSame = state.withLock { $0.add(part, at: place) }
        if !isSame { throw Self.error("the content's stream has begun with other bytes than in an attempt before") }
    }

    /// Checks the number of bytes of a run that has ended.
    ///
    /// - Throws: ``SwiftyError/Code/contentNotReplayable`` if an earlier run had more, or if an earlier load had
    ///   content and this one has none.
    func end(at count: Int) throws(SwiftyError) {
        let expected = state.withLock { $0.count }
        if count < expected {
            throw Self.error(
                "the content's stream has \(count) bytes, but had at least \(expected) in an attempt before"
            )
        }
        if count == 0, earlier.isNoted {
            throw Self.error("the content's stream is empty, but had content in an earlier load of this resource")
        }
    }

    private static func error(_ reason: String) -> SwiftyError {
        SwiftyError(
            .contentNotReplayable,
            stage: .send,
            sent: .maybeSent,
            reason: "\(reason): its closure must produce the same bytes each time, from a new sequence for example, "
                + "or say isReplayable: false"
        )
    }
}

extension ContentRuns.State {
    /// Returns whether a part is the same as before, as far as that is known.
    fileprivate mutating func add(_ part: Data, at place: Int) -> Bool {
        if place < ContentRuns.comparedCount {
            let known = beginning.dropFirst(place).prefix(part.count)
            if !part.starts(with: known) { return false }
            if place <= beginning.count {
                beginning += part.dropFirst(known.count).prefix(ContentRuns.comparedCount - beginning.count)
            }
        }
        count = max(count, place + part.count)
        return true
    }
}

/// Whether any load of streamed content had content.
final class EarlierContent: Sendable {
    private let flag = Atomic(false)

    var isNoted: Bool { flag.load(ordering: .relaxed) }

    func note() {
        flag.store(true, ordering: .relaxed)
    }
}
