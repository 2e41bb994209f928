// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension OAuth2 {
    /// Why there is no access token: the underlying error of the loads that needed one.
    public enum Failure: Error, Sendable, Hashable {
        /// There is no refresh token (any more): somebody has to log in, see ``OAuth2/logIn(with:)``.
        case notLoggedIn
        /// ``OAuth2/logOut()`` was called while the token was asked for.
        case loggedOut
        /// The authorization server refused, with an error code of RFC 6749 §5.2 such as `invalid_client`.
        case refused(code: String, message: String?)
        /// The authorization server answered something that is no token response.
        case unexpectedAnswer(statusCode: Int, reason: String)
    }
}

extension OAuth2.Failure: CustomStringConvertible {
    /// One line that a person can act on, without secrets.
    public var description: String {
        switch self {
        case .notLoggedIn: "there is no refresh token; log in first"
        case .loggedOut: "logged out while the access token was asked for"
        case .refused(let code, let message):
            Self.refusal(Redaction.line(code), Redaction.line(message ?? ""))
        case .unexpectedAnswer(let status, let reason):
            Redaction.line("the token endpoint answered \(status)\(reason.isEmpty ? "" : ", \(reason)")")
        }
    }

    private static func refusal(_ code: String, _ message: String) -> String {
        let refusal = code.isEmpty ? "the token endpoint refused" : "the token endpoint refused: \(code)"
        return message.isEmpty ? refusal : "\(refusal) (\(message))"
    }
}
