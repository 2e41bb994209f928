// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Holds the loads that need an API key until it is there.
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
        if holder.origins.mistake != nil { return false }
        return !holder.origins.include(resource.draft) || holder.hasKey
    }

    override func isSatisfied(for resource: NetworkResource) async -> Bool {
        isKnownSatisfied(for: resource)
    }

    override func satisfy(for resource: NetworkResource) async throws {
        if let mistake = holder.origins.mistake { throw mistake }
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

/// Puts the API key on the requests that it is meant for.
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
