// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// One challenge of a `WWW-Authenticate` field (RFC 9110 §11.3).
struct Challenge: Sendable, Hashable {
    /// The scheme, in lower case.
    let scheme: String
    /// What stands in the place of parameters in schemes like Negotiate.
    var token: String?
    /// The parameters, with names in lower case.
    var parameters: [String: String] = [:]

    var realm: String? { parameters["realm"] }
}

extension Challenge {
    /// The longest field value that is looked at, in bytes: real ones have a few hundred.
    static let maximumLength = 16_384

    /// How many challenges of a response are looked at: real ones have up to four, and each may be asked about.
    static let maximumCount = 16

    /// The challenges of all fields, in order, up to ``maximumCount``. A field that breaks the grammar anywhere counts as
    /// absent, as far as it is looked at: it cannot be known what its sender meant.
    static func parse(_ values: some Sequence<String>) -> [Challenge] {
        var challenges: [Challenge] = []
        for value in values where challenges.count < maximumCount {
            challenges += parse(value, limit: maximumCount - challenges.count) ?? []
        }
        return challenges
    }

    private static func parse(_ value: String, limit: Int) -> [Challenge]? {
        guard value.utf8.count <= maximumLength else { return nil }
        var scanner = FieldScanner(value)
        var challenges: [Challenge] = []
        while challenges.count < limit, scanner.skipListSeparators() {
            guard let challenge = next(&scanner) else { return nil }
            challenges.append(challenge)
        }
        return challenges
    }

    /// `auth-scheme [ 1*SP ( token68 / #auth-param ) ]`, up to the comma or the end after it.
    private static func next(_ scanner: inout FieldScanner) -> Challenge? {
        guard let scheme = scanner.token() else { return nil }
        var challenge = Challenge(scheme: scheme.lowercased())
        if scanner.isAtElementEnd { return challenge }
        guard scanner.skipSpaces() else { return nil }
        if let token = scanner.token68() {
            challenge.token = token
            return challenge
        }
        guard let parameters = parameters(&scanner) else { return nil }
        challenge.parameters = parameters
        return challenge
    }

    /// Parameters up to the end or the next scheme; `nil` if one is malformed or stands there twice.
    static func parameters(_ scanner: inout FieldScanner) -> [String: String]? {
        var parameters: [String: String] = [:]
        repeat {
            guard let (name, value) = scanner.parameter(),
                parameters.updateValue(value, forKey: name.lowercased()) == nil, scanner.isAtElementEnd
            else { return nil }
        } while scanner.skipToNextParameter()
        return parameters
    }
}
