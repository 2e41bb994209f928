// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What a token request exchanges for tokens.
enum TokenGrant: Sendable {
    /// The client's own credentials (RFC 6749 §4.4).
    case clientCredentials
    /// A refresh token (RFC 6749 §6).
    case refreshToken(String)
    /// A code from the authorization endpoint, with the proof key of its request (RFC 6749 §4.1.3, RFC 7636 §4.5).
    case authorizationCode(String, verifier: String, redirectURI: String)
    /// The code of a device (RFC 8628 §3.4).
    case deviceCode(String)

    /// The fields of the token request, without those of the client.
    var fields: [String: String] {
        switch self {
        case .clientCredentials:
            ["grant_type": "client_credentials"]
        case .refreshToken(let token):
            ["grant_type": "refresh_token", "refresh_token": token]
        case .authorizationCode(let code, let verifier, let redirectURI):
            [
                "grant_type": "authorization_code", "code": code, "code_verifier": verifier,
                "redirect_uri": redirectURI,
            ]
        case .deviceCode(let code):
            ["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": code]
        }
    }

    /// The secret values, which are hidden in errors and logs.
    var secrets: [String] {
        switch self {
        case .clientCredentials: []
        case .refreshToken(let token): [token]
        case .authorizationCode(let code, let verifier, _): [code, verifier]
        case .deviceCode(let code): [code]
        }
    }

    /// Whether the request names the scope. That of a code was named when the code was requested.
    var namesScope: Bool {
        switch self {
        case .clientCredentials, .refreshToken: true
        case .authorizationCode, .deviceCode: false
        }
    }
}
