// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

/// The `Authorization` field of a request (RFC 9110 §11.6.2), with the credential that it was made from.
struct Authorization: Sendable {
    let field: String
    let credential: CredentialStore.Credential
    let realm: String?
    /// Whether the field is sent before the server has challenged the request.
    var isPreemptive = false
    /// The Digest answer; `nil` if the scheme is another.
    var digest: DigestAnswer?
}

extension Authorization {
    init(_ answer: DigestAnswer, with credential: CredentialStore.Credential, isPreemptive: Bool = false) {
        self.init(
            field: answer.field,
            credential: credential,
            realm: answer.challenge.realm,
            isPreemptive: isPreemptive,
            digest: answer
        )
    }
}

extension CredentialStore.Credential {
    /// The field value of a scheme that sends the same with every request; `nil` for Digest.
    ///
    /// - Throws: ``SwiftyError`` if the credential cannot be sent, or not to this target.
    func fixedField(for target: TargetURI) throws(SwiftyError) -> String? {
        switch kind {
        case .digest: return nil
        case .basic(let user, let password):
            try check(target)
            return "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
        case .bearer(let token):
            try check(target)
            return "Bearer \(token)"
        }
    }

    /// Checks that the credential may be sent to the target.
    ///
    /// - Throws: ``SwiftyError/Code/invalidCredential`` or ``SwiftyError/Code/insecureCredential``.
    func check(_ target: TargetURI) throws(SwiftyError) {
        if let validationError {
            throw SwiftyError(.invalidCredential, stage: .queue, reason: validationError)
        }
        guard target.scheme == .https || allowsCleartext else {
            throw SwiftyError(
                .insecureCredential,
                stage: .queue,
                reason: "the \(scheme) credential was not sent: \(target.origin) is cleartext (see allowsCleartext)"
            )
        }
    }

    /// The reason why the credential can never be sent; `nil` if it can.
    private var validationError: String? {
        switch kind {
        case .basic(let user, _) where user.contains(":"):
            "a user name with a colon cannot be sent as Basic credentials"
        case .basic(let user, let password), .digest(let user, let password):
            Self.hasControl(user) || Self.hasControl(password) ? "the credential contains a control character" : nil
        case .bearer(let token):
            token.utf8.isVisibleASCII ? nil : "the token is not made of visible ASCII characters"
        }
    }

    private static func hasControl(_ text: String) -> Bool {
        text.utf8.contains(where: \.isASCIIControl)
    }
}
