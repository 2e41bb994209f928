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

    /// The error code by which a server tells that a refresh token is no longer valid.
    static let invalidGrant = "invalid_grant"

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
        let issued = try? response.decode(TokenResponse.self)
        let reason = issued.map(\.validationError) ?? "which is not a token response"
        guard let issued, reason == nil else {
            throw OAuth2.TokenError.unexpectedResponse(statusCode: status, reason: reason ?? "")
        }
        return issued.token(requested: start, received: now())
    }

    private func resource(refreshToken: String?) -> NetworkResource {
        var fields = parameters
        fields["grant_type"] = refreshToken == nil ? "client_credentials" : "refresh_token"
        fields["refresh_token"] = refreshToken
        fields["scope"] = scope
        let resource = BaseResource(url, networkInterface: networkInterface()).post()
            .accept("application/json").name("OAuth2 token").constraints(.none)
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

    /// Hides what the request contains, and a server may repeat in its error: the client's secret, the refresh token
    /// and the credential of another grant, in any spelling.
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
        // RFC 6749 §5.2 says 400, and 401 for the client; some servers send 403. With a 5xx the grant may be as good as
        // before, and must not be dropped.
        if content.error == Self.invalidGrant, ![400, 401, 403].contains(status) {
            return .unexpectedResponse(statusCode: status, reason: "with the error \(Self.invalidGrant)")
        }
        return .refused(
            // Before they are cut, or a part of a secret would stay.
            code: String(redactor.text(content.error).prefix(100)),
            message: content.message.map { String(redactor.text($0).prefix(300)) }
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
