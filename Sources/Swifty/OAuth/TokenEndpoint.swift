// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// The authorization server's token endpoint (RFC 6749 §3.2): makes the requests to it and reads its responses.
struct TokenEndpoint: Sendable {
    let url: String
    let clientID: String
    let clientSecret: String?
    let authentication: OAuth2.ClientAuthentication
    let scope: String?
    let parameters: [String: String]
    let timeout: Duration
    let networkInterface: @Sendable () -> any NetworkInterface

    /// Requests an access token.
    ///
    /// - Parameters:
    ///   - refreshToken: The refresh token to exchange; `nil` for the client credentials grant.
    ///   - now: The clock, read before the request is sent, so that the token's lifetime is not overestimated.
    /// - Throws: ``OAuth2/TokenError``, or the ``SwiftyError`` of the load.
    func requestToken(refreshToken: String?, now: @Sendable () -> Date) async throws -> OAuth2.Token {
        let start = now()
        let response = try await resource(refreshToken: refreshToken).load()
        let status = response.statusCode ?? 0
        guard (200..<300).contains(status) else { throw failure(of: response, status, redactor(refreshToken)) }
        guard let issued = try? response.decode(TokenResponse.self) else {
            throw OAuth2.TokenError.unexpectedResponse(statusCode: status, reason: "which is not a token response")
        }
        guard issued.tokenType?.lowercased() ?? "bearer" == "bearer" else {
            // A client must not use a token whose type it does not know (RFC 6749 §7.1).
            throw OAuth2.TokenError.unexpectedResponse(
                statusCode: status,
                reason: "with a token that is not a bearer token"
            )
        }
        return issued.token(asOf: start)
    }

    private func resource(refreshToken: String?) -> NetworkResource {
        var fields = parameters
        fields["grant_type"] = refreshToken == nil ? "client_credentials" : "refresh_token"
        fields["refresh_token"] = refreshToken
        fields["scope"] = scope
        let resource = BaseResource(url, networkInterface: networkInterface()).post()
            .accept("application/json").name("OAuth2 token").canHaveConstraints(false)
            .timeout(timeout).validate(status: .any).redirects(.none)
        switch authentication {
        case .basic:
            // Identifier and secret are form-encoded before they become Basic credentials (RFC 6749 §2.3.1).
            resource.basic(PercentEncoding.encode(clientID), PercentEncoding.encode(clientSecret ?? ""))
        case .body:
            fields["client_id"] = clientID
            fields["client_secret"] = clientSecret
        }
        return resource.fields(fields)
    }

    /// Hides what the request has told the server, and a server may repeat in its error: the client's secret, the
    /// refresh token and the credential of another grant, in any spelling.
    private func redactor(_ refreshToken: String?) -> Redactor {
        var values = Set([clientSecret, refreshToken].compactMap(\.self))
        for (name, value) in parameters where SecretNames.standard.contains(name) { values.insert(value) }
        let basic = "\(PercentEncoding.encode(clientID)):\(PercentEncoding.encode(clientSecret ?? ""))"
        if clientSecret != nil { values.insert(Data(basic.utf8).base64EncodedString()) }
        // Shorter ones would be found in any word.
        return Redactor(values: values.filter { $0.utf8.count > 2 })
    }

    private func failure(
        of response: NetworkResponse,
        _ status: Int,
        _ redactor: Redactor
    ) -> OAuth2.TokenError {
        guard let content = try? response.decode(ErrorResponse.self) else {
            return .unexpectedResponse(statusCode: status, reason: "without an OAuth error")
        }
        return .refused(
            // Before they are cut, or a part of a secret would stay.
            code: String(redactor.text(content.error).prefix(100)),
            message: content.message.map { String(redactor.text($0).prefix(300)) }
        )
    }
}

/// A successful response (RFC 6749 §5.1).
private struct TokenResponse: Decodable {
    let accessToken: String
    let tokenType: String?
    let lifetime: TimeInterval?
    let refreshToken: String?
    let scope: String?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case lifetime = "expires_in"
        case refreshToken = "refresh_token"
        case scope
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try container.decode(String.self, forKey: .accessToken)
        tokenType = try container.decodeIfPresent(String.self, forKey: .tokenType)
        // Some servers write the number as a string.
        let number = try? container.decodeIfPresent(TimeInterval.self, forKey: .lifetime)
        let text = try? container.decodeIfPresent(String.self, forKey: .lifetime)
        lifetime = number ?? text.flatMap { TimeInterval($0) }
        refreshToken = try container.decodeIfPresent(String.self, forKey: .refreshToken)
        scope = try container.decodeIfPresent(String.self, forKey: .scope)
    }

    /// The tokens, without an expiry if the lifetime is not a positive finite number.
    func token(asOf start: Date) -> OAuth2.Token {
        let lifetime = lifetime.flatMap { $0 > 0 && $0.isFinite ? min($0, 10 * 365 * 86_400) : nil }
        return OAuth2.Token(
            accessToken: accessToken,
            refreshToken: refreshToken,
            expiresAt: lifetime.map { start + $0 },
            scope: scope
        )
    }
}

/// An error response (RFC 6749 §5.2).
private struct ErrorResponse: Decodable {
    let error: String
    let message: String?

    private enum CodingKeys: String, CodingKey {
        case error
        case message = "error_description"
    }
}
