// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// A request for an authorization code (RFC 6749 §4.1.1), and the check of its response.
struct AuthorizationRequest: Sendable {
    let redirectURI: RedirectURI
    /// The expected `iss` of the response (RFC 9207 §2.4); `nil` if it is not checked.
    let issuer: String?
    var key = ProofKey()
    /// A random value that the response repeats: 256 bits.
    var state = RandomToken.hexadecimal(words: 4)

    /// The URL of the authorization endpoint with the request.
    func url(at endpoint: TargetURI, clientID: String, scope: String?, parameters: [String: String]) -> String {
        var items = parameters
        items["response_type"] = "code"
        items["client_id"] = clientID
        items["redirect_uri"] = redirectURI.text
        if let scope { items["scope"] = scope }
        items["state"] = state
        items["code_challenge"] = key.challenge
        items["code_challenge_method"] = "S256"
        let query = FormContent.text(items.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
        return endpoint.adding(query: query).string
    }

    /// The parameters of the response in a callback URL, if it is the response to this request.
    ///
    /// - Throws: ``OAuth2/LoginError`` if the callback leads elsewhere, or has another state.
    func response(in callback: String) throws(OAuth2.LoginError) -> QueryParameters {
        guard let parameters = redirectURI.parameters(in: callback) else { throw .wrongRedirectURI }
        guard parameters.values(of: "state") == [state] else { throw .wrongState }
        return parameters
    }

    /// The code of a response.
    ///
    /// - Parameter redactor: Hides what a server may repeat in its error.
    /// - Throws: ``OAuth2/LoginError`` or ``OAuth2/TokenError`` in place of a code.
    func code(of response: QueryParameters, _ redactor: Redactor) throws -> String {
        for name in ["iss", "error", "error_description", "code"] where response.values(of: name).count > 1 {
            throw OAuth2.LoginError.malformedResponse(reason: "it has several parameters \(name)")
        }
        if let issuer, response["iss"] != issuer { throw OAuth2.LoginError.wrongIssuer }
        if let error = response["error"] {
            throw ServerRefusal(code: error, message: response["error_description"], redactor).loginError
        }
        guard let code = response["code"], !code.isEmpty else {
            throw OAuth2.LoginError.malformedResponse(reason: "it has no code")
        }
        // RFC 6749 §A.11
        guard code.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw OAuth2.LoginError.malformedResponse(reason: "its code is not made of printable ASCII characters")
        }
        return code
    }
}
