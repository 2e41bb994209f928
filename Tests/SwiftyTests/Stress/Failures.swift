// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

/// The errors of a test, from any thread; `nil` for an answer that is wrong without an error.
final class Failures: Sendable, CustomStringConvertible {
    private let state = Mutex<[SwiftyError?]>([])

    var errors: [SwiftyError?] { state.withLock { $0 } }

    /// How many there are, and the first few of them.
    var description: String {
        let errors = self.errors
        return "\(errors.count) failures: \(errors.prefix(5).map { $0?.description ?? "a wrong answer" })"
    }

    func add(_ error: SwiftyError?) {
        state.withLock { $0.append(error) }
    }
}
