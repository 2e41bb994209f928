// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The state of an OAuth 2.0 client's tokens: event in, decision out.
struct OAuth2State: Sendable {
    /// A token request, and the login that it belongs to.
    struct TokenRequest: Sendable {
        /// The refresh token to send; `nil` for the client credentials grant.
        let refreshToken: String?
        let generation: Int
    }

    /// The tokens to store.
    private(set) var token: OAuth2.Token?
    private var secret: RotatingSecret
    private var renewal: Date?
    private var initialRefreshToken: String?
    private let usesRefreshToken: Bool
    private let leeway: TimeInterval
    /// The number of logins and logouts. A token that was requested in an earlier generation is discarded.
    private var generation = 0

    init(grant: OAuth2.Grant, leeway: Duration, rejectionLimit: Int) {
        secret = RotatingSecret(limit: rejectionLimit)
        self.leeway = max(leeway / .seconds(1), 0)
        switch grant {
        case .clientCredentials:
            usesRefreshToken = false
        case .refreshToken(let initial):
            usesRefreshToken = true
            initialRefreshToken = initial
        }
    }

    /// The access token that requests are sent with; it may be refused, see ``RotatingSecret/lastKnown``.
    var accessToken: String? { secret.lastKnown }

    /// Whether the access token is current and not yet due for replacement.
    func isValid(at now: Date) -> Bool {
        guard secret.current != nil else { return false }
        return renewal.map { now < $0 } ?? true
    }

    /// The token request to send now; `nil` if the access token is valid.
    ///
    /// - Throws: ``OAuth2/TokenError/notLoggedIn`` without a refresh token, if the grant needs one.
    func tokenRequest(at now: Date) throws(OAuth2.TokenError) -> TokenRequest? {
        if isValid(at: now) { return nil }
        guard usesRefreshToken else { return TokenRequest(refreshToken: nil, generation: generation) }
        guard let refreshToken = token?.refreshToken ?? initialRefreshToken else { throw .notLoggedIn }
        return TokenRequest(refreshToken: refreshToken, generation: generation)
    }

    /// Sets the tokens that the token endpoint has issued.
    ///
    /// - Returns: `false` if they are discarded, after a login or logout in the meantime.
    mutating func obtain(_ issued: OAuth2.Token, for request: TokenRequest, at now: Date) -> Bool {
        guard request.generation == generation else { return false }
        // Without a new refresh token the old one stays (RFC 6749 §6).
        keep(
            OAuth2.Token(
                accessToken: issued.accessToken,
                refreshToken: issued.refreshToken ?? request.refreshToken,
                expiresAt: issued.expiresAt,
                scope: issued.scope
            ),
            at: now
        )
        return true
    }

    /// Removes a refresh token that is no longer valid (`invalid_grant`).
    mutating func dropRefreshToken(of request: TokenRequest) {
        guard request.generation == generation, request.refreshToken != nil else { return }
        initialRefreshToken = nil
        token = nil
        secret.drop()
    }

    /// Sets the tokens of a storage, unless there are tokens already.
    mutating func restore(_ stored: OAuth2.Token?, at now: Date) {
        guard let stored, token == nil, generation == 0 else { return }
        keep(stored, at: now)
    }

    mutating func logIn(with token: OAuth2.Token, at now: Date) {
        logOut()
        keep(token, at: now)
    }

    mutating func logOut() {
        generation += 1
        secret.forget()
        token = nil
        renewal = nil
        initialRefreshToken = nil
    }

    /// Records that a server responded with 401 to a request with this access token.
    mutating func reject(_ accessToken: String, at now: Date) -> RotatingSecret.Rejection {
        secret.reject(accessToken, at: now)
    }

    private mutating func keep(_ token: OAuth2.Token, at now: Date) {
        self.token = token
        secret.obtain(token.accessToken, at: now)
        renewal = token.expiresAt.map { expiry in
            // A lifetime shorter than the leeway must not cause a token request for every load.
            expiry - min(leeway, max(expiry.timeIntervalSince(now), 0) / 2)
        }
    }
}
