// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension OAuth2 {
    /// Begins a login by a user with a browser: the authorization code grant (RFC 6749 §4.1), with a proof key (PKCE,
    /// RFC 7636) and a random state.
    ///
    ///     let login = try oauth.beginLogin(
    ///         authorizationURL: "https://auth.example.com/authorize", redirectURI: "http://127.0.0.1:8400/login")
    ///     print("Open \(login.url)")
    ///     try await login.finish(with: callbackURL)
    ///
    /// Sends nothing. Several logins may be open at the same time. The ``OAuth2`` must be made with
    /// `grant: .refreshToken()`, by which the tokens are renewed.
    ///
    /// - Parameters:
    ///   - authorizationURL: The authorization endpoint (RFC 6749 §3.1), with any query.
    ///   - redirectURI: The absolute URI to which the server leads the browser, as it is registered for the client. Of
    ///     a program on the user's machine it is a loopback address with a port, or has a scheme of the program's
    ///     (RFC 8252 §7).
    ///   - scope: The requested scope, separated by spaces; `nil` for that of the ``OAuth2``.
    ///   - issuer: The issuer of the server, if the server sends `iss` (RFC 9207): a response without it, or with
    ///     another one, is refused. `nil` if it is not checked.
    ///   - parameters: Additional parameters of the authorization request, such as `prompt`.
    /// - Throws: ``SwiftyError`` with ``SwiftyError/Code/invalidBaseURL`` or ``SwiftyError/Code/invalidURL`` for a URL
    ///   that cannot be used, and with ``SwiftyError/Code/loginFailed`` for another grant.
    public func beginLogin(
        authorizationURL: String,
        redirectURI: String,
        scope: String? = nil,
        issuer: String? = nil,
        parameters: [String: String] = [:]
    ) throws(SwiftyError) -> Login {
        try session.requireUserGrant()
        let endpoint = try Self.target(authorizationURL)
        let request = AuthorizationRequest(redirectURI: try RedirectURI(redirectURI), issuer: issuer)
        let url = request.url(
            at: endpoint,
            clientID: session.endpoint.clientID,
            scope: scope ?? session.endpoint.scope,
            parameters: parameters
        )
        let place = endpoint.replacing(path: endpoint.path, query: nil).string
        return Login(url: url, description: "OAuth2.Login(\(place))", session: session, request: request)
    }

    private static func target(_ url: String) throws(SwiftyError) -> TargetURI {
        do throws(TargetURI.ValidationError) {
            return try TargetURI(url)
        } catch {
            let reason = "the authorization URL cannot be used: \(error.reason)"
            throw SwiftyError(.invalidBaseURL, stage: .building, reason: reason)
        }
    }

    /// A login by a user with a browser, begun by
    /// ``OAuth2/beginLogin(authorizationURL:redirectURI:scope:issuer:parameters:)``.
    ///
    /// It is finished once. May be used from any thread.
    public final class Login: Sendable {
        /// The page where the user logs in, for a browser. It contains the state of the login, which is a secret until
        /// the login is finished.
        public let url: String

        /// The authorization endpoint, without secrets.
        public let description: String

        private let session: OAuth2Session
        private let request: AuthorizationRequest
        private let isFinished = Mutex(false)

        init(url: String, description: String, session: OAuth2Session, request: AuthorizationRequest) {
            (self.url, self.description, self.session, self.request) = (url, description, session, request)
        }

        /// Checks the response of the authorization server, exchanges its code for tokens, and replaces all tokens by
        /// them; returns when they are stored.
        ///
        /// A callback to another URI, or with another state, changes nothing: the login can be finished by the right
        /// one. So can one whose code was not sent, because there was no connection (``SwiftyError/sent`` is
        /// ``SwiftyError/SentState/notSent``). After any other error, begin another login.
        ///
        /// - Parameter callbackURL: The URL to which the browser was led, with its query. A server that sees only the
        ///   path and the query adds them to the origin of the redirect URI.
        /// - Throws: ``SwiftyError`` with ``SwiftyError/Code/loginFailed`` and a ``LoginError`` or ``TokenError`` as
        ///   the underlying error, ``TokenError/loggedOut`` after ``OAuth2/logOut()`` in the meantime; or the error of
        ///   the token request.
        public func finish(with callbackURL: String) async throws(SwiftyError) {
            do {
                let response = try request.response(in: callbackURL)
                try use()
                try await exchange(try request.code(of: response, redactor))
            } catch {
                throw SwiftyError(ofLogin: error)
            }
        }

        private func use() throws(LoginError) {
            let wasFinished = isFinished.withLock { isFinished in
                defer { isFinished = true }
                return isFinished
            }
            if wasFinished { throw .alreadyFinished }
        }

        private func exchange(_ code: String) async throws {
            let (verifier, redirectURI) = (request.key.verifier, request.redirectURI.text)
            do {
                try await session.logIn(
                    exchanging: .authorizationCode(code, verifier: verifier, redirectURI: redirectURI),
                    since: session.logOutCount
                )
            } catch let error as SwiftyError where error.sent == .notSent {
                isFinished.withLock { $0 = false }
                throw error
            }
        }

        /// Hides what the request contains, and a server may repeat in its error.
        private var redactor: Redactor { session.endpoint.redactor([request.state, request.key.verifier]) }
    }
}

extension OAuth2.Login: CustomStringConvertible, CustomReflectable {
    /// The description as the only child, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
