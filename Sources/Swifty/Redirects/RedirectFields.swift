// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Which header fields go along with a redirect.
enum RedirectFields {
    /// Whether a field says something about the content, and goes when the content does.
    static func describesContent(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.hasPrefix("content-") || ofContent.contains(name.canonicalName)
    }

    /// Whether a field is meant for one origin only, by its name: secrets, and what names the origin itself.
    static func isBoundToOrigin(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        return ofOrigin.contains(name) || name.hasPrefix("proxy-") || Redaction.isSecret(name: name)
            || (name.hasSuffix("-key") && name != "idempotency-key")
    }

    /// Whether a field that a request interceptor has set may go to another origin all the same.
    static func isHarmless(_ name: HTTPField.Name) -> Bool {
        harmless.contains(name.canonicalName) || describesContent(name)
    }

    private static let ofContent: Set<String> = [
        "digest", "repr-digest", "last-modified", "transfer-encoding", "trailer", "expect", "idempotency-key",
    ]

    private static let ofOrigin: Set<String> = [
        "host", "origin", "referer", "www-authenticate", "authentication-info", "x-auth", "x-auth-user", "x-auth-email",
    ]

    private static let harmless: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "pragma", "priority",
        "range",
        "user-agent", "traceparent",
    ]
}
