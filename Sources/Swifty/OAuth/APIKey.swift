// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date

/// Puts an API key on the requests to one API.
///
///     let key = APIKey("k-123", in: .header("X-API-Key"), for: "https://api.example.com")
///     let swifty = Swifty(requestInterceptors: [key.interceptor])
///
/// A key that must be fetched needs the ``constraint`` too, which holds loads until it is there:
///
///     let key = APIKey(in: .header("X-API-Key"), for: "https://api.example.com") { try await vault.key() }
///     let swifty = Swifty(constraints: [key.constraint], requestInterceptors: [key.interceptor])
///
/// Only requests to the given origins get the key: to no other scheme, host or port is it ever sent. A request with
/// `canHaveConstraints(false)`, or with such a field or parameter of its own, gets none. A fetched key is fetched again when
/// a server answers 401 to a request that carried it; that request is then sent once more. May be used from any thread.
public final class APIKey: Sendable {
    /// Where the key stands in a request.
    public enum Placement: Sendable, Hashable {
        /// In a header field of this name.
        case header(String)
        /// In a query parameter of this name. Its value shows in logs unless the name is one of ``Redaction``'s.
        case query(String)
    }

    /// Holds loads until the key is there.
    public let constraint: Constraint
    /// Puts the key on requests.
    public let interceptor: any RequestInterceptor

    /// Makes the pair for a key that is known.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - placement: where it stands.
    ///   - serverURL: the API. Its origin, not its path, is where the key may go.
    ///   - otherURLs: more servers that take the same key.
    public convenience init(
        _ key: String,
        in placement: Placement = .header("X-API-Key"),
        for serverURL: String,
        alsoFor otherURLs: [String] = []
    ) {
        // A known key cannot be replaced: a 401 is the caller's.
        self.init(in: placement, for: serverURL, alsoFor: otherURLs, rejectionLimit: 0) { key }
        holder.obtain(key)
    }

    /// Makes the pair for a key that is fetched when the first load needs it.
    ///
    /// - Parameters:
    ///   - placement: where it stands.
    ///   - serverURL: the API. Its origin, not its path, is where the key may go.
    ///   - otherURLs: more servers that take the same key.
    ///   - rejectionLimit: how many keys in a row may be refused within a minute of having been fetched.
    ///   - now: the time.
    ///   - fetch: gets the key; what it throws fails the loads that wait for it.
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
            now: now
        )
        constraint = APIKeyConstraint(holder, fetch)
        interceptor = APIKeyInterceptor(holder: holder)
    }

    private let holder: APIKeyHolder
}

extension APIKey: CustomStringConvertible, CustomReflectable {
    /// Where the key stands, and not the key.
    public var description: String { holder.description }

    /// Nothing beyond the description, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
