// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Date

@testable import Swifty
@testable import SwiftyTransport

/// Plays a ``TokenPlan``, and compares what each request carries with what was issued, and to whom.
// Safety: the one thread of the simulation uses it.
final class TokenHistory: @unchecked Sendable {
    /// What is known about a load.
    struct Run {
        var begin: Int64?
        var isEnded = false
        /// Whether a request is without a response.
        var isSent = false
        /// When its latest request or response was there.
        var lastEvent: Int64 = 0
        /// Whether a token of it was refused.
        var isRefused = false
        var task: Task<Void, Never>?
    }

    static let api = "https://api.example"
    static let other = "https://other.example"

    let plan: TokenPlan
    let world: World
    private let queues: SimulatedQueues
    var swifty: Swifty?
    var oauth: OAuth2?
    /// The key that was issued last of those that have arrived, and when.
    private(set) var newestKey: (name: String, time: Int64)?
    var storage: SimulatedTokenStorage?
    weak var weakServer: TokenServer?
    var runs: [Run]
    /// When the API's refusals of tokens were there, of which the process knows.
    var refusals: [String: Int64] = [:]
    var logins = LoginRecord()
    private var shutdownTime: Int64?
    /// The refresh token of the configuration.
    private(set) var firstRefreshToken = ""

    init(_ plan: TokenPlan, _ world: World) {
        (self.plan, self.world) = (plan, world)
        queues = SimulatedQueues(world)
        runs = plan.loads.map { _ in Run() }
    }

    func play() {
        queues.takeOver()
        world.soon { [unowned self] in begin() }
        world.run()
        checkEnd()
    }

    private func begin() {
        let server = TokenServer(self)
        weakServer = server
        firstRefreshToken = server.authority.beginLogin(expiry: nil, at: world.now).refresh
        storage = plan.storage.map { plan in
            var stored: OAuth2.Token?
            if plan.isFilled { stored = makeToken(server, lifetime: self.plan.lifetime, isRefreshable: true).token }
            return SimulatedTokenStorage(plan, stored, world)
        }
        makeProcess(server, refreshToken: firstRefreshToken)
        for index in plan.loads.indices {
            world.after(plan.loads[index].time.milliseconds) { [unowned self] in start(index) }
            if let time = plan.loads[index].cancelTime {
                world.after(time.milliseconds) { [unowned self] in cancel(index) }
            }
        }
        for (time, act) in plan.acts { world.after(time.milliseconds) { [unowned self] in perform(act) } }
    }

    /// Makes the interface and the client of a process.
    private func makeProcess(_ server: TokenServer, refreshToken: String?) {
        let group: any Swifty.HookGroup
        if case .key = plan.grant {
            group = makeKey()
        } else {
            let oauth = makeClient(refreshToken: refreshToken)
            (self.oauth, group) = (oauth, oauth)
        }
        let (plan, world) = (plan, world)
        swifty = Swifty(transport: server) {
            $0.clock = SimulatedClock(world: world)
            $0.use(group)
            $0.admission.maximumLoads = plan.maximumLoads
            if plan.retries > 0 { $0.retry = RetryPolicy(maximumAttempts: 1 + plan.retries, backoff: .none) }
        }
    }

    private func makeKey() -> APIKey {
        APIKey(in: .header("Authorization"), for: Self.api, rejectionLimit: plan.rejectionLimit) { [weak self] in
            guard let server = self?.weakServer else { throw FlightFailure(flight: 0) }
            return try await server.fetchKey()
        }
    }

    func keyArrives(_ name: String) {
        if let newestKey, weakServer?.authority.isOlder(name, than: newestKey.name) == true { return }
        newestKey = (name, world.now)
    }

    private func makeClient(refreshToken: String?) -> OAuth2 {
        let grant: OAuth2.Grant =
            switch plan.grant {
            case .clientCredentials: .clientCredentials
            case .refreshToken: .refreshToken(refreshToken)
            case .login, .key: .refreshToken()
            }
        return OAuth2(
            tokenURL: "https://auth.example/token",
            clientID: "client",
            grant: grant,
            for: Self.api,
            leeway: .seconds(plan.leeway),
            rejectionLimit: plan.rejectionLimit,
            timeout: .planned(plan.timeout),
            storage: storage,
            through: TokenInterface(history: self)
        )
    }

    // MARK: Loads

    private func start(_ index: Int) {
        let load = plan.loads[index]
        guard let swifty else { return }
        (runs[index].begin, runs[index].lastEvent) = (world.now, world.now)
        world.note(TokenEvent.loadBegins, index, 0, "load \(index) begins")
        let base = BaseResource(load.kind == .elsewhere ? Self.other : Self.api, networkInterface: swifty)
        let resource = base.request(load.isPost ? "POST" : "GET", "r").header(.loadNumber, "\(index)")
        if load.kind == .free { resource.constraints(.none) }
        if let total = load.total { resource.timeout(total: .planned(total)) }
        runs[index].task = Task {
            do throws(SwiftyError) {
                self.end(index, .success(try await resource.load()))
            } catch {
                self.end(index, .failure(error))
            }
        }
    }

    private func cancel(_ index: Int) {
        guard let task = runs[index].task, !runs[index].isEnded else { return }
        world.note(TokenEvent.loadCancelled, index, 0, "load \(index) is cancelled")
        task.cancel()
    }

    // MARK: Acts

