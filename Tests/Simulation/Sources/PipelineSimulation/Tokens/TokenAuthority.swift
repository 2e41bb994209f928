// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The tokens that an authorization server has issued, and the requests for them.
struct TokenAuthority {
    /// A request for tokens.
    struct Call {
        /// The refresh token that it sends; `nil` for another grant.
        let refresh: String?
        /// The number of the login whose code it exchanges; `nil` for another grant.
        let exchange: Int?
        var isOpen = true
        var issued: Issued?

        var isOfLogin: Bool { exchange != nil }
    }

    struct Issued {
        let access: String
        /// `nil` if the old one stays.
        let refresh: String?
    }

    private struct Access {
        let number: Int
        let login: Int?
        /// In nanoseconds.
        let begin: Int64
        /// The time from which it is not accepted, in nanoseconds; `nil` if it does not expire.
        let expiry: Int64?
        var isRevoked = false
    }

    private struct Refresh {
        let login: Int
        var isUsed = false
        var isRevoked = false
    }

    var calls: [Call] = []
    private var accessTokens: [String: Access] = [:]
    private var refreshTokens: [String: Refresh] = [:]
    private(set) var loginCount = 0

    // MARK: Logins

    /// The tokens of a login of which the token endpoint knows nothing yet.
    ///
    /// - Parameter expiry: In nanoseconds; `nil` for a token that does not expire.
    mutating func beginLogin(expiry: Int64?, at now: Int64) -> (login: Int, access: String, refresh: String) {
        let login = loginCount
        loginCount += 1
        return (login, makeAccess(login, expiry: expiry, at: now), makeRefresh(login))
    }

    private mutating func makeAccess(_ login: Int?, expiry: Int64?, at now: Int64) -> String {
        let (number, token) = (accessTokens.count, "a\(accessTokens.count)")
        accessTokens[token] = Access(number: number, login: login, begin: now, expiry: expiry)
        return token
    }

    private mutating func makeRefresh(_ login: Int) -> String {
        let token = "r\(refreshTokens.count)"
        refreshTokens[token] = Refresh(login: login)
        return token
    }

    // MARK: Requests

    mutating func begin(_ refresh: String?, code: String?) -> Int {
        calls.append(Call(refresh: refresh, exchange: code.flatMap { Int($0) }))
        return calls.count - 1
    }

    /// The tokens for a request; `nil` if its grant is not valid.
    ///
    /// - Parameter lifetime: In seconds; `nil` for tokens that do not expire.
    mutating func issue(_ number: Int, lifetime: Int?, rotates: Bool, _ now: Int64) -> Issued? {
        let expiry = lifetime.map { now + Int64($0) * 1_000_000_000 }
        let issued: Issued
        if let refresh = calls[number].refresh {
            guard let known = refreshTokens[refresh], !known.isRevoked else { return nil }
            if known.isUsed {
                // It was stolen, as far as the server knows (RFC 9700 §4.14.2).
                revokeRefreshTokens(of: known.login)
                return nil
            }
            refreshTokens[refresh]?.isUsed = rotates
            issued = Issued(
                access: makeAccess(known.login, expiry: expiry, at: now),
                refresh: rotates ? makeRefresh(known.login) : nil
            )
        } else if calls[number].isOfLogin {
            let login = beginLogin(expiry: expiry, at: now)
            issued = Issued(access: login.access, refresh: login.refresh)
        } else {
            issued = Issued(access: makeAccess(nil, expiry: expiry, at: now), refresh: nil)
        }
        calls[number].issued = issued
        return issued
    }

    /// The requests without a response that send this refresh token.
    func openCount(sending refresh: String) -> Int {
        calls.count { $0.isOpen && $0.refresh == refresh }
    }

    // MARK: Tokens

    func isKnown(_ access: String) -> Bool { accessTokens[access] != nil }

    /// Whether an access token was issued before another one.
    func isOlder(_ access: String, than other: String) -> Bool {
        (accessTokens[access]?.number ?? 0) < (accessTokens[other]?.number ?? 0)
    }

    func accepts(_ access: String) -> Bool { accessTokens[access]?.isRevoked == false }

    func isExpired(_ access: String, at now: Int64) -> Bool {
        accessTokens[access]?.expiry.map { $0 <= now } ?? false
    }

    /// Whether a client that has an access token must know at the time that it has expired.
    func isOver(_ access: String, before time: Int64) -> Bool {
        guard let token = accessTokens[access], let expiry = token.expiry else { return false }
        return max(token.begin, expiry) < time
    }

    /// The login that an access token belongs to; `nil` for one of the client.
    func login(of access: String) -> Int? { accessTokens[access]?.login }

    /// The login that a refresh token belongs to.
    func login(ofRefreshToken refresh: String) -> Int? { refreshTokens[refresh]?.login }

    mutating func revokeAccessTokens() {
        for token in accessTokens.keys { accessTokens[token]?.isRevoked = true }
    }

    mutating func revokeRefreshTokens(of login: Int? = nil) {
        for (token, refresh) in refreshTokens where login == nil || refresh.login == login {
            refreshTokens[token]?.isRevoked = true
        }
    }
}
