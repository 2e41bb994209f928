// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Holds the loads that need an API key until there is one.
// Safety: immutable; the holder has its own lock.
final class APIKeyConstraint: AsyncConstraint, @unchecked Sendable {
    private let holder: APIKeyHolder
    private let fetch: @Sendable () async throws -> String

    init(_ holder: APIKeyHolder, _ fetch: @escaping @Sendable () async throws -> String) {
        self.holder = holder
        self.fetch = fetch
    }

    override var constraintName: String { holder.description }

    override func isKnownSatisfied(for resource: NetworkResource) -> Bool {
        if holder.origins.validationError != nil { return false }
        return !holder.origins.include(resource.draft) || holder.hasKey
    }

    override func isSatisfied(for resource: NetworkResource) async -> Bool {
        isKnownSatisfied(for: resource)
    }

    override func satisfy(for resource: NetworkResource) async throws {
        if let error = holder.origins.validationError { throw error }
        holder.obtain(try await fetch())
    }

    override func invalidate(after response: NetworkResponse) -> Bool {
        guard response.statusCode == 401, let request = response.request,
            holder.origins.contains(request.target),
            let key = holder.value(in: request.target, request.headers)
        else { return false }
        return holder.invalidate(key)
    }
}

/// Adds the API key to the requests that may carry it.
struct APIKeyInterceptor: RequestInterceptor {
    let holder: APIKeyHolder

    func intercept(resource: NetworkResource) throws -> NetworkResource {
        let draft = resource.draft
        guard holder.origins.include(draft), holder.value(in: draft.fullTarget, draft.headers) == nil else {
            return resource
        }
        guard let key = holder.key else {
            throw SwiftyError(
                .interceptorFailed,
                stage: .requestInterceptor,
                reason: "there is no API key; is the constraint of the APIKey among the Swifty's constraints?"
            )
        }
        switch holder.placement {
        case .header(let name): return resource.header(key: name, value: key)
        case .query(let name): return resource.query([(name, key)])
        }
    }
}
