// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Data

@testable import Swifty
@testable import SwiftyTransport

extension TokenHistory {
    // MARK: Requests

    /// Checks the token of a request to the API, or to another server.
    func requestArrives(_ request: NetworkRequest, _ index: Int) {
        let (load, token) = (plan.loads[index], request.bearerToken)
        if load.kind != .ordinary, plan.maximumLoads == nil, runs[index].lastEvent == runs[index].begin {
            world.expect(
                runs[index].begin == world.now,
                "a load that needs no token waits for none",
                "load \(index)"
            )
        }
        (runs[index].isSent, runs[index].lastEvent) = (true, world.now)
        world.note(TokenEvent.requestArrives, index, 0, "a request of load \(index): \(token ?? "no token")")
        guard request.target.origin == Self.api else {
            return world.expect(
                token == nil,
                "a token is sent only to the servers that it is for",
                "load \(index) sends \(token ?? "") to \(request.target.origin)"
            )
        }
        guard load.kind == .ordinary else {
            return world.expect(token == nil, "a request that may not be held carries no token", "load \(index)")
        }
        guard let token, let begin = runs[index].begin, let authority = weakServer?.authority,
            authority.isKnown(token)
        else { return world.report("a request that needs a token carries one", "load \(index): \(token ?? "none")") }
        world.expect(
            isInForce(token, at: begin, authority),
            "no request carries a token that was over before its load began",
            "load \(index): \(token)"
        )
        guard oauth == nil, let newest = newestKey, newest.time < begin, refusals[newest.name] == nil else { return }
        world.expect(
            !authority.isOlder(token, than: newest.name),
            "a key does not replace one that was issued later",
            "load \(index): \(token), after \(newest.name)"
        )
    }

    private func isInForce(_ token: String, at begin: Int64, _ authority: TokenAuthority) -> Bool {
        if let end = authority.login(of: token).flatMap({ logins.ends[$0] }), end < begin { return false }
        // A lifetime that is over when the token arrives counts as one second. That of a key is not known.
        let isUnknown = oauth == nil || plan.lifetime.map { $0 <= 3 } ?? false
        if !isUnknown, authority.isOver(token, before: begin) { return false }
        let knowsRefusals = plan.rejectionLimit > 0 && refusals.count <= plan.rejectionLimit && canRecordRefusals
        return !knowsRefusals || refusals[token].map { $0 >= begin } ?? true
    }

    /// Whether each load hears of its response.
    private var canRecordRefusals: Bool {
        plan.loads.allSatisfy { $0.cancelTime == nil && $0.total == nil }
            && plan.acts.allSatisfy {
                switch $0.act {
                case .cancelAll, .shutdown: false
                default: true
                }
            }
    }

    /// Notes a refusal after which the client asks for another token: the first one of a load.
    func noteRefusal(of token: String, toLoad index: Int) {
        guard !runs[index].isRefused else { return }
        runs[index].isRefused = true
        refusals[token] = min(refusals[token] ?? .max, world.now)
        // A login begins again, and so does a token that has expired.
        guard plan.lifetime == nil, logins.changeCount == 0, logins.isIdle else { return }
        world.expect(
            refusals.count <= plan.rejectionLimit + 1,
            "no more tokens in a row are replaced than the limit allows",
            "\(refusals.count)"
        )
    }

    func tokenRequestArrives(_ number: Int) {
        guard let authority = weakServer?.authority else { return }
        let call = authority.calls[number]
        world.note(TokenEvent.tokenRequested, number, 0, "token request \(number): \(call.refresh ?? "another grant")")
        if let refresh = call.refresh {
            world.expect(
                authority.openCount(sending: refresh) == 1,
                "one token request at a time sends a refresh token",
                refresh
            )
            world.expect(!logins.replaced.contains(refresh), "a refresh token that was replaced is not sent", refresh)
            let isStored = plan.storage?.isFilled == true
            world.expect(!isStored || refresh != firstRefreshToken, "tokens that are stored are used", refresh)
        }
        guard plan.maximumLoads == nil, plan.retries == 0, !call.isOfLogin else { return }
        let end = call.refresh.flatMap(authority.login(ofRefreshToken:)).flatMap { logins.ends[$0] }
        world.expect(
            end.map { $0 >= world.now } ?? true,
            "no token request is made for a login that is over",
            "token request \(number)"
        )
        guard oauth?.hasValidToken == true, logins.isIdle else { return }
        world.expect(
            logins.lastFailure.map { world.now - $0 >= 1_000.milliseconds } ?? true,
            "a token endpoint that failed is asked again after a pause",
            "token request \(number)"
        )
    }

    /// Notes what the client has got for a token request.
    ///
    /// - Parameter changes: The number of logins and logouts when the request began.
    func tokenRequestEnds(_ response: NetworkResponse, since changes: Int) {
        let status = response.head?.statusCode ?? 0
        let number = response.head?.headers[.number].flatMap { Int($0) }
        world.note(TokenEvent.tokenRequestEnds, number ?? -1, status, "a token request ends: \(status)")
        let call = number.flatMap { weakServer?.authority.calls[$0] }
        guard let call, let issued = call.issued, status == 200, response.error == nil else {
            let isOfLogin = call?.isOfLogin ?? response.request?.isOfLogin ?? true
            if !isOfLogin { logins.fail(isRefusal: status == 400, since: changes, at: world.now) }
            return
        }
        if let exchange = call.exchange { return logins.noteArrival(of: exchange, at: world.now) }
        logins.obtain(issued, for: call.refresh, since: changes, at: world.now)
    }

