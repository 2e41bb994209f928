// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date

extension OAuth2 {
    /// The tokens that an authorization server has issued (RFC 6749 §5.1).
    ///
    /// `Codable`, so that a ``OAuth2/TokenStorage`` can keep it; encoded, it holds the secrets. Its description does not.
    public struct Token: Sendable, Hashable, Codable {
        /// What is sent to the API, as in `Authorization: Bearer …`.
        public let accessToken: String
        /// What gets a new access token; `nil` if none was issued.
        public let refreshToken: String?
        /// When the access token ends to be valid; `nil` if the server did not say.
        public let expiresAt: Date?
        /// The scope that was granted; `nil` if it is the one that was asked for.
        public let scope: String?

        /// Makes a token of its parts, as they came from another grant (an authorization code, a device code).
        public init(accessToken: String, refreshToken: String? = nil, expiresAt: Date? = nil, scope: String? = nil) {
            self.accessToken = accessToken
            self.refreshToken = refreshToken
            self.expiresAt = expiresAt
            self.scope = scope
        }
    }
}

extension OAuth2.Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// When it expires, and no secret.
    public var description: String {
        "OAuth2Token(\(expiresAt.map { "expires \($0)" } ?? "no expiry")\(refreshToken == nil ? "" : ", refreshable"))"
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// Nothing beyond the description, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension OAuth2 {
    /// Where the tokens of an ``OAuth2`` outlive the process: a file, a database, a keychain.
    ///
    /// `load` is called once, before the first token is asked for. `save` is called after every change, one call at a time, with
    /// what is to be kept from now on; loads that wait for the token wait for it too, so that a rotated refresh token is safe
    /// before it is needed. A storage that fails reports that in its own way: without stored tokens new ones are asked for.
    public protocol TokenStorage: Sendable {
        /// Returns what was saved last; `nil` if that is nothing.
        func load() async -> Token?

        /// Keeps the tokens in place of those before; `nil` removes them.
        func save(_ token: Token?) async
    }
}

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
