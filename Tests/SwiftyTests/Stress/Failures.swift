// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import TestSupport

/// The errors of a test, from any thread; `nil` for a wrong response.
final class Failures: Sendable, CustomStringConvertible {
    private let recording = Recording<SwiftyError?>()

    var errors: [SwiftyError?] { recording.values }

    /// The number of errors, and the first five.
    var description: String {
        let errors = self.errors
        return "\(errors.count) failures: \(errors.prefix(5).map { $0?.description ?? "a wrong response" })"
    }

    func add(_ error: SwiftyError?) {
        recording.append(error)
    }
}
