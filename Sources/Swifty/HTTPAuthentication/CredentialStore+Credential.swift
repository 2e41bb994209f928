// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension CredentialStore {
    /// What a client proves with who it is: a user and a password, or a token.
    ///
    /// A credential answers challenges of its own scheme only: a password that was given for Digest is never sent as Basic,
    /// whatever a server asks for. Its secrets show in no description, mirror or dump.
    public struct Credential: Sendable, Hashable {
        /// The scheme with what it needs.
        enum Kind: Sendable, Hashable {
            case basic(user: String, password: String)
            case bearer(token: String)
            case digest(user: String, password: String)
        }

        let kind: Kind

        /// Whether the credential may go over `http`, where everyone on the way can read it, even on loopback.
        ///
        /// Of no meaning for Digest, which does not send the password.
        public let allowsCleartext: Bool

        /// A user and a password for Basic authentication (RFC 7617), sent in UTF-8.
        ///
        /// - Parameters:
        ///   - user: the user; one with a colon or a control character fails the load with
        ///     ``SwiftyError/Code/invalidCredential``.
        ///   - password: the password; may hold no control characters either.
        ///   - allowsCleartext: whether they may be sent over `http`; a load that would have to fails with
        ///     ``SwiftyError/Code/insecureCredential``, and nothing is sent.
        public static func basic(
            user: String,
            password: String,
            allowsCleartext: Bool = false
        ) -> Credential {
            Credential(kind: .basic(user: user, password: password), allowsCleartext: allowsCleartext)
        }

        /// A bearer token (RFC 6750).
        ///
        /// - Parameters:
        ///   - token: visible ASCII characters; with others the load fails with ``SwiftyError/Code/invalidCredential``.
        ///   - allowsCleartext: whether it may be sent over `http`; a load that would have to fails with
        ///     ``SwiftyError/Code/insecureCredential``, and nothing is sent.
        public static func bearer(_ token: String, allowsCleartext: Bool = false) -> Credential {
            Credential(kind: .bearer(token: token), allowsCleartext: allowsCleartext)
        }

        /// A user and a password for Digest authentication (RFC 7616), which proves that the password is known and does not
        /// send it.
        ///
        /// - Parameters:
        ///   - user: the user, any text without control characters.
        ///   - password: the password.
        public static func digest(user: String, password: String) -> Credential {
            Credential(kind: .digest(user: user, password: password), allowsCleartext: true)
        }

        /// The scheme as servers name it, in lower case.
        var scheme: String {
            switch kind {
            case .basic: "basic"
            case .bearer: "bearer"
            case .digest: "digest"
            }
        }
    }
}

extension CredentialStore.Credential: CustomStringConvertible, CustomReflectable {
    /// The scheme, and nothing secret.
    public var description: String { "Credential(\(scheme), \(Redaction.placeholder))" }

    /// Nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
