// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

public import protocol Foundation.LocalizedError

extension SwiftyError {
    private static let userMessage = Mutex<(@Sendable (SwiftyError) -> String?)?>(nil)

    /// Sets the messages that users see, in their language, in place of the descriptions for developers.
    ///
    ///     SwiftyError.setUserMessage { error in
    ///         error.code == .timedOut ? String(localized: "The server does not answer.") : nil
    ///     }
    ///
    /// They are the `localizedDescription` of every error in the process. The `description`, which logs have, stays.
    ///
    /// - Parameter message: Returns the message of an error; `nil` for its description. Called from any thread. `nil`
    ///   in place of the closure removes an earlier one.
    public static func setUserMessage(_ message: (@Sendable (SwiftyError) -> String?)?) {
        userMessage.withLock { $0 = message }
    }
}

/// The `localizedDescription` of the error, and of the `NSError` that it bridges to.
extension SwiftyError: LocalizedError {
    /// The message that ``setUserMessage(_:)`` has for the error, or else its description.
    public var errorDescription: String? {
        // Called outside the lock, since it is code of the application.
        let message = Self.userMessage.withLock { $0 }
        return message?(self) ?? description
    }

    /// The ``hint``.
    public var recoverySuggestion: String? { hint }
}
