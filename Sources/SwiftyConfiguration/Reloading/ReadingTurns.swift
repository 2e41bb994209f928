// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Foundation
import Synchronization

/// Lets one reading follow another, and none begin inside another one.
///
/// Readings call closures of the program, such as listings of keys. One that reads again would wait for itself.
final class ReadingTurns: Sendable {
    private let turn = Mutex(())
    /// The thread that reads now: readings are synchronous.
    private let reader = Mutex<ObjectIdentifier?>(nil)

    /// Reads after the readings of other threads.
    ///
    /// - Returns: `nil` if the calling thread is reading already; then nothing is read.
    func take<Outcome: Sendable>(_ read: () -> Outcome) -> Outcome? {
        let thread = ObjectIdentifier(Thread.current)
        if reader.withLock({ $0 == thread }) { return nil }
        return turn.withLock { _ in
            reader.withLock { $0 = thread }
            defer { reader.withLock { $0 = nil } }
            return read()
        }
    }
}
#endif
