// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// What is kept out of a cassette and of exported mock files.
public struct CassetteRedaction: Sendable {
    /// Names of header fields, query parameters, form fields and JSON members whose values are secret, in addition to
    /// those that Swifty and the service know; see `SecretNames`.
    public var names: Set<String> = []
    /// Names whose values are not secret, although they look like those of secrets: `page_token`, `session_color`.
    public var plainNames: Set<String> = []
    /// Values that are secret wherever they occur.
    public var values: Set<String> = []
    /// Whether anything is replaced. `false` stores every secret in the file.
    public var isEnabled = true

    /// Makes the default: redacts the secrets that Swifty knows by their names.
    public init() {}

    /// No redaction.
    public static var off: CassetteRedaction {
        var redaction = CassetteRedaction()
        redaction.isEnabled = false
        return redaction
    }

    func redactor(_ secrets: RequestSecrets?) -> Redactor {
        Redactor(secrets, names: SecretNames(names, plain: plainNames), values: values)
    }
}
