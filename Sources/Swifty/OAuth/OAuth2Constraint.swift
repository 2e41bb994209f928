// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Holds the loads that need an access token until there is a valid one.
// Safety: immutable; the session has its own locks.
final class OAuth2Constraint: AsyncConstraint, @unchecked Sendable {
    private let session: OAuth2Session
    private let limit: Duration

    /// - Parameter timeout: how long a flight may take; longer than the token request, which must not be left alone.
    init(_ session: OAuth2Session, timeout: Duration) {
        self.session = session
        self.limit = timeout
    }

    override var constraintName: String { session.description }

    override var timeout: Duration { limit }

    override func isKnownSatisfied(for resource: NetworkResource) -> Bool {
        if session.origins.mistake != nil { return false }
        return !session.origins.include(resource.draft) || session.hasValidToken
    }

    override func isSatisfied(for resource: NetworkResource) async -> Bool {
        isKnownSatisfied(for: resource)
    }

    override func satisfy(for resource: NetworkResource) async throws {
        try await session.renew()
    }

    override func invalidate(after response: NetworkResponse) -> Bool {
        guard response.statusCode == 401, let request = response.request,
            session.origins.contains(request.target),
            let field = request.headers[.authorization], field.hasPrefix(Self.prefix)
        else { return false }
        return session.invalidate(String(field.dropFirst(Self.prefix.count)))
    }

    private static let prefix = "Bearer "
}

/// Puts the access token on the requests that it is meant for.
struct OAuth2Interceptor: RequestInterceptor {
    let session: OAuth2Session

    func intercept(resource: NetworkResource) throws -> NetworkResource {
        let draft = resource.draft
        guard session.origins.include(draft), !draft.headers.contains(.authorization) else { return resource }
        // Logged out since the constraint let the load through: without a token it is not what was meant to be sent.
        guard let token = session.accessToken else {
            throw SwiftyError(
                .interceptorFailed,
                stage: .requestInterceptor,
                reason: "there is no access token; is the constraint of the OAuth2 among the Swifty's constraints?",
                underlying: OAuth2.Failure.notLoggedIn
            )
        }
        return resource.bearer(token)
    }
}
