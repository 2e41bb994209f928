// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Keeps secrets out of descriptions, errors and logs.
package enum Redaction {
    /// The text in place of a secret.
    package static let placeholder = "REDACTED"

    /// Parts of names whose values are secrets.
    private static let secretNameParts: [StaticString] = [
        "authorization", "cookie", "token", "secret", "password", "passwd", "passphrase", "api-key", "apikey",
        "api_key", "signature", "credential", "session", "access-key", "access_key", "accesskey", "subscription-key",
        "subscriptionkey", "private-key", "private_key", "privatekey", "signingkey", "encryptionkey",
        "client_assertion", "code_verifier",
    ]

    /// Names whose values are secrets only if the whole name matches.
    private static let secretNames: Set<String> = ["auth", "sig", "key", "code", "pwd", "pass", "otp", "jwt", "x-auth"]

    /// Names that look like those of secrets, but whose values are not secret.
    private static let plainNames: Set<String> = [
        "access-control-allow-credentials", "idempotency-key", "x-idempotency-key", "surrogate-key",
        // OAuth 2.0 (RFC 6749 §5.1, RFC 7009 §2.1); API descriptions have them in camel case.
        "token_type", "tokentype", "token_type_hint", "token_url", "tokenurl", "token_uri", "tokenuri",
        "authorization_url", "authorizationurl", "client_assertion_type",
    ]

    /// The ends of names of server metadata (RFC 8414), which are not secret.
    private static let plainEndings = ["_endpoint", "_supported", "_required", "_iframe"]

    /// Whether the value of a header field or query parameter of this name is hidden.
    ///
    /// - Parameter name: The name, in any case, percent-encoded or not.
    package static func isSecret(name: some StringProtocol) -> Bool {
        let name = PercentEncoding.decode(String(name)).lowercased()
        if plainNames.contains(name) || plainEndings.contains(where: name.hasSuffix) { return false }
        return secretNames.contains(name) || secretNameParts.contains { name.contains(bytesOf: $0) }
            || name.hasSuffix("-key") || name.hasSuffix("_key")
    }

    /// The URI with the values of secret query parameters replaced.
    package static func redact(_ target: TargetURI) -> String {
        target.query == nil ? target.string : redact(reference: target.string)
    }

    /// An absolute or relative reference, such as a server sends, with credentials and the values of secret parameters
    /// replaced, in the query and in the fragment.
    package static func redact(reference: String) -> String {
        var rest = reference[...]
        var result = ""
        if let authority = reference.authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            result = reference[..<authority.startIndex] + placeholder
            rest = reference[at...]
        }
        guard let mark = rest.utf8.firstIndex(where: { "?#".utf8.contains($0) }) else { return result + rest }
        result += rest[...mark]
        result += redact(pairs: rest[rest.utf8.index(after: mark)...])
        return result
    }

    /// The parameters of a query or a fragment, with the values of secret ones replaced.
    package static func redact(pairs: some StringProtocol) -> String {
        var result = ""
        var rest = Substring(pairs)
        while let separator = rest.utf8.firstIndex(where: { "&#?".utf8.contains($0) }) {
            let end = rest.utf8.index(after: separator)
            result += redact(pair: rest[..<separator])
            result += rest[separator..<end]
            rest = rest[end...]
        }
        return result + redact(pair: rest)
    }

    private static func redact(pair: Substring) -> String {
        guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")), isSecret(name: pair[..<equals]) else {
            return String(pair)
        }
        return pair[...equals] + placeholder
    }

    /// The part of a malformed URI that can be shown: no query and no fragment, and nothing at all if it has an `@`,
    /// which may follow credentials.
    package static func redact(malformed text: String) -> String {
        let start = text.prefix { $0 != "?" && $0 != "#" }
        return start.contains("@") ? placeholder : oneLine(String(start))
    }

    /// The text with every control character escaped, so that it is one line in a log.
    package static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                result += scalar.escaped(asASCII: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The text as one line to be read: control characters escaped, and words separated by single spaces.
    package static func line(_ text: String) -> String {
        oneLine(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
    }
}

extension String {
    /// The text between the first `//` and the path, the query or the fragment, without parsing the rest.
    fileprivate var authority: Substring? {
        guard let slashes = utf8.indices.first(where: { utf8[$0...].starts(with: "//".utf8) }) else { return nil }
        let start = utf8.index(slashes, offsetBy: 2)
        return self[start..<(utf8[start...].firstIndex { "/?#".utf8.contains($0) } ?? endIndex)]
    }

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

extension Redaction {
    /// Header fields on one line, with the values of secret ones replaced.
    static func describe(_ fields: HTTPFields) -> String {
        "[\(fields.map { "\($0.name.rawName): \(redact($0))" }.joined(separator: ", "))]"
    }

    private static func redact(_ field: HTTPField) -> String {
        if isSecret(name: field.name.rawName) { return placeholder }
        return fieldsWithURI.contains(field.name.canonicalName) ? redact(reference: field.value) : field.value
    }

    private static let fieldsWithURI: Set<String> = ["location", "content-location", "referer", "link", "refresh"]
}
