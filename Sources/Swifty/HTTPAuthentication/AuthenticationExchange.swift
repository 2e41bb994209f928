// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The authentication of one attempt, across all of its requests.
///
///     authorize ──▶ send ──▶ answerChallenge ──▶ false: deliver the response
///         ▲                         │
///         └───────── true ◀─────────┘   the same request, with credentials
final class AuthenticationExchange {
    let authenticator: Authenticator
    /// The origin of the first request.
    private let origin: String
    private(set) var policy = ChallengePolicy()
    /// The authorization of the request that is about to be sent, or that was sent last.
    private(set) var sent: Authorization?
    /// The answer to the latest challenge, for the next request.
    private var pending: Authorization?

    // Not inlined; see Load+Run.swift.
    @inline(never)
    init(_ authenticator: Authenticator, for request: NetworkRequest) {
        self.authenticator = authenticator
        origin = request.target.origin
    }

    /// The credential that the load's own request has for the origin of a request; `nil` if it has none.
    func ownCredential(for request: NetworkRequest) -> CredentialStore.Credential? {
        request.target.origin == origin ? authenticator.credential : nil
    }

    /// Adds the answer to the latest challenge, or else the preemptive authorization, to a request.
    ///
    /// Call it with every request before it has credentials: the first one, those of redirects, and again the one whose
    /// challenge ``answerChallenge(of:to:isContentOpen:hooks:)`` has answered.
    // Not inlined; see Load+Run.swift.
    @inline(never)
    func authorize(_ request: inout NetworkRequest) throws(SwiftyError) {
        sent = pending
        pending = nil
        if sent == nil {
            if request.headers.contains(.authorization) { return }
            let isAtOrigin = request.target.origin == origin
            sent = try authenticator.makePreemptiveAuthorization(of: request, isAtOrigin: isAtOrigin)
        }
        if let sent { request.headers[.authorization] = sent.field }
    }

    /// Makes the answer to the challenge of a 401 response, for the next call of ``authorize(_:)``.
    ///
    /// - Returns: `true` if there is an answer: send the same request again.
    /// - Throws: The error of the load: the handler cancelled, the credential may not be sent, or the server's proof is
    ///   wrong.
    // Not inlined; see Load+Run.swift.
    @inline(never)
    func answerChallenge(
        of response: TransportResponse,
        to request: NetworkRequest,
        isContentOpen: Bool = false,
        hooks: () -> LoadHooks
    ) async throws(SwiftyError) -> Bool {
        do throws(SwiftyError) {
            guard response.head.statusCode == 401 else {
                try processInformation(of: response, to: request, isContentOpen: isContentOpen)
                return false
            }
            // The caller has set the field, so the caller gets the 401.
            if sent == nil, request.headers.contains(.authorization) { return false }
            pending = try await makeAuthorization(after: response, request, hooks)
            if pending != nil { policy.countAnswer(to: request.target.origin) }
            return pending != nil
        } catch {
            throw error.completed(by: response)
        }
    }

    private func makeAuthorization(
        after response: TransportResponse,
        _ request: NetworkRequest,
        _ hooks: () -> LoadHooks
    ) async throws(SwiftyError) -> Authorization? {
        let challenges = SupportedChallenge.all(in: response.head)
        // The Digest challenge of the same realm as the refused answer.
        let same = challenges.first { $0.digest != nil && sent?.digest != nil && $0.realm == sent?.realm }
        let origin = request.target.origin
        let step = policy.recordRefusal(
            by: origin,
            of: sent.map { use($0.credential, realm: $0.realm, request: request) },
            sharesNonce: same != nil && sent.map { authenticator.sharesNonce($0, at: origin) } ?? false,
            isStale: same?.digest?.isStale == true
        )
        switch step {
        case .deliver: return nil
        case .useNewNonce(let isShared):
            guard let same, let sent else { return nil }
            return try authenticator.answer(same, with: sent.credential, to: request, isShared: isShared)
        case .findCredential: return try await firstAnswer(to: challenges, request, hooks)
        }
    }

    private func firstAnswer(
        to challenges: [SupportedChallenge],
        _ request: NetworkRequest,
        _ hooks: () -> LoadHooks
    ) async throws(SwiftyError) -> Authorization? {
        for challenge in challenges {
            if !authenticator.handlers.isEmpty, !policy.countHandlerCall() { return nil }
            guard let credential = try await findCredential(for: challenge, request, hooks),
                allows(credential, for: challenge, request),
                let answer = try authenticator.answer(challenge, with: credential, to: request)
            else { continue }
            return answer
        }
        return nil
    }

    /// Whether a credential has the scheme of a challenge, and was not refused.
    func allows(
        _ credential: CredentialStore.Credential,
        for challenge: SupportedChallenge,
        _ request: NetworkRequest
    ) -> Bool {
        credential.scheme == challenge.scheme
            && policy.allows(use(credential, realm: challenge.realm, request: request))
    }

    private func use(
        _ credential: CredentialStore.Credential,
        realm: String?,
        request: NetworkRequest
    ) -> ChallengePolicy.CredentialUse {
        .init(origin: request.target.origin, realm: realm, credential: credential)
    }
}

extension SwiftyError {
    /// The error with the response that caused it.
    func completed(by response: TransportResponse) -> SwiftyError {
        var error = withResponse(response, content: response.content)
        (error.stage, error.sent) = (.validation, .responded)
        return error
    }
}
