// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date

/// Gets access tokens from an authorization server, keeps them fresh, and puts them on the requests to one API.
///
///     let oauth = OAuth2(
///         tokenURL: "https://auth.example.com/token", clientID: "inventory", clientSecret: secret,
///         for: "https://api.example.com")
///     let swifty = Swifty(constraints: [oauth.constraint], requestInterceptors: [oauth.interceptor])
///
/// The ``constraint`` holds loads while there is no valid token and asks for one, once for all of them; the ``interceptor``
/// adds `Authorization: Bearer …` (RFC 6750 §2.1). Both concern only requests to the given origins: to no other scheme,
/// host or port is a token ever sent. A request with `canHaveConstraints(false)`, or with an `Authorization` of its own,
/// gets none. An interceptor that sends requests elsewhere belongs before this one.
///
/// A token is replaced shortly before it expires, and when a server answers 401 to a request that carried it; that request
/// is then sent once more. If new tokens are refused as well, that ends after a few: 401 is then what the caller gets.
///
/// Use the same instance for everything that shares the tokens. It holds no `Swifty`. May be used from any thread.
public final class OAuth2: Sendable {
    /// Holds loads until there is a valid access token.
    public let constraint: Constraint
    /// Puts the access token on requests.
    public let interceptor: any RequestInterceptor

    private let session: OAuth2Session

    /// Makes the pair. Nothing is sent before the first load needs a token.
    ///
    /// What is wrong with the URLs fails the loads with ``SwiftyError/Code/constraintFailed``.
    ///
    /// - Parameters:
    ///   - tokenURL: the token endpoint (RFC 6749 §3.2).
    ///   - clientID: who the client is.
    ///   - clientSecret: the client's secret; `nil` for a public client, which then names itself in the body.
    ///   - grant: how tokens are obtained.
    ///   - scope: what the tokens are for, separated by spaces; the server's default if `nil`.
    ///   - parameters: more fields for the token request, such as `audience`.
    ///   - authentication: how the client authenticates itself.
    ///   - serverURL: the API. Its origin, not its path, is where the token may go.
    ///   - otherURLs: more servers that take the same token.
    ///   - leeway: how long before its expiry a token is replaced; at most half of its lifetime.
    ///   - rejectionLimit: how many tokens in a row may be refused within a minute of having been obtained.
    ///   - timeout: how long one token request may take.
    ///   - storage: where the tokens outlive the process.
    ///   - networkInterface: what carries the token requests, asked for each of them: the same `Swifty` may be named.
    ///   - now: the time.
    public init(
        tokenURL: String,
        clientID: String,
        clientSecret: String? = nil,
        grant: Grant = .clientCredentials,
        scope: String? = nil,
        parameters: [String: String] = [:],
        authentication: ClientAuthentication = .basic,
        for serverURL: String,
        alsoFor otherURLs: [String] = [],
        leeway: Duration = .seconds(30),
        rejectionLimit: Int = 3,
        timeout: Duration = .seconds(30),
        storage: (any TokenStorage)? = nil,
        through networkInterface: @autoclosure @escaping @Sendable () -> any NetworkInterface = Swifty.shared,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        session = OAuth2Session(
            endpoint: TokenEndpoint(
                url: tokenURL,
                clientID: clientID,
                clientSecret: clientSecret,
                authentication: clientSecret == nil ? .body : authentication,
                scope: scope,
                parameters: parameters,
                timeout: timeout,
                networkInterface: networkInterface
            ),
            origins: AllowedOrigins(of: [serverURL] + otherURLs),
            state: OAuth2State(grant: grant, leeway: leeway, rejectionLimit: rejectionLimit),
            storage: storage,
            now: now
        )
        constraint = OAuth2Constraint(session, timeout: timeout + .seconds(30))
        interceptor = OAuth2Interceptor(session: session)
    }

    /// Whether there is an access token that has not expired.
    public var hasValidToken: Bool { session.hasValidToken }

    /// Takes tokens that came from elsewhere, in place of those before; returns when they are stored.
    public func logIn(with token: Token) async {
        await session.logIn(with: token)
    }

    /// Forgets all tokens, here and in the storage; returns when that is done.
    ///
    /// A token that is being asked for meanwhile is thrown away, and the loads that wait for it fail. With client
    /// credentials the next load gets a new token; otherwise loads fail until somebody has logged in.
    public func logOut() async {
        await session.logOut()
    }
}

extension OAuth2: CustomStringConvertible, CustomReflectable {
    /// The token endpoint, and no secret.
    public var description: String { session.description }

    /// Nothing beyond the description, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension OAuth2 {
    /// How access tokens are obtained.
    public enum Grant: Sendable {
        /// With the client's own credentials (RFC 6749 §4.4).
        case clientCredentials
        /// With a refresh token that came from a log-in (RFC 6749 §6): the one given here, until
        /// ``OAuth2/logIn(with:)``, the ``OAuth2/TokenStorage`` or the server's rotation replaces it.
        case refreshToken(String? = nil)
    }

    /// How the client says who it is at the token endpoint (RFC 6749 §2.3.1).
    public enum ClientAuthentication: Sendable, Hashable {
        /// In an `Authorization: Basic` header field. Every server supports it.
        case basic
        /// With `client_id` and `client_secret` in the body.
        case body
    }
}

extension OAuth2.Grant: CustomStringConvertible, CustomReflectable {
    /// The value of `grant_type`.
    public var description: String {
        switch self {
        case .clientCredentials: "client_credentials"
        case .refreshToken: "refresh_token"
        }
    }

    /// Nothing beyond the description, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
