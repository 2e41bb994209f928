// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// What is kept out of a cassette and of exported mock files.
public struct CassetteRedaction: Sendable {
    /// Names of header fields, query parameters, form fields and JSON members whose values are secret, beside those
    /// that Swifty knows (`Authorization`, `Cookie`, `access_token`, `password` and others). Compared without case.
    public var names: Set<String> = []
    /// Names whose values are not secret, although they look like those of secrets: `sort_key`, `session_count`.
    /// Compared without case.
    public var plainNames: Set<String> = []
    /// Values that are secret wherever they occur.
    public var values: Set<String> = []
    /// Whether anything is replaced. `false` stores every secret in the file.
    public var isEnabled = true

    /// Makes the default: the secrets that Swifty knows by their names.
    public init() {}

    /// No redaction.
    public static var off: CassetteRedaction {
        var redaction = CassetteRedaction()
        redaction.isEnabled = false
        return redaction
    }

    /// Whether the value of a header field, a parameter of a URL or a field of a form is secret.
    func isSecret(_ name: some StringProtocol) -> Bool {
        isEnabled && (choice(for: name) ?? Redaction.isSecret(name: name))
    }

    /// Whether the value of a member of JSON is secret. There, `key` and `code` are common names of what is not.
    func isSecret(member name: String) -> Bool {
        let isCommon = ["key", "code"].contains(name.lowercased())
        return isEnabled && (choice(for: name) ?? (!isCommon && Redaction.isSecret(name: name)))
    }

    /// What ``names`` and ``plainNames`` say; `nil` if they say nothing.
    private func choice(for name: some StringProtocol) -> Bool? {
        if names.isEmpty, plainNames.isEmpty { return nil }
        let name = name.lowercased()
        if plainNames.contains(where: { $0.lowercased() == name }) { return false }
        return names.contains { $0.lowercased() == name } ? true : nil
    }
}
