// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// What is kept out of a cassette.
public struct CassetteRedaction: Sendable {
    /// Names of header fields, query parameters, form fields and JSON members whose values are secret, beside those
    /// that Swifty knows (`Authorization`, `Cookie`, `access_token`, `password` and others). Compared without case.
    public var names: Set<String> = []
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

    func isSecret(_ name: some StringProtocol) -> Bool {
        isEnabled
            && (Redaction.isSecret(name: name) || names.contains { $0.lowercased() == name.lowercased() })
    }
}
