// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// The state of an OAuth 2.0 client's tokens: event in, decision out.
struct OAuth2State: Sendable {
    /// A token request, and the login that it belongs to.
    struct TokenRequest: Sendable {
        /// The refresh token to send; `nil` for the client credentials grant.
        let refreshToken: String?
        let generation: Int

        var grant: TokenGrant { refreshToken.map { .refreshToken($0) } ?? .clientCredentials }
    }

    /// The tokens to store.
    private(set) var token: OAuth2.Token?
    private var secret: RotatingSecret
    /// The time from which the access token is to be replaced, while it is still used; `nil` for no limit.
    private var renewal: Date?
    /// The time from which the access token is not used; `nil` if unknown.
    private var expiry: Date?
    private var backoff = RenewalBackoff()
    private var initialRefreshToken: String?
    let usesRefreshToken: Bool
    private let leeway: TimeInterval
    /// The number of logouts. The tokens of a login that began before one of them are discarded.
    private(set) var logOutCount = 0
    /// The number of logins and logouts. A token that was requested in an earlier generation is discarded.
    private(set) var generation = 0
    /// Whether no token was set since the last logout.
    private(set) var isLoggedOut = false

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

    /// Whether there is no access token, or a server has refused it.
    var hasNoToken: Bool { secret.current == nil }

    /// Whether the access token is current and has not expired.
    func isValid(at now: Date) -> Bool {
        guard secret.current != nil else { return false }
        return expiry.map { now < $0 } ?? true
    }

    /// Whether to request another access token, although the current one is valid: it expires soon, and the endpoint
    /// has not failed just now.
    func isDue(at now: Date) -> Bool {
        guard isValid(at: now), let renewal, now >= renewal else { return false }
        return !backoff.isInForce(at: now) && (!usesRefreshToken || refreshToken != nil)
    }

    /// The token request to send now; `nil` if the access token is valid and not due, and after another login.
    ///
    /// - Throws: ``OAuth2/TokenError/notLoggedIn`` without a refresh token, if the grant needs one.
    func tokenRequest(in generation: Int, at now: Date) throws(OAuth2.TokenError) -> TokenRequest? {
        // Its refresh token is sent by the renewal of that login alone.
        guard generation == self.generation else { return nil }
        if isValid(at: now), !isDue(at: now) { return nil }
        guard usesRefreshToken else { return TokenRequest(refreshToken: nil, generation: generation) }
        guard let refreshToken else { throw .notLoggedIn }
        return TokenRequest(refreshToken: refreshToken, generation: generation)
    }

    private var refreshToken: String? { token?.refreshToken ?? initialRefreshToken }

    mutating func fail(_ request: TokenRequest, at now: Date) {
        if request.generation == generation { backoff.fail(at: now) }
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

    /// Removes a refresh token that is no longer valid (`invalid_grant`). An access token that is valid stays in use
    /// until it expires.
    ///
    /// - Returns: `false` if there was none, or a login or logout in the meantime.
    mutating func dropRefreshToken(of request: TokenRequest, at now: Date) -> Bool {
        guard request.generation == generation, request.refreshToken != nil else { return false }
        initialRefreshToken = nil
        if let token, isValid(at: now) {
            self.token = OAuth2.Token(
                accessToken: token.accessToken,
                expiresAt: token.expiresAt,
                scope: token.scope
            )
        } else {
            token = nil
            secret.drop()
        }
        return true
    }

    /// Sets the tokens of a storage, unless there are tokens already.
    mutating func restore(_ stored: OAuth2.Token?, at now: Date) {
        guard let stored, token == nil, generation == 0 else { return }
        keep(stored, at: now)
    }

    mutating func logIn(with token: OAuth2.Token, at now: Date) {
        forget()
        keep(token, at: now)
    }

    /// Sets the tokens of a login that began after a number of logouts.
    ///
    /// - Returns: `false` if they are discarded, after another logout in the meantime.
    mutating func logIn(with token: OAuth2.Token, since logOuts: Int, at now: Date) -> Bool {
        guard logOuts == logOutCount else { return false }
        logIn(with: token, at: now)
        return true
    }

    mutating func logOut() {
        logOutCount += 1
        forget()
        isLoggedOut = true
    }

    private mutating func forget() {
        generation += 1
        secret.forget()
        backoff = RenewalBackoff()
        token = nil
        (renewal, expiry) = (nil, nil)
        initialRefreshToken = nil
    }

    /// Records that a server responded with 401 to a request with this access token.
    mutating func reject(_ accessToken: String, at now: Date) -> RotatingSecret.Rejection {
        secret.reject(accessToken, at: now)
    }

    private mutating func keep(_ token: OAuth2.Token, at now: Date) {
        self.token = token
        isLoggedOut = false
        backoff = RenewalBackoff()
        expiry = token.expiresAt
        // One from a login or a storage has not been checked. Its refresh token can be used nevertheless.
        if token.accessToken.utf8.isVisibleASCII { secret.obtain(token.accessToken, at: now) } else { secret.drop() }
        renewal = token.expiresAt.map { expiry in
            // A lifetime shorter than the leeway must not cause a token request for every load.
            expiry - min(leeway, max(expiry.timeIntervalSince(now), 0) / 2)
        }
    }
}

/// The pauses between token requests that fail while the old token is still used: 1 s, then twice as long each time, up
/// to a minute.
private struct RenewalBackoff: Sendable {
    private static let longest: TimeInterval = 60
    private var failures = 0
    private var lastFailure = Date.distantPast

    mutating func fail(at now: Date) {
        failures += 1
        lastFailure = now
    }

    /// Whether no token is requested now. A clock that was set back ends the pause.
    func isInForce(at now: Date) -> Bool {
        guard failures > 0 else { return false }
        let pause = min(Double(1 << min(failures - 1, 6)), Self.longest)
        return (0..<pause).contains(now.timeIntervalSince(lastFailure))
    }
}
