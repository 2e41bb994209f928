// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date

/// An API key, and the hooks that add it to the requests to one API.
///
///     let key = APIKey("k-123", in: .header("X-API-Key"), for: "https://api.example.com")
///     let swifty = Swifty { $0.use(key) }
///
/// A key can also be fetched, when the first load needs it; loads wait until it has arrived:
///
///     let key = APIKey(in: .header("X-API-Key"), for: "https://api.example.com") { try await vault.key() }
///
/// The key is added only to requests to the given origins, and never sent to another scheme, host or port. It is not
/// added to a request with `constraints(.none)` or `constraints(.except(APIKey.self))`, or with its own field or
/// parameter of that name. When a server
/// responds with 401 to a request with a fetched key, the key is fetched again and the request is sent once more. May
/// be used from any thread. Descriptions, errors and logs hide the key, whatever its field or parameter is called.
public final class APIKey: Swifty.HookGroup {
    /// The place of the key in a request.
    public enum Placement: Sendable, Hashable {
        /// A header field of this name.
        case header(String)
        /// A query parameter of this name.
        case query(String)
    }

    /// A constraint, which holds loads until there is a key, and a request interceptor, which adds it.
    public var hooks: [any Swifty.Hook] { [constraint, interceptor] }

    package let constraint: any AsyncConstraint
    package let interceptor: any RequestInterceptor

    /// Makes the hooks for a known key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - placement: The place of the key in a request.
    ///   - serverURL: The URL of the API. The key may be sent to its origin, with any path.
    ///   - otherURLs: The URLs of further servers that accept the key.
    public convenience init(
        _ key: String,
        in placement: Placement = .header("X-API-Key"),
        for serverURL: String,
        alsoFor otherURLs: [String] = []
    ) {
        // A known key cannot be replaced, so the caller gets the 401.
        self.init(in: placement, for: serverURL, alsoFor: otherURLs, rejectionLimit: 0) { key }
        holder.obtain(key)
    }

    /// Makes the hooks for a key that is fetched when the first load needs it.
    ///
    /// - Parameters:
    ///   - placement: The place of the key in a request.
    ///   - serverURL: The URL of the API. The key may be sent to its origin, with any path.
    ///   - otherURLs: The URLs of further servers that accept the key.
    ///   - rejectionLimit: The number of consecutive keys that are replaced when a server refuses them within a minute
    ///     after they were fetched; then the caller gets the 401.
    ///   - now: The clock.
    ///   - fetch: The closure that gets the key. If it throws, or the key is empty or cannot be sent in the field, the
    ///     loads that wait for the key fail with ``SwiftyError/Code/constraintFailed``, and the next one fetches again.
    public init(
        in placement: Placement = .header("X-API-Key"),
        for serverURL: String,
        alsoFor otherURLs: [String] = [],
        rejectionLimit: Int = 3,
        now: @escaping @Sendable () -> Date = { Date() },
        fetching fetch: @escaping @Sendable () async throws -> String
    ) {
        holder = APIKeyHolder(
            placement: placement,
            origins: AllowedOrigins(of: [serverURL] + otherURLs),
            rejectionLimit: rejectionLimit,
            now: now,
            fetch: fetch
        )
        constraint = CredentialConstraint(holder)
        interceptor = APIKeyInterceptor(holder: holder)
    }

    private let holder: APIKeyHolder
}

extension APIKey: CustomStringConvertible, CustomReflectable {
    /// The place of the key, without the key.
    public var description: String { holder.description }

    /// The description as the only child, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
