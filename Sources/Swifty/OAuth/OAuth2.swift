// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date

/// An OAuth 2.0 client (RFC 6749): gets access tokens from an authorization server, renews them, and adds them to the
/// requests to one API.
///
///     let oauth = OAuth2(
///         tokenURL: "https://auth.example.com/token", clientID: "inventory", clientSecret: secret,
///         for: "https://api.example.com")
///     let swifty = Swifty { $0.use(oauth) }
///
/// It holds loads while there is no valid token, requests one token for all of them, and adds
/// `Authorization: Bearer …` (RFC 6750 §2.1). It applies only to requests to the given origins: a token is never sent
/// to another scheme, host or port. A request with `constraints(.none)` or `constraints(.except(OAuth2.self))`, or with
/// its own `Authorization` field, gets no token. An interceptor that changes the origin of requests belongs before it.
///
/// A token that expires soon is replaced in the background, while requests still carry it: if the endpoint fails, it is
/// asked again after a pause, and loads wait for it, and fail with its error, only when the token has expired. A token
/// is also replaced when a server responds with 401 to a request that carried it; that request is then sent once more.
/// If the server refuses several new tokens in a row, the caller gets the 401.
///
/// Use the same instance for everything that shares the tokens. It retains no `Swifty` but one that the argument
/// `through` captures. May be used from any thread.
public final class OAuth2: Swifty.HookGroup {
    /// A constraint, which holds loads until there is a valid access token, and a request interceptor, which adds it.
    public var hooks: [any Swifty.Hook] { [constraint, interceptor] }

    package let constraint: any AsyncConstraint
    package let interceptor: any RequestInterceptor

    let session: OAuth2Session

    /// Makes a client. No request is sent before the first load needs a token.
    ///
    /// If a URL is invalid, the loads fail with ``SwiftyError/Code/constraintFailed``.
    ///
    /// - Parameters:
    ///   - tokenURL: The token endpoint (RFC 6749 §3.2).
    ///   - clientID: The client identifier (RFC 6749 §2.2).
    ///   - clientSecret: The client's secret; `nil` for a public client, which sends its identifier in the content.
    ///   - grant: The way to obtain tokens.
    ///   - scope: The scope of the tokens, separated by spaces; `nil` for the server's default.
    ///   - parameters: The additional fields of the token request, such as `audience`.
    ///   - authentication: The client's authentication at the token endpoint.
    ///   - serverURL: The URL of the API. The token may be sent to its origin, with any path.
    ///   - otherURLs: The URLs of further servers that accept the token.
    ///   - leeway: The time before its expiry from which a token is replaced in the background; at most half of its
    ///     lifetime.
    ///   - rejectionLimit: The number of consecutive tokens that are replaced when a server refuses them within a
    ///     minute after they were obtained; then the caller gets the 401.
    ///   - timeout: The time limit of one token request.
    ///   - storage: The storage that keeps the tokens beyond the life of the process.
    ///   - networkInterface: The interface for token requests, evaluated for each of them. It may be the `Swifty` that
    ///     uses this client.
    ///   - now: The clock.
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
        // Longer than a token request, so that the request never outlives the flight unattended.
        constraint = CredentialConstraint(session, timeout: timeout + .seconds(30))
        interceptor = OAuth2Interceptor(session: session)
    }

    /// Whether there is an access token that has not expired.
    public var hasValidToken: Bool { session.hasValidCredential }

    /// Replaces all tokens by those of a grant for which there is no function; returns when they are stored.
    ///
    /// Loads that wait for a token continue with these, whatever becomes of a token request that is in progress. For a
    /// user with a browser there is ``beginLogin(authorizationURL:redirectURI:scope:issuer:parameters:)``, and with
    /// another device ``logInWithDevice(authorizationURL:scope:parameters:prompt:)``.
    public func logIn(with token: Token) async {
        await session.logIn(with: token)
    }

    /// Removes all tokens, in memory and from the storage; returns when that is done.
    ///
    /// The token of a request in flight is discarded, and the loads that wait for it fail at once. With client
    /// credentials the next load gets a new token; otherwise loads fail until the next login.
    public func logOut() async {
        await session.logOut()
    }
}

extension OAuth2: CustomStringConvertible, CustomReflectable {
    /// The token endpoint, without secrets.
    public var description: String { session.description }

    /// The description as the only child, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension OAuth2 {
    /// The way to obtain access tokens.
    public enum Grant: Sendable {
        /// The client's own credentials (RFC 6749 §4.4).
        case clientCredentials
        /// A refresh token from a login (RFC 6749 §6): the given one, until ``OAuth2/logIn(with:)``, the
        /// ``OAuth2/TokenStorage`` or the server's rotation replaces it.
        case refreshToken(String? = nil)
    }

    /// The client's authentication at the token endpoint (RFC 6749 §2.3.1).
    public enum ClientAuthentication: Sendable, Hashable {
        /// An `Authorization: Basic` header field, which every server supports.
        case basic
        /// The fields `client_id` and `client_secret` in the content.
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

    /// The description as the only child, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
