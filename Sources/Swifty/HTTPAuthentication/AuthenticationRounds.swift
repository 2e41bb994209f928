// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Decides, over the exchanges of one attempt, whether a 401 is answered: event in, action out.
struct AuthenticationRounds: Sendable {
    /// A credential in the place that it was used in.
    struct Use: Sendable, Hashable {
        let origin: String
        let realm: String?
        let credential: CredentialStore.Credential
    }

    /// What comes after a 401.
    enum Step: Hashable {
        /// The same credential again, with the server's new nonce.
        case renew
        /// Another credential, if there is one.
        case ask
        /// The 401 is the answer.
        case stop
    }

    /// How many answers may be given: a handler that always has another password does not go on for ever.
    static let limit = 5

    /// How often the handler is asked: for a person who is to give a password, far more than is bearable.
    static let questionLimit = 20

    private var answers = 0
    private var questions = 0
    private var hasRenewed = false
    private var refused: Set<Use> = []

    /// How many credentials an origin has refused.
    func failures(of origin: String) -> Int { refused.count { $0.origin == origin } }

    /// A request was answered with a 401.
    ///
    /// - Parameters:
    ///   - use: the credential that the request had; `nil` if it had none.
    ///   - hadOldNonce: whether it was sent with a nonce of before, about which a server need not say that it is stale.
    ///   - isStale: whether the server says that only the nonce was too old.
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

    /// Whether a credential may be used: not again where it was refused. One that was sent before the realm was known counts
    /// for all realms.
    func mayAnswer(with use: Use) -> Bool {
        let anywhere = Use(origin: use.origin, realm: nil, credential: use.credential)
        return !refused.contains(use) && !refused.contains(anywhere)
    }

    /// A challenge is being answered.
    mutating func countAnswer() { answers += 1 }

    /// The handler is about to be asked; returns whether it may be.
    mutating func mayAsk() -> Bool {
        questions += 1
        return questions <= Self.questionLimit
    }
}
