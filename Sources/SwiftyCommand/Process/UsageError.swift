// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A mistake in the arguments, and how to do it right. Ends the command with status 64.
struct UsageError: Error, Equatable {
    let message: String
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}
