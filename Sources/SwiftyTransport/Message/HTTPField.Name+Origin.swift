// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension HTTPField.Name {
    /// Whether a field of this name is for one origin only: a secret, or a name of the origin itself.
    package var isBoundToOrigin: Bool {
        let name = canonicalName
        return Self.ofOrigin.contains(name) || name.hasPrefix("proxy-") || Redaction.isSecret(name: name)
            || (name.hasSuffix("-key") && name != "idempotency-key")
    }

    private static let ofOrigin: Set<String> = [
        "host", "origin", "referer", "www-authenticate", "authentication-info", "x-auth", "x-auth-user", "x-auth-email",
    ]
}
