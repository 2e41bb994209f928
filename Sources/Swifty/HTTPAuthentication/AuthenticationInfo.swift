// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The `Authentication-Info` field (RFC 7615 §3) as Digest uses it (RFC 7616 §3.5).
struct AuthenticationInfo: Sendable, Hashable {
    let nextNonce: String?
    /// The server's proof that it knows the password.
    let serverResponse: String?

    /// `nil` if the value is malformed.
    init?(_ value: String) {
        guard value.utf8.count <= Challenge.maximumLength else { return nil }
        var scanner = ChallengeScanner(value)
        guard scanner.skipListSeparators(), let parameters = Challenge.parameters(&scanner),
            !scanner.skipListSeparators()
        else { return nil }
        nextNonce = parameters["nextnonce"]
        serverResponse = parameters["rspauth"]
    }
}

extension AuthenticationExchange {
    /// Checks the server's proof and stores its next nonce, if the response has an `Authentication-Info` field.
    ///
    /// - Parameter isContentOpen: Whether the content is not read yet: a proof that covers it cannot be checked.
    /// - Throws: ``SwiftyError/Code/serverNotAuthenticated`` if the proof is wrong.
    func processInformation(
        of response: TransportResponse,
        to request: NetworkRequest,
        isContentOpen: Bool
    ) throws(SwiftyError) {
        guard let sent, let answer = sent.digest, response.head.mayHaveField("authentication-info"),
            let value = response.head.headers[.authenticationInfo], let information = AuthenticationInfo(value)
        else { return }
        let isProofUnknown = isContentOpen && answer.contentHash != nil
        if let proof = information.serverResponse, !isProofUnknown,
            proof != answer.serverResponse(content: Array(response.content))
        {
            throw SwiftyError(
                .serverNotAuthenticated,
                stage: .validation,
                reason: "the server's proof that it knows the password is wrong"
            )
        }
        guard let nonce = information.nextNonce else { return }
        authenticator.sessions.renew(answer, with: sent.credential, origin: request.target.origin, nonce: nonce)
    }

    /// Checks the server's proof in a response whose content was read, unless it is a challenge.
    ///
    /// - Throws: ``SwiftyError/Code/serverNotAuthenticated`` if the proof is wrong.
    // Not inlined; see Load+Run.swift.
    @inline(never)
    func checkServer(of response: TransportResponse, to request: NetworkRequest) throws(SwiftyError) {
        guard response.head.statusCode != 401 else { return }
        do throws(SwiftyError) {
            try processInformation(of: response, to: request, isContentOpen: false)
        } catch {
            throw error.completed(by: response)
        }
    }
}

extension HTTPField.Name {
    /// `Authentication-Info` (RFC 7615).
    fileprivate static let authenticationInfo = HTTPField.Name("Authentication-Info") ?? .wwwAuthenticate
}
