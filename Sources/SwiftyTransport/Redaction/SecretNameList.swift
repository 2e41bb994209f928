// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// How strongly a name indicates that its value is a secret.
package enum SecretKind: Sendable {
    /// `token`, `password`: whatever the value is, and everything in it.
    case clear
    /// `pin`, `ticket`: short names, which in content also name structures that are no secrets.
    case short
    /// `key`, `code`: secrets in fields and parameters; in content only if the value looks like a secret.
    case common
}

/// The names whose values are secrets; the documentation is in Docs/Secrets.md.
///
/// The same list decides what is hidden and what does not cross a redirect to another origin.
enum SecretNameList {
    /// The kind of a name; `nil` if its value is not a secret.
    static func kind(of name: NameWords) -> SecretKind? {
        guard let last = name.words.last, !isPlain(name, last) else { return nil }
        if parts.contains(where: { name.squashed.contains(bytesOf: $0) }) { return .clear }
        if clearEndings.contains(last) || clearNames.contains(name.squashed) { return .clear }
        if shortEndings.contains(last) || shortNames.contains(name.squashed) { return .short }
        if name.squashed == "key" || name.squashed == "code" { return .common }
        return last == "key" && name.words.count > 1 ? .clear : nil
    }

    /// Parts of names, without the separators of words.
    private static let parts: [StaticString] = [
        "authorization", "cookie", "token", "secret", "password", "passwd", "passphrase", "passcode", "apikey",
        "signature", "credential", "session", "sessid", "accesskey", "subscriptionkey", "privatekey", "signingkey",
        "encryptionkey", "sharedkey", "accountkey", "licensekey", "masterkey", "authkey", "clientassertion",
        "jwtassertion", "samlassertion", "samlresponse", "oidcdata", "codeverifier", "connectionstring", "csrf", "xsrf",
        "hmac", "totp", "authcode", "verificationcode", "securitycode", "devicecode", "recoverycode", "backupcode",
        "accesscode", "resetcode", "logincode", "smscode", "otpcode", "mfacode", "pincode", "userpass",
    ]

    /// Last words of names.
    private static let clearEndings: Set<String> = [
        "auth", "authentication", "assertion", "pwd", "pass", "otp", "hotp", "jwt", "cvv", "cvc", "psk", "cred",
        "creds",
    ]
    private static let shortEndings: Set<String> = ["pin", "pat", "mfa", "sig", "pw"]

    /// Whole names.
    private static let clearNames: Set<String> = ["dpop", "samlart"]
    private static let shortNames: Set<String> = ["ticket", "sid", "connectsid", "pin", "jwt", "cvv", "cvc"]

    // MARK: Plain names

    private static func isPlain(_ name: NameWords, _ last: String) -> Bool {
        plainNames.contains(name.squashed) || plainEndings.contains(last) || isTime(name, last) || isCount(name, last)
            || last == "key" && name.words.dropLast().last.map { plainKeys.contains($0) } == true
    }

    /// Whole names that look like those of secrets, but whose values are not secret. API descriptions have those of
    /// OAuth 2.0 (RFC 6749 §5.1, RFC 7009 §2.1) also in lower case.
    private static let plainNames: Set<String> = [
        "accesscontrolallowcredentials", "tokentype", "tokentypehint", "tokenurl", "tokenuri", "authorizationurl",
        "clientassertiontype",
    ]

    /// Last words that name a property of a secret, also in server metadata (RFC 8414).
    private static let plainEndings: Set<String> = [
        "type", "count", "url", "uri", "endpoint", "supported", "required", "iframe", "length", "limit", "ttl",
        "lifetime", "duration", "policy", "enabled", "disabled", "algorithm", "alg", "method", "expires", "expiry",
        "expiration", "expired", "timeout", "version", "status", "scope", "scopes", "name",
    ]

    /// `idempotency-key` and the keys of databases.
    private static let plainKeys: Set<String> = [
        "idempotency", "surrogate", "public", "primary", "foreign", "partition", "cache", "object", "issue", "project",
    ]

    /// `expires_in`, `token_issued_at`.
    private static func isTime(_ name: NameWords, _ last: String) -> Bool {
        ["in", "at", "on"].contains(last)
            && name.words.dropLast().last.map { ["expires", "issued", "created", "updated"].contains($0) } == true
    }

    /// `max_tokens` and `x-ratelimit-remaining-tokens`, as language models count them.
    private static func isCount(_ name: NameWords, _ last: String) -> Bool {
        name.words.contains("ratelimit") || last == "tokens" && name.words.contains { counts.contains($0) }
    }

    private static let counts: Set<String> = [
        "max", "min", "prompt", "completion", "total", "input", "output", "cached", "reasoning", "used", "remaining",
        "limit", "context",
    ]
}

extension String {
    fileprivate func contains(bytesOf part: StaticString) -> Bool {
        var copy = self
        return copy.withUTF8 { bytes in
            let last = bytes.count - part.utf8CodeUnitCount
            return last >= 0
                && (0...last).contains { start in
                    (0..<part.utf8CodeUnitCount).allSatisfy { bytes[start + $0] == part.utf8Start[$0] }
                }
        }
    }
}
