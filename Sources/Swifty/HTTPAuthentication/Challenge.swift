// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// One challenge of a `WWW-Authenticate` field (RFC 9110 §11.3).
struct Challenge: Sendable, Hashable {
    /// The scheme, in lower case.
    let scheme: String
    /// The token68 that schemes like Negotiate have in place of parameters.
    var token: String?
    /// The parameters, with names in lower case.
    var parameters: [String: String] = [:]

    var realm: String? { parameters["realm"] }
}

extension Challenge {
    /// The longest field value that is parsed, in bytes. Real ones have a few hundred.
    static let maximumLength = 16_384

    /// The highest number of challenges that are parsed. Real responses have up to four, and the handler may be called
    /// for each.
    static let maximumCount = 16

    /// Parses the challenges of all fields, in order, up to ``maximumCount``.
    ///
    /// A field with a syntax error in its parsed part counts as absent, because its sender's intention is unknown.
    static func parse(_ values: some Sequence<String>) -> [Challenge] {
        var challenges: [Challenge] = []
        for value in values where challenges.count < maximumCount {
            challenges += parse(value, limit: maximumCount - challenges.count) ?? []
        }
        return challenges
    }

    private static func parse(_ value: String, limit: Int) -> [Challenge]? {
        guard value.utf8.count <= maximumLength else { return nil }
        var scanner = ChallengeScanner(value)
        var challenges: [Challenge] = []
        while challenges.count < limit, scanner.skipListSeparators() {
            guard let challenge = next(&scanner) else { return nil }
            challenges.append(challenge)
        }
        return challenges
    }

    /// Parses `auth-scheme [ 1*SP ( token68 / #auth-param ) ]`, up to the comma or the end after it.
    private static func next(_ scanner: inout ChallengeScanner) -> Challenge? {
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

    /// Parses parameters up to the end or the next scheme; `nil` if one is malformed or occurs twice.
    static func parameters(_ scanner: inout ChallengeScanner) -> [String: String]? {
        var parameters: [String: String] = [:]
        repeat {
            guard let (name, value) = scanner.parameter(),
                parameters.updateValue(value, forKey: name.lowercased()) == nil, scanner.isAtElementEnd
            else { return nil }
        } while scanner.skipToNextParameter()
        return parameters
    }
}

/// A challenge of a supported scheme, which can be answered if there is a credential for it.
struct SupportedChallenge: Sendable {
    let challenge: Challenge
    /// The Digest challenge; `nil` if the scheme is another.
    let digest: DigestChallenge?

    var scheme: String { challenge.scheme }
    var realm: String? { challenge.realm }

    init?(_ challenge: Challenge) {
        self.challenge = challenge
        digest = DigestChallenge(challenge)
        switch challenge.scheme {
        case "digest": if digest == nil { return nil }
        case "basic", "bearer": break
        default: return nil
        }
    }

    /// The supported challenges of a response, the strongest first.
    ///
    /// Only the strongest Digest challenge of a realm is kept, so that a server cannot get a weaker answer by refusing
    /// a stronger one.
    static func all(in head: ResponseHead) -> [SupportedChallenge] {
        let challenges = Challenge.parse(head.headers[fields: .wwwAuthenticate].map(\.value))
        var strongest: [SupportedChallenge] = []
        for candidate in challenges.compactMap(SupportedChallenge.init) {
            guard let same = strongest.firstIndex(where: { $0.isDigest(ofRealm: candidate) }) else {
                strongest.append(candidate)
                continue
            }
            if candidate.strength > strongest[same].strength { strongest[same] = candidate }
        }
        // A stable sort: equal challenges keep the server's order.
        return strongest.enumerated().sorted { ($1.element.strength, $0.offset) < ($0.element.strength, $1.offset) }
            .map(\.element)
    }

    private func isDigest(ofRealm other: SupportedChallenge) -> Bool {
        digest != nil && other.digest != nil && realm == other.realm
    }

    private var strength: Int {
        if let digest { return 10 + digest.algorithm.digest.rawValue }
        return scheme == "bearer" ? 1 : 0
    }
}
