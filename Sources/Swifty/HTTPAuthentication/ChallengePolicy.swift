// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Decides, across the requests of one attempt, whether a 401 response is answered: event in, action out.
struct ChallengePolicy: Sendable {
    /// A credential with the origin and the realm that it was used for.
    struct CredentialUse: Sendable, Hashable {
        let origin: String
        let realm: String?
        let credential: CredentialStore.Credential
    }

    /// The next step after a 401 response.
    enum Step: Hashable {
        /// Send the same credential again, with the server's new nonce.
        case useNewNonce
        /// Find another credential.
        case findCredential
        /// Deliver the 401.
        case deliver
    }

    /// The highest number of answers: a handler that always has another password must not continue forever.
    static let answerLimit = 5

    /// The highest number of calls of the handler, far more than a user who types passwords would bear.
    static let handlerCallLimit = 20

    private var answers = 0
    private var handlerCalls = 0
    private var hasRenewed = false
    private var refused: Set<CredentialUse> = []

    /// The number of credentials that an origin has refused.
    func failures(of origin: String) -> Int { refused.count { $0.origin == origin } }

    /// Records a 401 response.
    ///
    /// - Parameters:
    ///   - use: The credential of the request; `nil` if it had none.
    ///   - reusesNonce: Whether the request reused an earlier nonce, which a server may refuse without calling it
    ///     stale.
    ///   - isStale: Whether the server says that only the nonce was too old.
    mutating func recordRefusal(of use: CredentialUse?, reusesNonce: Bool, isStale: Bool) -> Step {
        if answers >= Self.answerLimit { return .deliver }
        guard let use else { return .findCredential }
        if isStale || reusesNonce {
            if !hasRenewed {
                hasRenewed = true
                return .useNewNonce
            }
            if isStale { return .deliver }
        }
        refused.insert(use)
        return .findCredential
    }

    /// Whether a credential may be used: not where it was refused. A refusal without a realm, of a credential that was
    /// sent preemptively, counts for all realms.
    func allows(_ use: CredentialUse) -> Bool {
        let anywhere = CredentialUse(origin: use.origin, realm: nil, credential: use.credential)
        return !refused.contains(use) && !refused.contains(anywhere)
    }

    mutating func countAnswer() { answers += 1 }

    /// Counts a call of the handler.
    ///
    /// - Returns: `false` if the handler may not be called again.
    mutating func countHandlerCall() -> Bool {
        handlerCalls += 1
        return handlerCalls <= Self.handlerCallLimit
    }
}
