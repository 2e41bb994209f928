// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension AuthenticationExchange {
    /// What the handler says, or else the store has.
    func credential(
        for challenge: AnswerableChallenge,
        _ request: NetworkRequest,
        _ cancellation: LoadCancellation
    ) async throws(SwiftyError) -> Credential? {
        let origin = request.target.origin
        if let handler = authenticator.handler {
            let question = AuthenticationChallenge(challenge, request, rounds.failures(of: origin))
            switch try await handler.disposition(of: question, cancellation) {
            case .use(let credential): return credential
            case .cancel(let reason): throw SwiftyError(.authenticationCancelled, stage: .validation, reason: reason)
            case .default: break
            }
        }
        return authenticator.credentials?.credential(for: origin, realm: challenge.realm)
    }
}

extension AuthenticationChallengeHandler {
    fileprivate func disposition(
        of challenge: AuthenticationChallenge,
        _ cancellation: LoadCancellation
    ) async throws(SwiftyError) -> AuthenticationDisposition {
        let answer = OneShot<Result<AuthenticationDisposition, any Error>?>()
        let task = Task {
            do {
                answer.give(.success(try await respond(to: challenge)))
            } catch {
                answer.give(.failure(error))
            }
        }
        // A handler that takes no notice of the cancellation is not waited for.
        cancellation.onCancel { _ in
            task.cancel()
            answer.give(nil)
        }
        let result = await answer.take()
        cancellation.onCancel(nil)
        if let code = cancellation.code {
            throw SwiftyError(code, stage: .validation, reason: cancellation.explanation)
        }
        do {
            return try result?.get() ?? .default
        } catch let error as SwiftyError {
            throw error
        } catch {
            let reason = "\(type(of: self)) threw \(error)"
            throw SwiftyError(.authenticationFailed, stage: .validation, reason: reason, underlying: error)
        }
    }
}

extension AuthenticationChallenge {
    fileprivate init(_ challenge: AnswerableChallenge, _ request: NetworkRequest, _ failures: Int) {
        self.init(
            origin: request.target.origin,
            scheme: challenge.scheme,
            realm: challenge.realm,
            parameters: challenge.challenge.parameters,
            previousFailureCount: failures,
            request: RequestSummary(request)
        )
    }
}