    private func perform(_ act: TokenPlan.Act) {
        switch act {
        case .revokeAccess:
            world.note(TokenEvent.accessRevoked, 0, 0, "the access tokens are revoked")
            weakServer?.authority.revokeAccessTokens()
        case .revokeRefresh:
            world.note(TokenEvent.refreshRevoked, 0, 0, "the refresh tokens are revoked")
            weakServer?.authority.revokeRefreshTokens()
        case .logIn(let lifetime, let isRefreshable): logIn(lifetime, isRefreshable)
        case .finishLogin: finishLogin()
        case .logOut: logOut()
        case .cancelAll:
            world.note(TokenEvent.allCancelled, 0, 0, "all loads are cancelled")
            swifty?.cancelAllLoads()
        case .restart: restart()
        case .shutdown: shutDown()
        }
    }

    private func makeToken(
        _ server: TokenServer,
        lifetime: Int?,
        isRefreshable: Bool
    ) -> (login: Int, token: OAuth2.Token) {
        let expiry = lifetime.map { world.now + ($0 * 1_000).milliseconds }
        let made = server.authority.beginLogin(expiry: expiry, at: world.now)
        let token = OAuth2.Token(
            accessToken: made.access,
            refreshToken: isRefreshable ? made.refresh : nil,
            expiresAt: lifetime.map { Date().addingTimeInterval(Double($0)) }
        )
        return (made.login, token)
    }

    private func logIn(_ lifetime: Int?, _ isRefreshable: Bool) {
        guard let oauth, let server = weakServer else { return }
        let (login, token) = makeToken(server, lifetime: lifetime, isRefreshable: isRefreshable)
        world.note(TokenEvent.loginSet, login, 0, "login \(login) is set: \(token.accessToken)")
        logins.set(login, token.accessToken, at: world.now)
        Task { await oauth.logIn(with: token) }
        let (changeCount, time) = (logins.changeCount, world.now)
        if lifetime.map({ $0 <= 0 }) == true { return }
        world.after(1.milliseconds) { [unowned self] in checkWaiting(at: time, since: changeCount) }
    }

    /// Logs a user in, whose browser needs no time.
    private func finishLogin() {
        guard let oauth, plan.grant != .clientCredentials else { return }
        world.note(TokenEvent.loginBegins, 0, 0, "a user logs in")
        let beginning = logins.beginExchange()
        Task {
            let error = await self.exchangeCode(oauth, beginning.number)
            self.world.note(TokenEvent.loginEnds, 0, 0, "the login ends: \(error.map { "\($0.code)" } ?? "success")")
            self.logins.endExchange(beginning, isSuccess: error == nil, at: self.world.now)
            self.world.expect(
                error != nil || !self.logins.isDiscarded(beginning),
                "no login succeeds after a logout that it has not seen"
            )
            if self.plan.isHarmless {
                self.world.expect(
                    error == nil,
                    "a load of a server that does nothing wrong succeeds, whatever others do",
                    "the login of a user: \(error.map { "\($0)" } ?? "")"
                )
            }
        }
    }

    private func exchangeCode(_ oauth: OAuth2, _ number: Int) async -> SwiftyError? {
        do throws(SwiftyError) {
            let page = "https://auth.example/authorize"
            let login = try oauth.beginLogin(authorizationURL: page, redirectURI: "https://app.example/login")
            let state = login.url.split { "?&".contains($0) }.first { $0.hasPrefix("state=") } ?? ""
            try await login.finish(with: "https://app.example/login?code=\(number)&\(state)")
            return nil
        } catch {
            return error
        }
    }

    private func logOut() {
        guard let oauth else { return }
        world.note(TokenEvent.loggedOut, 0, 0, "the user logs out")
        logins.end(at: world.now)
        Task { await oauth.logOut() }
        let (changeCount, time) = (logins.changeCount, world.now)
        world.after(1.milliseconds) { [unowned self] in checkLoggedOut(at: time, since: changeCount) }
    }

    /// Replaces the process, unless it does something. What it has not stored would be lost.
    private func restart() {
        guard shutdownTime == nil, oauth != nil, swifty?.statistics.inFlight == 0, let storage, !storage.isBusy,
            logins.isIdle, let server = weakServer
        else { return }
        world.note(TokenEvent.restarted, 0, 0, "another process begins")
        refusals = [:]
        logins.lastFailure = nil
        makeProcess(server, refreshToken: nil)
    }

    private func shutDown() {
        guard shutdownTime == nil, let swifty else { return }
        shutdownTime = world.now
        world.note(TokenEvent.shutdownBegins, 0, 0, "the Swifty is shut down")
        Task {
            await swifty.shutdown()
            self.world.note(TokenEvent.shutdownEnds, 0, 0, "the shutdown ends")
            self.world.expect(
                swifty.statistics.inFlight == 0,
                "no load is left after a shutdown",
                "\(swifty.statistics.inFlight)"
            )
        }
    }
}

/// The interface for token requests: the `Swifty` itself, with a record of what it has returned.
private struct TokenInterface: NetworkInterface {
    unowned let history: TokenHistory

    var clock: any Clock<Duration> { SimulatedClock(world: history.world) }

    func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        guard let swifty = history.swifty else {
            return NetworkResponse(error: SwiftyError(.shutdown, stage: .queue))
        }
        let changeCount = history.logins.changeCount
        let response = await swifty.load(draft, cancellation: cancellation)
        history.tokenRequestEnds(response, since: changeCount)
        return response
    }
}
