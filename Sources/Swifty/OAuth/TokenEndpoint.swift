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
    ///   - grant: What is exchanged for it.
    ///   - now: The clock, read before the request is sent, so that the token's lifetime is not overestimated.
    /// - Throws: ``OAuth2/TokenError``, or the ``SwiftyError`` of the load.
    func requestToken(_ grant: TokenGrant, now: @Sendable () -> Date) async throws -> OAuth2.Token {
        let start = now()
        let response = try await success(of: resource(for: grant).load(), redactor(grant.secrets))
        let issued = try? response.decode(TokenResponse.self)
        let reason = issued.map(\.validationError) ?? "which is not a token response"
        guard let issued, reason == nil else {
            throw OAuth2.TokenError.unexpectedResponse(statusCode: response.statusCode ?? 0, reason: reason ?? "")
        }
        return issued.token(requested: start, received: now())
    }

    private func resource(for grant: TokenGrant) -> NetworkResource {
        var fields = parameters
        if grant.namesScope { fields["scope"] = scope }
        return resource(at: url, fields.merging(grant.fields) { $1 }).name("OAuth2 token")
    }

    /// A form with the client's identity.
    func resource(at url: String, _ form: [String: String]) -> NetworkResource {
        var fields = form
        let resource = BaseResource(url, networkInterface: networkInterface()).post()
            .accept("application/json").constraints(.none)
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

    /// Hides what the request contains, and a server may repeat in its error: the client's secret, those of the grant
    /// and the credential of another grant, in any spelling.
    func redactor(_ secrets: [String] = []) -> Redactor {
        var values = Set(secrets + [clientSecret].compactMap(\.self))
        for (name, value) in parameters where SecretNames.standard.contains(name) { values.insert(value) }
        let basic = "\(PercentEncoding.encode(clientID)):\(PercentEncoding.encode(clientSecret ?? ""))"
        if clientSecret != nil { values.insert(Data(basic.utf8).base64EncodedString()) }
        // Shorter ones would be found in any word.
        return Redactor(values: values.filter { $0.utf8.count > 2 })
    }

    /// The response, if its status is one of success.
    ///
    /// - Throws: ``OAuth2/TokenError`` for any other.
    func success(of response: NetworkResponse, _ redactor: Redactor) throws(OAuth2.TokenError) -> NetworkResponse {
        let status = response.statusCode ?? 0
        guard (200..<300).contains(status) else { throw failure(of: response, status, redactor) }
        return response
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
        return ServerRefusal(code: content.error, message: content.message, redactor).tokenError
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
