// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date

extension OAuth2 {
    /// The tokens that an authorization server has issued (RFC 6749 §5.1).
    ///
    /// `Codable` for an ``OAuth2/TokenStorage``. The encoded form contains the secrets; the description does not.
    public struct Token: Sendable, Hashable, Codable {
        /// The access token, which is sent to the API in `Authorization: Bearer …`. One that is empty, or has other
        /// than visible ASCII characters, cannot be sent, and is replaced before the first load.
        public let accessToken: String
        /// The refresh token, which gets a new access token; `nil` if none was issued.
        public let refreshToken: String?
        /// The expiry of the access token; `nil` if unknown.
        public let expiresAt: Date?
        /// The granted scope; `nil` if it is the requested one.
        public let scope: String?

        /// Makes a value from tokens of a grant for which ``OAuth2`` has no function.
        public init(accessToken: String, refreshToken: String? = nil, expiresAt: Date? = nil, scope: String? = nil) {
            self.accessToken = accessToken
            self.refreshToken = refreshToken
            self.expiresAt = expiresAt
            self.scope = scope
        }
    }
}

extension OAuth2.Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The expiry, without secrets.
    public var description: String {
        "OAuth2Token(\(expiresAt.map { "expires \($0)" } ?? "no expiry")\(refreshToken == nil ? "" : ", refreshable"))"
    }

    /// The description.
    public var debugDescription: String { description }

    /// The description as the only child, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension OAuth2 {
    /// A storage that keeps the tokens of an ``OAuth2`` beyond the life of the process: a file, a database, a keychain.
    ///
    /// `load` is called once, before the first token request. `save` is called after every change, one call at a time,
    /// with the tokens to keep. Loads that wait for a token also wait for `save`, so that a rotated refresh token is
    /// stored before it is needed. A storage reports its errors in its own way; without stored tokens new ones are
    /// requested.
    public protocol TokenStorage: Sendable {
        /// Returns the tokens that were saved last; `nil` before any were saved.
        func load() async -> Token?

        /// Stores the tokens in place of earlier ones; `nil` removes them.
        func save(_ token: Token?) async
    }

    /// The reason for which there is no access token: the underlying error of the loads that need one.
    public enum TokenError: Error, Sendable, Hashable {
        /// There is no refresh token, or no longer one: the user must log in.
        case notLoggedIn
        /// ``OAuth2/logOut()`` was called during the token request.
        case loggedOut
        /// The authorization server responded with an error code, such as `invalid_client` (RFC 6749 §5.2) or
        /// `invalid_scope` (§4.1.2.1). Secrets of the request, which some servers repeat, are replaced in both.
        case refused(code: String, message: String?)
        /// The authorization server's response was neither a token response nor an OAuth error.
        case unexpectedResponse(statusCode: Int, reason: String)
    }
}

extension OAuth2.TokenError: CustomStringConvertible {
    /// The reason in one line, without secrets.
    public var description: String {
        switch self {
        case .notLoggedIn: "there is no refresh token; log in first"
        case .loggedOut: "logged out during the token request"
        case .refused(let code, let message):
            Self.refusal(Redaction.line(code), Redaction.line(message ?? ""))
        case .unexpectedResponse(let status, let reason):
            Redaction.line("the authorization server responded with \(status)\(reason.isEmpty ? "" : ", \(reason)")")
        }
    }

    private static func refusal(_ code: String, _ message: String) -> String {
        let refusal = "the authorization server refused" + (code.isEmpty ? "" : ": \(code)")
        return message.isEmpty ? refusal : "\(refusal) (\(message))"
    }
}
