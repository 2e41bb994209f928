// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The authentication of one attempt, over all of its exchanges.
///
///     authorize ──▶ send ──▶ answer ──▶ nil: deliver the response
///         ▲                    │
///         └──── a request ◀────┘   the same request, with credentials
struct AuthenticationExchange: Sendable {
    let authenticator: Authenticator
    private(set) var rounds = AuthenticationRounds()
    /// What the request has that is about to be sent, or was sent last.
    private(set) var sent: Authorization?
    /// Whether the request that comes next is the one that `answer` has returned.
    private var isAnswering = false

    init(_ authenticator: Authenticator) {
        self.authenticator = authenticator
    }

    /// Gives a request the credentials that it is to have before it is asked for them.
    ///
    /// To be called with every request: the first, those of redirects, and those that ``answer(_:to:cancellation:)`` returns.
    mutating func authorize(_ request: inout NetworkRequest) throws(SwiftyError) {
        if isAnswering {
            isAnswering = false
            return
        }
        // After a redirect within the origin: an answer is for one target only.
        if let sent, request.headers[.authorization] == sent.field { request.headers[.authorization] = nil }
        sent = nil
        if request.headers.contains(.authorization) { return }
        sent = try authenticator.preemptiveAuthorization(of: request)
        if let sent { request.headers[.authorization] = sent.field }
    }

    /// Returns the request to send next after a 401; `nil` if the response is to be delivered.
    ///
    /// - Throws: what the load fails with: the handler cancelled, the credential may not be sent, the server lied.
    mutating func answer(
        _ response: TransportResponse,
        to request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> NetworkRequest? {
        do throws(SwiftyError) {
            guard response.head.statusCode == 401 else {
                try readInformation(of: response, to: request)
                return nil
            }
            // The caller's own field: the server's word about it is the caller's.
            if sent == nil, request.headers.contains(.authorization) { return nil }
            guard let next = try await authorization(after: response, request, cancellation) else { return nil }
            return answering(request, with: next)
        } catch {
            throw error.completed(by: response)
        }
    }

    private mutating func answering(_ request: NetworkRequest, with next: Authorization) -> NetworkRequest {
        var request = request
        request.headers[.authorization] = next.field
        (sent, isAnswering) = (next, true)
        rounds.countAnswer()
        return request
    }

    private mutating func authorization(
        after response: TransportResponse,
        _ request: NetworkRequest,
        _ cancellation: LoadCancellation
    ) async throws(SwiftyError) -> Authorization? {
        let challenges = AnswerableChallenge.all(in: response.head)
        // The Digest challenge of the realm that the refused answer was for.
        let same = challenges.first { $0.digest != nil && sent?.digest != nil && $0.realm == sent?.realm }
        let step = rounds.refuse(
            sent.map { use($0.credential, $0.realm, request) },
            hadOldNonce: same != nil && sent?.isPreemptive == true,
            isStale: same?.digest?.isStale == true
        )
        switch step {
        case .stop: return nil
        case .renew:
            guard let same, let sent else { return nil }
            return try authenticator.answer(same, with: sent.credential, to: request)
        case .ask: return try await firstAnswer(to: challenges, request, cancellation)
        }
    }

    private func firstAnswer(
        to challenges: [AnswerableChallenge],
        _ request: NetworkRequest,
        _ cancellation: LoadCancellation
    ) async throws(SwiftyError) -> Authorization? {
        for challenge in challenges {
            guard let credential = try await credential(for: challenge, request, cancellation),
                rounds.mayAnswer(with: use(credential, challenge.realm, request)),
                let answer = try authenticator.answer(challenge, with: credential, to: request)
            else { continue }
            return answer
        }
        return nil
    }

    private func use(_ credential: Credential, _ realm: String?, _ request: NetworkRequest) -> AuthenticationRounds.Use
    {
        .init(origin: request.target.origin, realm: realm, credential: credential)
    }
}

extension SwiftyError {
    /// The error with the response that brought it about.
    fileprivate func completed(by response: TransportResponse) -> SwiftyError {
        var error = self
        (error.stage, error.sent) = (.validation, .responded)
        (error.response, error.body) = (response.head, response.body)
        error.transfer = response.metrics
        return error
    }
}
