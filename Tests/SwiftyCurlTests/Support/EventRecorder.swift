// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization

/// The events of a transfer in order, and the threads on which they were reported.
final class EventRecorder: Sendable {
    private let contents = Mutex<[TransferEvent]>([])
    private let threads = Mutex<Set<String>>([])

    var events: [TransferEvent] { contents.withLock { $0 } }
    var threadNames: Set<String> { threads.withLock { $0 } }

    func record(_ event: TransferEvent) {
        contents.withLock { $0.append(event) }
        threads.withLock { _ = $0.insert(ThisProcess.currentThreadName) }
    }

    /// The events without their numbers.
    var names: [String] {
        events.map { event in
            switch event {
            case .connected(_, _, _, let isReused): isReused ? "reused" : "connected"
            case .requestSent: "sent"
            case .informational(let statusCode, _), .responseHead(let statusCode, _): "\(statusCode)"
            case .progress: "progress"
            case .trailers: "trailers"
            }
        }
    }

    var progress: [(sent: Int, received: Int)] {
        events.compactMap { if case .progress(let sent, let received) = $0 { (sent, received) } else { nil } }
    }
}
