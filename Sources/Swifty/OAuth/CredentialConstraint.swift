// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Holds the loads that need an access token until there is a valid one.
// Safety: immutable; the session has its own locks.
final class OAuth2Constraint: AsyncConstraint, @unchecked Sendable {
    private let session: OAuth2Session
    private let limit: Duration

    /// - Parameter timeout: The time limit of a flight, longer than that of the token request, so that the request
    ///   never outlives the flight unattended.
    init(_ session: OAuth2Session, timeout: Duration) {
        self.session = session
        self.limit = timeout
    }

    override var constraintName: String { session.description }

    override var timeout: Duration { limit }

    override func isKnownSatisfied(for resource: NetworkResource) -> Bool {
        if session.origins.validationError != nil { return false }
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

/// Adds the access token to the requests that may carry it.
struct OAuth2Interceptor: RequestInterceptor {
    let session: OAuth2Session

    func intercept(resource: NetworkResource) throws -> NetworkResource {
        let draft = resource.draft
        guard session.origins.include(draft), !draft.headers.contains(.authorization) else { return resource }
        // A request that needs a token is not sent without one, for example after a logout while it waited.
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
