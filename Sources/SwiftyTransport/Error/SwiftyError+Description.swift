// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SwiftyError: CustomStringConvertible {
    /// One line that says what failed, where and why, and what can be done, without secrets and without control characters.
    public var description: String {
        hint.map { "\(descriptionWithoutHint) (\($0))" } ?? descriptionWithoutHint
    }

    /// One line that says what failed, where and why.
    package var descriptionWithoutHint: String {
        let subject = request.map { "\($0) failed" } ?? "The request failed"
        let parts = ["\(subject) (\(code.rawValue), \(stage.rawValue))", explanation].filter { !$0.isEmpty }
        return Redaction.line(parts.joined(separator: ": "))
    }

    private var explanation: String {
        let reason = Redaction.line(reason)
        return reason.isEmpty ? underlying.map { Redaction.line(String(describing: $0)) } ?? "" : reason
    }
}
