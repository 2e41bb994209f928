// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Keeps secrets out of descriptions, errors and logs.
public enum Redaction {
    /// What stands in the place of a secret.
    public static let placeholder = "REDACTED"

    /// Parts of names which say that the value is a secret.
    private static let secretNameParts = [
        "authorization", "cookie", "token", "secret", "password", "passwd", "api-key", "apikey", "api_key",
        "signature", "credential", "session", "access-key", "access_key", "subscription-key", "private-key",
        "private_key",
    ]

    /// Short names that are secrets only as a whole.
    private static let secretNames: Set<String> = ["auth", "sig", "key", "code", "pwd", "pass", "otp", "jwt"]

    /// Whether the value of a header field or query parameter of this name is to be hidden.
    public static func isSecret(name: some StringProtocol) -> Bool {
        let name = name.lowercased()
        return secretNames.contains(name) || secretNameParts.contains { name.contains($0) }
    }

    /// The URI with the values of secret query parameters replaced.
    public static func redact(_ target: TargetURI) -> String {
        guard let query = target.query else { return target.string }
        let path = target.path.isEmpty ? "/" : target.path
        return "\(target.origin)\(path)?\(redact(pairs: query))"
    }

    /// Pairs as in a query or in a fragment, with the values of secret ones replaced.
    public static func redact(pairs: String) -> String {
        let pairs = pairs.split(separator: "&", omittingEmptySubsequences: false).map { pair -> Substring in
            guard let equals = pair.firstIndex(of: "="), isSecret(name: pair[..<equals]) else { return pair }
            return pair[...equals] + placeholder
        }
        return pairs.joined(separator: "&")
    }

    /// The text with every control character escaped, so that it stays one line in a log.
    public static func oneLine(_ text: String) -> String {
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

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
    }
}
