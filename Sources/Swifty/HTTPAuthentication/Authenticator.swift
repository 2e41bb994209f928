// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The credentials, the handlers and the Digest sessions of a `Swifty`, shared by all of its loads.
struct Authenticator: Sendable {
    /// The credential of the request, for its own origin; `nil` if it has none.
    let credential: CredentialStore.Credential?
    let credentials: CredentialStore?
    /// The handlers in the order in which they are asked, with their marks.
    let handlers: [(handler: any AuthenticationChallenge.Handler, mark: HookMark)]
    let sessions: DigestSessions

    /// Makes an authenticator; `nil` without credentials and handlers.
    init?(
        credential: CredentialStore.Credential? = nil,
        credentials: CredentialStore?,
        handlers: some Sequence<(any AuthenticationChallenge.Handler, HookMark)>,
        sessions: DigestSessions = DigestSessions()
    ) {
        self.handlers = handlers.map { ($0, $1) }
        if credential == nil, credentials == nil, self.handlers.isEmpty { return nil }
        self.credential = credential
        self.credentials = credentials
        self.sessions = sessions
    }

    /// Makes the authorization that a request carries before it is challenged; `nil` if it carries none.
    ///
    /// - Parameter isAtOrigin: Whether the request goes to the origin that its own credential is for.
    func makePreemptiveAuthorization(
        of request: NetworkRequest,
        isAtOrigin: Bool
    ) throws(SwiftyError) -> Authorization? {
        let own = isAtOrigin ? credential.map { CredentialStore.Entry(credential: $0, isPreemptive: true) } : nil
        guard let entry = own ?? credentials?.onlyEntry(for: request.target.origin) else { return nil }
        if let answer = sessions.answerPreemptively(with: entry.credential, to: request) {
            return Authorization(answer, with: entry.credential, isPreemptive: true)
        }
        guard entry.isPreemptive, let field = try entry.credential.fixedField(for: request.target) else { return nil }
        return Authorization(field: field, credential: entry.credential, realm: nil, isPreemptive: true)
    }

    /// Makes the answer to a challenge; `nil` if the credential is of another scheme.
    ///
    /// - Parameter isShared: Whether other requests may also use the challenge's nonce.
    func answer(
        _ challenge: SupportedChallenge,
        with credential: CredentialStore.Credential,
        to request: NetworkRequest,
        isShared: Bool = true
    ) throws(SwiftyError) -> Authorization? {
        guard credential.scheme == challenge.scheme else { return nil }
        try credential.check(request.target)
        if let digest = challenge.digest {
            return sessions.answer(digest, with: credential, to: request, isShared: isShared)
                .map { Authorization($0, with: credential) }
        }
        return try credential.fixedField(for: request.target).map {
            Authorization(field: $0, credential: credential, realm: challenge.realm)
        }
    }

    /// Whether other requests may have used the nonce of an authorization.
    func sharesNonce(_ authorization: Authorization, at origin: String) -> Bool {
        guard let digest = authorization.digest else { return authorization.isPreemptive }
        return authorization.isPreemptive || sessions.isShared(digest, with: authorization.credential, origin: origin)
    }
}

extension Authenticator: CustomReflectable {
    /// No children, because the sessions hold passwords.
    var customMirror: Mirror { Mirror(self, children: []) }
}
