// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What is known about the tokens: event in, decision out.
struct OAuth2State: Sendable {
    /// What to ask the token endpoint for, and on whose behalf.
    struct Plan: Sendable {
        /// `nil` for the client credentials grant.
        let refreshToken: String?
        let era: Int
    }

    /// What is to be kept by a storage.
    private(set) var token: OAuth2.Token?
    private var credential: CredentialState
    private var renewal: Date?
    private var initialRefreshToken: String?
    private let usesRefreshToken: Bool
    private let leeway: TimeInterval
    /// Changes when somebody logs in or out: what was asked for before does not count any more.
    private var era = 0

    init(grant: OAuth2.Grant, leeway: Duration, rejectionLimit: Int) {
        credential = CredentialState(limit: rejectionLimit)
        self.leeway = max(leeway / .seconds(1), 0)
        switch grant {
        case .clientCredentials:
            usesRefreshToken = false
        case .refreshToken(let initial):
            usesRefreshToken = true
            initialRefreshToken = initial
        }
    }

    /// The access token that requests are sent with; it may be refused, see ``CredentialState/lastKnown``.
    var accessToken: String? { credential.lastKnown }

    /// Whether the access token is in force and need not be replaced yet.
    func isValid(at now: Date) -> Bool {
        guard credential.current != nil else { return false }
        return renewal.map { now < $0 } ?? true
    }

    /// What is to be asked for now; `nil` if the token is good.
    func plan(at now: Date) throws(OAuth2.Failure) -> Plan? {
        if isValid(at: now) { return nil }
        guard usesRefreshToken else { return Plan(refreshToken: nil, era: era) }
        guard let refreshToken = token?.refreshToken ?? initialRefreshToken else { throw .notLoggedIn }
        return Plan(refreshToken: refreshToken, era: era)
    }

    /// Takes what the token endpoint has issued.
    ///
    /// - Returns: `false` if somebody has logged in or out meanwhile.
    mutating func obtain(_ issued: OAuth2.Token, by plan: Plan, at now: Date) -> Bool {
        guard plan.era == era else { return false }
        // Without a new refresh token the old one stays (RFC 6749 §6).
        keep(
            OAuth2.Token(
                accessToken: issued.accessToken,
                refreshToken: issued.refreshToken ?? plan.refreshToken,
                expiresAt: issued.expiresAt,
                scope: issued.scope
            ),
            at: now
        )
        return true
    }

    /// Takes notice that the refresh token is of no use (`invalid_grant`): it is not tried again.
    mutating func loseRefreshToken(by plan: Plan) {
        guard plan.era == era, plan.refreshToken != nil else { return }
        initialRefreshToken = nil
        token = nil
        credential.drop()
    }

    /// Takes what a storage had kept, unless there are tokens already.
    mutating func restore(_ stored: OAuth2.Token?, at now: Date) {
        guard let stored, token == nil, era == 0 else { return }
        keep(stored, at: now)
    }

    mutating func logIn(with token: OAuth2.Token, at now: Date) {
        logOut()
        keep(token, at: now)
    }

    mutating func logOut() {
        era += 1
        credential.forget()
        token = nil
        renewal = nil
        initialRefreshToken = nil
    }

    /// Takes notice that a server answered 401 to a request with this access token.
    mutating func reject(_ accessToken: String, at now: Date) -> CredentialState.Rejection {
        credential.reject(accessToken, at: now)
    }

    private mutating func keep(_ token: OAuth2.Token, at now: Date) {
        self.token = token
        credential.obtain(token.accessToken, at: now)
        renewal = token.expiresAt.map { expiry in
            // A lifetime shorter than the leeway must not mean a new token for every load.
            expiry - min(leeway, max(expiry.timeIntervalSince(now), 0) / 2)
        }
    }
}
