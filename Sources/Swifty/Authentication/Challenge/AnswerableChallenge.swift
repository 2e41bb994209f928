// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A challenge that can be answered, if there is a credential for it.
struct AnswerableChallenge: Sendable {
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

    /// The challenges of a response that can be answered, the strongest first; of the Digest challenges of a realm only the
    /// strongest, so that nobody gets a weaker answer by refusing a stronger one.
    static func all(in head: ResponseHead) -> [AnswerableChallenge] {
        let challenges = Challenge.parse(head.headers[fields: .wwwAuthenticate].map(\.value))
        var strongest: [AnswerableChallenge] = []
        for candidate in challenges.compactMap(AnswerableChallenge.init) {
            guard let same = strongest.firstIndex(where: { $0.isDigest(ofRealm: candidate) }) else {
                strongest.append(candidate)
                continue
            }
            if candidate.strength > strongest[same].strength { strongest[same] = candidate }
        }
        // Stable: among equals the server's order counts.
        return strongest.enumerated().sorted { ($1.element.strength, $0.offset) < ($0.element.strength, $1.offset) }
            .map(\.element)
    }

    private func isDigest(ofRealm other: AnswerableChallenge) -> Bool {
        digest != nil && other.digest != nil && realm == other.realm
    }

    private var strength: Int {
        if let digest { return 10 + digest.algorithm.digest.rawValue }
        return scheme == "bearer" ? 1 : 0
    }
}
