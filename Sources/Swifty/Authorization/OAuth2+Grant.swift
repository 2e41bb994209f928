// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension OAuth2 {
    /// How access tokens are obtained.
    public enum Grant: Sendable {
        /// With the client's own credentials (RFC 6749 §4.4).
        case clientCredentials
        /// With a refresh token that came from a log-in (RFC 6749 §6): the one given here, until
        /// ``OAuth2/logIn(with:)``, the ``OAuth2/TokenStorage`` or the server's rotation replaces it.
        case refreshToken(String? = nil)
    }

    /// How the client says who it is at the token endpoint (RFC 6749 §2.3.1).
    public enum ClientAuthentication: Sendable, Hashable {
        /// In an `Authorization: Basic` header field. Every server supports it.
        case basic
        /// With `client_id` and `client_secret` in the body.
        case body
    }
}

extension OAuth2.Grant: CustomStringConvertible, CustomReflectable {
    /// The value of `grant_type`.
    public var description: String {
        switch self {
        case .clientCredentials: "client_credentials"
        case .refreshToken: "refresh_token"
        }
    }

    /// Nothing beyond the description, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
