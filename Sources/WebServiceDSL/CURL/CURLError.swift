// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The error of a curl command that cannot be a request.
package struct CURLError: Error, Equatable {
    /// A sentence for the person who has typed the command; it may repeat parts of the command.
    package let message: String
    package let hint: String?
    /// The same as a part of a sentence, for errors and logs: without values, which may be secrets.
    package let reason: String

    /// - Parameter reason: `nil` if the message repeats no value.
    init(_ message: String, hint: String? = nil, reason: String? = nil) {
        self.message = message
        self.hint = hint
        self.reason = reason ?? Self.part(message)
    }

    /// A sentence without its capital letter and its full stop.
    private static func part(_ sentence: String) -> String {
        let end = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        return end.prefix(1).lowercased() + end.dropFirst()
    }
}
