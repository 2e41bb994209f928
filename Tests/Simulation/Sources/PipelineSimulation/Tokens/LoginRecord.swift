// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The logins of a history, and what the client must know of them.
struct LoginRecord {
    /// What a storage must have.
    enum Stored {
        /// What it had, or what cannot be said: two changes met.
        case unknown
        case access(String)
        /// Tokens that cannot be replaced any more, or none.
        case noRefreshToken
        case nothing
    }

    /// A login by a user that has not ended.
    struct Exchange {
        let number: Int
        let logOutCount: Int
        let replaced: Set<Int>
    }

    /// When logins were over, in nanoseconds.
    private(set) var ends: [Int: Int64] = [:]
    /// The refresh tokens that the client knows to be replaced.
    var replaced: Set<String> = []
    /// When a token request failed last, since the last change.
    var lastFailure: Int64?
    /// When the client got its tokens.
    var lastTokenTime: Int64 = 0
    private(set) var stored = Stored.unknown
    /// The number of logins and logouts.
    private(set) var changeCount = 0
    private var current: Set<Int> = [0]
    private(set) var openExchanges = 0
    private var exchangeCount = 0
    private var logOutCount = 0
    /// When there was a logout last.
    private(set) var lastLogOut: Int64?
    /// The numbers of logouts when the tokens of logins came.
    private var arrivals: [Int: Int] = [:]

    /// Whether no login is under way.
    var isIdle: Bool { openExchanges == 0 }

    private mutating func change(at now: Int64) {
        for login in current where ends[login] == nil { ends[login] = now }
        changeCount += 1
        lastFailure = nil
        lastTokenTime = now
    }

    mutating func set(_ login: Int, _ access: String, at now: Int64) {
        change(at: now)
        current = [login]
        stored = isIdle ? .access(access) : .unknown
    }

    mutating func end(at now: Int64) {
        change(at: now)
        logOutCount += 1
        lastLogOut = now
        current = []
        stored = isIdle ? .nothing : .unknown
    }

    mutating func beginExchange() -> Exchange {
        openExchanges += 1
        exchangeCount += 1
        stored = .unknown
        return Exchange(number: exchangeCount, logOutCount: logOutCount, replaced: current)
    }

    /// Notes that the tokens of a login have come. They are in use before the login ends, which stores them.
    mutating func noteArrival(of exchange: Int, at now: Int64) {
        arrivals[exchange] = logOutCount
        lastTokenTime = now
    }

    /// Whether there was a logout before the tokens of a login came.
    func isDiscarded(_ exchange: Exchange) -> Bool {
        arrivals[exchange.number].map { $0 > exchange.logOutCount } ?? false
    }

    /// - Parameter isSuccess: Whether its tokens are in use, unless there was a change meanwhile.
    mutating func endExchange(_ exchange: Exchange, isSuccess: Bool, at now: Int64) {
        openExchanges -= 1
        guard isSuccess else { return }
        for login in exchange.replaced where ends[login] == nil { ends[login] = now }
        changeCount += 1
        (lastFailure, lastTokenTime, stored) = (nil, now, .unknown)
    }

    /// Notes that the client has got tokens.
    mutating func obtain(_ issued: TokenAuthority.Issued, for refresh: String?, since changes: Int, at now: Int64) {
        if let refresh, issued.refresh != nil { replaced.insert(refresh) }
        guard changes == changeCount else { return }
        (lastFailure, lastTokenTime) = (nil, now)
        stored = isIdle ? .access(issued.access) : .unknown
    }

    /// Notes that the client has got none.
    ///
    /// - Parameter isRefusal: Whether its grant is not valid any more.
    mutating func fail(isRefusal: Bool, since changes: Int, at now: Int64) {
        guard changes == changeCount else { return }
        if isRefusal { stored = isIdle ? .noRefreshToken : .unknown }
        // During a login, the failure may be one of the tokens before it.
        if isIdle { lastFailure = now }
    }
}
