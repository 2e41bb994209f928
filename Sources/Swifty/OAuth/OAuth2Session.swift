// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The tokens of one ``OAuth2``, shared by its constraint and its interceptor.
final class OAuth2Session: CredentialSource {
    let origins: AllowedOrigins
    let endpoint: TokenEndpoint
    private let storage: (any OAuth2.TokenStorage)?
    let now: @Sendable () -> Date
    private let state: Mutex<OAuth2State>
    private let isRestored = Mutex(false)
    private let exchange = SharedExchange()
    /// The latest write to the storage. Each write waits for the one before.
    private let lastSave = Mutex<Task<Void, Never>?>(nil)

    init(
        endpoint: TokenEndpoint,
        origins: AllowedOrigins,
        state: OAuth2State,
        storage: (any OAuth2.TokenStorage)?,
        now: @escaping @Sendable () -> Date
    ) {
        self.endpoint = endpoint
        self.origins = origins
        self.state = Mutex(state)
        self.storage = storage
        self.now = now
    }

    var hasValidCredential: Bool { state.withLock { $0.isValid(at: now()) } }

    func renewCredential() async throws {
        while true {
            let generation = state.withLock { $0.generation }
            let (ending, isJoined) = try await exchange.run(generation: generation) {
                try await self.renew(in: generation)
            }
            let (isCurrent, isLoggedOut) = state.withLock { ($0.generation == generation, $0.isLoggedOut) }
            if isCurrent, case .finished(let result) = ending {
                try result.get()
                // A run lasts until its token is stored. A server may have refused that token before.
                if isJoined, state.withLock({ $0.hasNoToken }) { continue }
                return
            }
            // There was a login or a logout in the meantime. The token of a login counts, and not this result.
            if hasValidCredential { return }
            if isLoggedOut { throw OAuth2.TokenError.loggedOut }
        }
    }

    /// The access token for a request. If it expires soon, its replacement begins, for which the request does not wait.
    func useAccessToken() -> String? {
        let (token, isDue, generation) = state.withLock { ($0.accessToken, $0.isDue(at: now()), $0.generation) }
        if isDue { exchange.begin(generation: generation) { try await self.renew(in: generation) } }
        return token
    }

    func credential(in target: TargetURI?, _ headers: HTTPFields) -> String? {
        guard let field = headers[.authorization], field.hasPrefix(Self.prefix) else { return nil }
        return String(field.dropFirst(Self.prefix.count))
    }

    private static let prefix = "Bearer "

    func invalidate(_ accessToken: String) -> Bool {
        state.withLock { $0.reject(accessToken, at: now()) }.allowsRetry
    }

    func logIn(with token: OAuth2.Token) async {
        await change { $0.logIn(with: token, at: now()) }
    }

    /// Exchanges the code of a login for tokens, and replaces all tokens by them.
    ///
    /// - Parameter logOuts: The number of logouts when the login began.
    /// - Throws: ``OAuth2/TokenError``, or the ``SwiftyError`` of the load.
    func logIn(exchanging grant: TokenGrant, since logOuts: Int) async throws {
        let token = try await endpoint.requestToken(grant, now: now)
        guard await change({ $0.logIn(with: token, since: logOuts, at: now()) }) else {
            throw OAuth2.TokenError.loggedOut
        }
    }

    /// The number of logouts so far.
    var logOutCount: Int { state.withLock { $0.logOutCount } }

    /// - Throws: ``SwiftyError`` if the tokens of a user would be renewed by the client's credentials.
    func requireUserGrant() throws(SwiftyError) {
        if state.withLock({ $0.usesRefreshToken }) { return }
        let error = OAuth2.LoginError.noUserGrant
        throw SwiftyError(.loginFailed, stage: .building, reason: error.description, underlying: error)
    }

    func logOut() async {
        await change { $0.logOut() }
    }

    /// Logs in or out, ends the wait of loads for a token request of an earlier login, and stores the tokens.
    @discardableResult
    private func change<Outcome>(_ body: (inout OAuth2State) -> Outcome) async -> Outcome {
        let (outcome, isChanged, generation) = state.withLock { state in
            let earlier = state.generation
            let outcome = body(&state)
            return (outcome, state.generation != earlier, state.generation)
        }
        if isChanged {
            exchange.supersede(before: generation)
            await save()
        }
        return outcome
    }

    /// Replaces the tokens of one login. After a login or a logout in the meantime there is nothing to replace.
    private func renew(in generation: Int) async throws {
        // A stored token that is only due is used immediately; the request that carries it has it replaced.
        if await restore(), hasValidCredential { return }
        guard let request = try state.withLock({ try $0.tokenRequest(in: generation, at: now()) }) else { return }
        do {
            try await send(request)
        } catch {
            state.withLock { $0.fail(request, at: now()) }
            throw error
        }
    }

    private func send(_ request: OAuth2State.TokenRequest) async throws {
        do {
            let token = try await endpoint.requestToken(request.grant, now: now)
            let isKept = state.withLock { $0.obtain(token, for: request, at: now()) }
            if isKept { await save() }
        } catch OAuth2.TokenError.refused(let code, let message) where code == TokenEndpoint.invalidGrant {
            let isDropped = state.withLock { $0.dropRefreshToken(of: request, at: now()) }
            if isDropped { await save() }
            throw OAuth2.TokenError.refused(code: code, message: message)
        }
    }

    /// Restores the tokens of the storage, at the first call.
    ///
    /// - Returns: Whether there were any.
    private func restore() async -> Bool {
        let isFirst = isRestored.withLock { isRestored in
            defer { isRestored = true }
            return !isRestored
        }
        guard isFirst, let stored = await storage?.load() else { return false }
        state.withLock { $0.restore(stored, at: now()) }
        return true
    }

    /// Saves the tokens as they are when the write starts, so that the last write stores the latest ones.
    private func save() async {
        guard let storage else { return }
        let save = lastSave.withLock { lastSave in
            let previous = lastSave
            let save = Task {
                await previous?.value
                await storage.save(state.withLock { $0.token })
            }
            lastSave = save
            return save
        }
        await save.value
    }
}

extension OAuth2Session: CustomStringConvertible, CustomReflectable {
    var description: String { "OAuth2(\(endpoint.url))" }

    var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// Adds the access token to the requests that may carry it.
struct OAuth2Interceptor: CredentialInterceptor {
    let session: OAuth2Session
    var names: [any Swifty.Hook] = []

    func intercept(resource: NetworkResource) throws -> NetworkResource {
        let draft = resource.draft
        guard isMeant(for: draft), session.origins.include(draft), !draft.headers.contains(.authorization) else {
            return resource
        }
        // A request that needs a token is not sent without one, for example after a logout while it waited.
        guard let token = session.useAccessToken() else {
            throw SwiftyError(
                .interceptorFailed,
                stage: .requestInterceptor,
                reason: "there is no access token: it was removed while the request waited",
                underlying: OAuth2.TokenError.notLoggedIn
            )
        }
        return resource.bearer(token)
    }
}
