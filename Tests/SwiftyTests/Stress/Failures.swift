// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import TestSupport

/// The errors of a test, from any thread; `nil` for a response that is wrong without an error.
final class Failures: Sendable, CustomStringConvertible {
    private let recording = Recording<SwiftyError?>()

    var errors: [SwiftyError?] { recording.values }

    /// How many there are, and the first few of them.
    var description: String {
        let errors = self.errors
        return "\(errors.count) failures: \(errors.prefix(5).map { $0?.description ?? "a wrong response" })"
    }

    func add(_ error: SwiftyError?) {
        recording.append(error)
    }
}