    // MARK: Loads

    /// Checks that a login has let all loads continue that waited for a token.
    ///
    /// - Parameters:
    ///   - time: The time of the login.
    ///   - changes: The number of logins and logouts after it.
    func checkWaiting(at time: Int64, since changes: Int) {
        guard logins.changeCount == changes, oauth?.hasValidToken == true, plan.maximumLoads == nil else { return }
        for (index, run) in runs.enumerated() where !run.isEnded && !run.isSent && run.begin != nil {
            world.expect(
                run.lastEvent >= time,
                "no load waits for a token when there is one",
                "load \(index)"
            )
        }
    }

    /// Checks that a logout has ended all loads that waited for a token.
    func checkLoggedOut(at time: Int64, since changes: Int) {
        guard logins.changeCount == changes, plan.maximumLoads == nil else { return }
        for (index, run) in runs.enumerated() where run.begin != nil {
            world.expect(
                run.isEnded || run.isSent || run.lastEvent >= time,
                "a logout ends the wait for a token",
                "load \(index)"
            )
        }
    }

    func end(_ index: Int, _ result: Result<NetworkResponse, SwiftyError>) {
        world.expect(!runs[index].isEnded, "every load ends exactly once", "load \(index)")
        runs[index].isEnded = true
        runs[index].task = nil
        let ending = TokenEnding(result)
        world.note(TokenEvent.loadEnds, index, ending.rawValue, "load \(index) ends: \(ending) \(result.summary)")
        world.note(state: ending)
        if ending == .noToken {
            world.expect(
                oauth?.hasValidToken != true || logins.lastTokenTime >= world.now,
                "a load fails for want of a token only if there is none",
                "load \(index): \(result.summary)"
            )
        }
        if case .failure(let error) = result, error.underlying as? OAuth2.TokenError == .loggedOut {
            world.expect(
                logins.lastLogOut.map { $0 >= runs[index].begin ?? 0 } ?? false,
                "a load fails for a logout only if there was one meanwhile",
                "load \(index)"
            )
        }
        guard plan.isHarmless, plan.loads[index].isUndisturbed else { return }
        world.expect(
            ending == .succeeded,
            "a load of a server that does nothing wrong succeeds, whatever others do",
            "load \(index): \(result.summary)"
        )
    }

    // MARK: The end of a history

    /// Checks what is left, after everything has ended.
    func checkEnd() {
        for (index, run) in runs.enumerated() where run.begin != nil {
            world.expect(run.isEnded, "every load ends exactly once", "load \(index) has not ended")
        }
        if let swifty {
            world.expect(swifty.statistics.inFlight == 0, "the statistics count no load in flight at the end")
            world.expect(swifty.admissionStatistics.inFlight == 0, "every admission is given back")
        }
        world.expect(weakServer?.openCount == 0, "every transfer ends")
        world.expect(logins.isIdle, "every load ends exactly once", "\(logins.openExchanges) logins have not ended")
        checkStorage()
        weak let client = oauth
        (swifty, oauth, storage, runs) = (nil, nil, nil, [])
        world.run()
        world.expect(weakServer == nil, "the transport is released in the end")
        world.expect(client == nil, "nothing keeps a constraint")
    }

    private func checkStorage() {
        guard let storage else { return }
        world.expect(!storage.isBusy, "tokens are stored one after the other", "\(storage)")
        let isRight =
            switch logins.stored {
            case .unknown: true
            case .access(let token): storage.token?.accessToken == token
            case .noRefreshToken: storage.token?.refreshToken == nil
            case .nothing: storage.token == nil
            }
        world.expect(
            isRight,
            "the tokens in use are stored",
            "\(storage.token?.accessToken ?? "none"), and not \(logins.stored)"
        )
    }
}

extension NetworkRequest {
    fileprivate var isOfLogin: Bool {
        String(decoding: content.data ?? Data(), as: UTF8.self).contains("authorization_code")
    }
}

extension TokenEnding {
    fileprivate init(_ result: Result<NetworkResponse, SwiftyError>) {
        switch result {
        case .success: self = .succeeded
        case .failure(let error):
            switch error.code {
            case .cancelled: self = .cancelled
            case .shutdown: self = .shutDown
            case .constraintFailed, .interceptorFailed: self = .noToken
            case .timedOut: self = error.timeLimit == .constraint ? .noToken : .timedOut
            case .unacceptableStatus: self = error.statusCode == 401 ? .unauthorized : .unavailable
            default: self = .failed
            }
        }
    }
}

extension Result<NetworkResponse, SwiftyError> {
    fileprivate var summary: String {
        switch self {
        case .success(let response): "\(response.statusCode ?? 0)"
        case .failure(let error): "\(error.code), \(error.sent)\(error.underlying.map { ", \($0)" } ?? "")"
        }
    }
}
