// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Decides, across the exchanges of one attempt, whether a 401 response is answered: event in, action out.
struct AuthenticationRounds: Sendable {
    /// A credential with the origin and the realm that it was used for.
    struct Use: Sendable, Hashable {
        let origin: String
        let realm: String?
        let credential: CredentialStore.Credential
    }

    /// The next step after a 401 response.
    enum Step: Hashable {
        /// Send the same credential again, with the server's new nonce.
        case renew
        /// Find another credential.
        case ask
        /// Deliver the 401.
        case stop
    }

    /// The highest number of answers: a handler that always has another password must not continue forever.
    static let limit = 5

    /// The highest number of calls of the handler, far more than a user who types passwords would bear.
    static let questionLimit = 20

    private var answers = 0
    private var questions = 0
    private var hasRenewed = false
    private var refused: Set<Use> = []

    /// The number of credentials that an origin has refused.
    func failures(of origin: String) -> Int { refused.count { $0.origin == origin } }

    /// Records a 401 response.
    ///
    /// - Parameters:
    ///   - use: The credential of the request; `nil` if it had none.
    ///   - hadOldNonce: Whether the request reused an earlier nonce, which a server may refuse without calling it
    ///     stale.
    ///   - isStale: Whether the server says that only the nonce was too old.
    mutating func refuse(_ use: Use?, hadOldNonce: Bool, isStale: Bool) -> Step {
        if answers >= Self.limit { return .stop }
        guard let use else { return .ask }
        if isStale || hadOldNonce {
            if !hasRenewed {
                hasRenewed = true
                return .renew
            }
            if isStale { return .stop }
        }
        refused.insert(use)
        return .ask
    }

    /// Whether a credential may be used: not where it was refused. A refusal without a realm, of a credential that was
    /// sent preemptively, counts for all realms.
    func mayAnswer(with use: Use) -> Bool {
        let anywhere = Use(origin: use.origin, realm: nil, credential: use.credential)
        return !refused.contains(use) && !refused.contains(anywhere)
    }

    /// Counts an answer.
    mutating func countAnswer() { answers += 1 }

    /// Counts a call of the handler.
    ///
    /// - Returns: `false` if the handler may not be called again.
    mutating func mayAsk() -> Bool {
        questions += 1
        return questions <= Self.questionLimit
    }
}
