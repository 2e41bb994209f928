// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension AuthenticationExchange {
    /// Returns the credential for a challenge: the request's own, that of the first handler with one, or else the
    /// store's.
    func findCredential(
        for challenge: SupportedChallenge,
        _ request: NetworkRequest,
        _ hooks: () -> LoadHooks
    ) async throws(SwiftyError) -> CredentialStore.Credential? {
        let origin = request.target.origin
        if let own = ownCredential(for: request), allows(own, for: challenge, request) { return own }
        for (handler, mark) in authenticator.handlers where !mark.isCurrent {
            let challenge = AuthenticationChallenge(challenge, request: request, failures: policy.failures(of: origin))
            switch try await handler.requestDisposition(of: challenge, hooks(), mark) {
            case .use(let credential): return credential
            case .cancel(let reason): throw SwiftyError(.authenticationCancelled, stage: .validation, reason: reason)
            case .default: break
            }
        }
        return authenticator.credentials?.credential(for: origin, realm: challenge.realm)
    }
}

extension AuthenticationChallenge.Handler {
    fileprivate func requestDisposition(
        of challenge: AuthenticationChallenge,
        _ hooks: LoadHooks,
        _ mark: HookMark
    ) async throws(SwiftyError) -> AuthenticationChallenge.Disposition {
        try await hooks.run(.typeName(of: self), stage: .validation, sent: .responded) {
            (_: HookRun<AuthenticationChallenge.Disposition>) async throws(SwiftyError) in
            do {
                return try await mark.run { try await respond(to: challenge) }
            } catch let error as SwiftyError {
                throw error
            } catch {
                let reason = "\(type(of: self)) threw \(error)"
                throw SwiftyError(.authenticationFailed, stage: .validation, reason: reason, underlying: error)
            }
        }
    }
}

extension AuthenticationChallenge {
    fileprivate init(_ challenge: SupportedChallenge, request: NetworkRequest, failures: Int) {
        self.init(
            origin: request.target.origin,
            scheme: challenge.scheme,
            realm: challenge.realm,
            parameters: challenge.challenge.parameters,
            previousFailureCount: failures,
            request: NetworkRequest.Summary(request)
        )
    }
}
