// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension OAuth2 {
    /// The reason for which a login by a user failed: the underlying error of ``SwiftyError/Code/loginFailed``.
    ///
    /// What the authorization server says of a request of the program, such as an unknown client or a code that has
    /// expired, is a ``TokenError``.
    public enum LoginError: Error, Sendable, Hashable {
        /// The user, or the server for the user, has denied the request (`access_denied`). Secrets in the message,
        /// which some servers repeat, are replaced.
        case denied(message: String?)
        /// The user has not entered the code in time.
        case expired
        /// The callback does not lead to the redirect URI of the login. The login can still be finished.
        case wrongRedirectURI
        /// The callback has no `state`, several, or not that of the login: it may be forged, and its code another
        /// user's. The login can still be finished.
        case wrongState
        /// The response is from another authorization server than expected (RFC 9207 §2.4): its `iss` is missing or
        /// different. Its code was not sent.
        case wrongIssuer
        /// The callback has the right state, and neither a code nor an error, or a parameter several times.
        case malformedResponse(reason: String)
        /// The login was finished before. A code is exchanged once only.
        case alreadyFinished
        /// The ``OAuth2`` is made for client credentials, by which it would renew the tokens of the user. Make it with
        /// `grant: .refreshToken()`.
        case noUserGrant
    }
}

extension OAuth2.LoginError: CustomStringConvertible {
    /// The reason in one line, without secrets.
    public var description: String {
        switch self {
        case .denied(let message): "the login was denied" + (message.map { ": \(Redaction.line($0))" } ?? "")
        case .expired: "the time for the login has expired; begin another one"
        case .wrongRedirectURI: "the callback does not lead to the redirect URI of the login"
        case .wrongState: "the callback does not have the state of the login"
        case .wrongIssuer: "the callback is not from the expected authorization server"
        case .malformedResponse(let reason): "the callback cannot be used: \(Redaction.line(reason))"
        case .alreadyFinished: "the login was finished before; begin another one"
        case .noUserGrant: "the OAuth2 of a user is made with the grant .refreshToken()"
        }
    }
}

/// An error of an authorization server, without the secrets that it may repeat.
struct ServerRefusal {
    let code: String
    let message: String?

    init(code: String, message: String?, _ redactor: Redactor) {
        // Before they are cut, or a part of a secret would stay.
        self.code = String(redactor.text(code).prefix(100))
        self.message = message.map { String(redactor.text($0).prefix(300)) }
    }

    var tokenError: OAuth2.TokenError { .refused(code: code, message: message) }

    /// The error of a login, in which the user may have refused.
    var loginError: any Error { code == "access_denied" ? OAuth2.LoginError.denied(message: message) : tokenError }
}

extension SwiftyError {
    /// The error of a login that failed with any error.
    init(ofLogin error: any Error) {
        if let known = SwiftyError(thrown: error, stage: .validation) {
            self = known
            return
        }
        let isOwn = error is OAuth2.LoginError || error is OAuth2.TokenError
        self.init(
            .loginFailed,
            stage: .validation,
            sent: .responded,
            reason: isOwn ? String(describing: error) : "",
            underlying: error
        )
    }
}
