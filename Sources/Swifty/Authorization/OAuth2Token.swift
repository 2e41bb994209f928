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
