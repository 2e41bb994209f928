// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization

/// The connections of a transport that have ended, until they are taken. Nothing is recorded before they were taken
/// once.
final class ClosedConnections: Sendable {
    private static let maximumCount = 4_096
    private let isRecording = Atomic(false)
    private let closed = Mutex<[ClosedConnection]>([])

    /// Records a connection that ends. Of too many that are not taken, the first ones are kept.
    func note(_ ended: @autoclosure () -> ClosedConnection) {
        guard isRecording.load(ordering: .relaxed) else { return }
        let ended = ended()
        closed.withLock { if $0.count < Self.maximumCount { $0.append(ended) } }
    }

    func take() -> [ClosedConnection] {
        isRecording.store(true, ordering: .relaxed)
        return closed.withLock { closed in
            defer { closed = [] }
            return closed
        }
    }
}
