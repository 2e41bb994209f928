// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import Synchronization

/// The key of one ``APIKey``, shared by its constraint and its interceptor.
final class APIKeyHolder: CredentialSource {
    private struct State {
        var secret: RotatingSecret
        /// The number of fetches that have begun.
        var fetches = 0
        /// The number of the fetch that the latest key is from.
        var latest = 0

        mutating func beginFetch() -> Int {
            fetches += 1
            return fetches
        }

        /// Sets the current key, unless one from a later fetch was set.
        mutating func obtain(_ key: String, from fetch: Int, at now: Date) {
            guard fetch >= latest else { return }
            latest = fetch
            secret.obtain(key, at: now)
        }
    }

    let placement: APIKey.Placement
    let origins: AllowedOrigins
    private let now: @Sendable () -> Date
    private let fetch: @Sendable () async throws -> String
    private let state: Mutex<State>

    init(
        placement: APIKey.Placement,
        origins: AllowedOrigins,
        rejectionLimit: Int,
        now: @escaping @Sendable () -> Date,
        fetch: @escaping @Sendable () async throws -> String
    ) {
        self.placement = placement
        self.origins = origins
        self.now = now
        self.fetch = fetch
        state = Mutex(State(secret: RotatingSecret(limit: rejectionLimit)))
    }

    var hasValidCredential: Bool { state.withLock { $0.secret.current != nil } }

    /// The key that requests are sent with; it may be refused, see ``RotatingSecret/lastKnown``.
    var key: String? { state.withLock { $0.secret.lastKnown } }

    /// Sets the current key.
    func obtain(_ key: String) {
        state.withLock { $0.obtain(key, from: 0, at: now()) }
    }

    func renewCredential() async throws {
        let number = state.withLock { $0.beginFetch() }
        let key = try await fetch()
        // Such a key would be kept, and fail each load or be sent as an empty value, until a server refuses it.
        guard canSend(key) else {
            throw SwiftyError(
                .invalidHeader,
                stage: .constraint,
                reason: "the API key that was fetched is empty, or contains a control character"
            )
        }
        // If this took longer than its flight may take, a later one may have got another key, which stays.
        state.withLock { $0.obtain(key, from: number, at: now()) }
    }

    private func canSend(_ key: String) -> Bool {
        switch placement {
        case .header: !key.utf8.allSatisfy(\.isSpaceOrTab) && !key.utf8.contains(where: \.isASCIIControl)
        case .query: !key.isEmpty
        }
    }

    func invalidate(_ key: String) -> Bool {
        state.withLock { $0.secret.reject(key, at: now()) }.allowsRetry
    }

    func credential(in target: TargetURI?, _ headers: HTTPFields) -> String? {
        switch placement {
        case .header(let name):
            return HTTPField.Name(name).flatMap { headers[$0] }
        case .query(let name):
            let prefix = PercentEncoding.encode(name) + "="
            let pair = target?.query?.split(separator: "&").first { $0.hasPrefix(prefix) }
            return pair.flatMap { String($0.dropFirst(prefix.count)).removingPercentEncoding }
        }
    }
}

extension APIKeyHolder: CustomStringConvertible, CustomReflectable {
    var description: String {
        switch placement {
        case .header(let name): "APIKey(header \(name))"
        case .query(let name): "APIKey(query \(name))"
        }
    }

    var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// Adds the API key to the requests that may carry it.
struct APIKeyInterceptor: CredentialInterceptor {
    let holder: APIKeyHolder
    var names: [any Swifty.Hook] = []

    func intercept(resource: NetworkResource) throws -> NetworkResource {
        let draft = resource.draft
        guard isMeant(for: draft), holder.origins.include(draft),
            holder.credential(in: draft.fullTarget, draft.headers) == nil
        else { return resource }
        guard let key = holder.key else {
            throw SwiftyError(
                .interceptorFailed,
                stage: .requestInterceptor,
                reason: "there is no API key: it was not fetched before the request"
            )
        }
        switch holder.placement {
        case .header(let name): return resource.header(name, key).marking(key, of: name)
        case .query(let name): return resource.query([(name, key)]).marking(key, of: name)
        }
    }
}

extension NetworkResource {
    /// Marks a key as a secret, unless its name already does.
    fileprivate func marking(_ key: String, of name: String) -> NetworkResource {
        SecretNames.standard.contains(name) ? self : secret(key)
    }
}
