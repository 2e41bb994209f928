// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SwiftyError: CustomStringConvertible {
    /// One line that says what failed, where and why, without secrets and without control characters.
    public var description: String {
        var text = request.map { "\($0) failed" } ?? "The request failed"
        text += " (\(code.rawValue), \(stage.rawValue))"
        if let explanation = explanation { text += ": \(explanation)" }
        return Redaction.oneLine(text)
    }

    private var explanation: String? {
        if !reason.isEmpty { return reason }
        return underlying.map { String(describing: $0) }
    }
}
