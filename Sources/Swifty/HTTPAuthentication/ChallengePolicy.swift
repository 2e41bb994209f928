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
        /// Send the same credential again, with the server's new nonce, which other requests may use or not.
        case useNewNonce(isShared: Bool)
        /// Find another credential.
        case findCredential
        /// Deliver the 401.
        case deliver
    }

    /// The highest number of answers to one origin: a handler that always has another password must not continue
    /// forever.
    static let answerLimit = 5

    /// The highest number of calls of the handler, far more than a user who types passwords would bear.
    static let handlerCallLimit = 20

    private var answers: [String: Int] = [:]
    private var handlerCalls = 0
    /// What was sent with a new nonce, and what with one that no other request has used.
    private var renewed: Set<CredentialUse> = []
    private var sentAlone: Set<CredentialUse> = []
    private var refused: Set<CredentialUse> = []

    /// The number of credentials that an origin has refused.
    func failures(of origin: String) -> Int { refused.count { $0.origin == origin } }

    /// Records a 401 response.
    ///
    /// A nonce may be refused again because other requests have used it meanwhile: a server may accept it only once, or
    /// only with counts that rise. So the last try is with a nonce that no other request uses.
    ///
    /// - Parameters:
    ///   - origin: The origin of the request.
    ///   - use: The credential of the request; `nil` if it had none.
    ///   - sharesNonce: Whether other requests have used its nonce, which a server may refuse without calling it stale.
    ///   - isStale: Whether the server says that only the nonce was refused.
    mutating func recordRefusal(by origin: String, of use: CredentialUse?, sharesNonce: Bool, isStale: Bool) -> Step {
        if answers[origin, default: 0] >= Self.answerLimit { return .deliver }
        guard let use else { return .findCredential }
        if isStale || sharesNonce, !sentAlone.contains(use) {
            let isShared = isStale && renewed.insert(use).inserted
            if !isShared { sentAlone.insert(use) }
            return .useNewNonce(isShared: isShared)
        }
        if isStale { return .deliver }
        refused.insert(use)
        return .findCredential
    }

    /// Whether a credential may be used: not where it was refused. A refusal without a realm, of a credential that was
    /// sent preemptively, counts for all realms.
    func allows(_ use: CredentialUse) -> Bool {
        let anywhere = CredentialUse(origin: use.origin, realm: nil, credential: use.credential)
        return !refused.contains(use) && !refused.contains(anywhere)
    }

    mutating func countAnswer(to origin: String) { answers[origin, default: 0] += 1 }

    /// Counts a call of the handler.
    ///
    /// - Returns: `false` if the handler may not be called again.
    mutating func countHandlerCall() -> Bool {
        handlerCalls += 1
        return handlerCalls <= Self.handlerCallLimit
    }
}
