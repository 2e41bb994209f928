// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

/// Stores the token.
final class TokenStore: Sendable {
    static let shared = TokenStore()

    private let state = Mutex((token: String?.none, fetches: 0))

    var token: String? { state.withLock { $0.token } }
    var fetches: Int { state.withLock { $0.fetches } }

    func store(_ token: String) {
        state.withLock { $0 = (token, $0.fetches + 1) }
    }
}

/// Holds every load until there is a token, and fetches it once, through the same `Swifty`.
// Safety: adds no state to `Constraint`; the store has its own lock.
final class OAuthConstraint: Constraint, @unchecked Sendable {
    override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
        TokenStore.shared.token != nil
    }

    override func satisfyConstraint(for resource: NetworkResource) {
        Bin.token().load { result in
            switch result {
            case .success(let token):
                TokenStore.shared.store(token.uuid)
                self.finish()
            case .failure(let error):
                self.finish(with: error)
            }
        }
    }
}

/// Adds the token to every request with the tag `authorized`.
struct TokenInterceptor: RequestInterceptor {
    func intercept(resource: NetworkResource) -> NetworkResource {
        guard resource.hasTag("authorized"), let token = TokenStore.shared.token else { return resource }
        return resource.bearer(token)
    }
}
