// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Records whether content that can be read only once has been read. All sources of the same content share it.
final class SingleUse: Sendable {
    private let reader = Mutex<ObjectIdentifier?>(nil)

    /// Whether reading has begun.
    var isUsed: Bool { reader.withLock { $0 != nil } }

    /// Begins to read, unless another reader has begun.
    ///
    /// - Throws: ``SwiftyError/Code/contentNotReplayable``.
    func begin(_ source: AnyObject) throws(SwiftyError) {
        let identifier = ObjectIdentifier(source)
        let isAllowed = reader.withLock { reader in
            defer { reader = reader ?? identifier }
            return reader == nil || reader == identifier
        }
        if !isAllowed { throw Self.error }
    }

    /// - Throws: ``SwiftyError/Code/contentNotReplayable`` if reading has begun.
    func check() throws(SwiftyError) {
        if isUsed { throw Self.error }
    }

    private static let error = SwiftyError(
        .contentNotReplayable,
        stage: .building,
        reason: "the content's stream, pipe or device was already read for an attempt before, and can be read only once"
    )
}
