// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// `localizedDescription` of the error, and of the `NSError` that it bridges to.
extension SwiftyError: LocalizedError {
    /// The same line as `description`.
    public var errorDescription: String? { description }

    /// The ``hint``.
    public var recoverySuggestion: String? { hint }
}
