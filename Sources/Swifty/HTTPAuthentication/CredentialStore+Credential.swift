// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension CredentialStore {
    /// A user name and a password, or a token, for one authentication scheme.
    ///
    /// A credential answers challenges of its scheme only: a password for Digest is never sent as Basic, whatever the
    /// server asks for. Descriptions, mirrors and dumps do not show its secrets.
    public struct Credential: Sendable, Hashable {
        /// The scheme, with its secrets.
        enum Kind: Sendable, Hashable {
            case basic(user: String, password: String)
            case bearer(token: String)
            case digest(user: String, password: String)
        }

        let kind: Kind

        /// Whether the credential may be sent over `http`, where it can be read in transit. Applies to loopback too.
        ///
        /// Always `true` for Digest, which does not send the password.
        public let allowsCleartext: Bool

        /// Makes a credential for Basic authentication (RFC 7617), sent in UTF-8.
        ///
        /// - Parameters:
        ///   - user: The user name. With a colon or a control character the load fails with
        ///     ``SwiftyError/Code/invalidCredential``.
        ///   - password: The password, without control characters.
        ///   - allowsCleartext: Whether the credential may be sent over `http`. If `false`, a load that needs to send
        ///     it over `http` fails with ``SwiftyError/Code/insecureCredential`` and does not send it.
        public static func basic(
            user: String,
            password: String,
            allowsCleartext: Bool = false
        ) -> Credential {
            Credential(kind: .basic(user: user, password: password), allowsCleartext: allowsCleartext)
        }

        /// Makes a credential from a bearer token (RFC 6750).
        ///
        /// - Parameters:
        ///   - token: The token, in visible ASCII characters; with others the load fails with
        ///     ``SwiftyError/Code/invalidCredential``.
        ///   - allowsCleartext: Whether the credential may be sent over `http`. If `false`, a load that needs to send
        ///     it over `http` fails with ``SwiftyError/Code/insecureCredential`` and does not send it.
        public static func bearer(_ token: String, allowsCleartext: Bool = false) -> Credential {
            Credential(kind: .bearer(token: token), allowsCleartext: allowsCleartext)
        }

        /// Makes a credential for Digest authentication (RFC 7616), which proves knowledge of the password without
        /// sending it.
        ///
        /// - Parameters:
        ///   - user: The user name, without control characters.
        ///   - password: The password, without control characters.
        public static func digest(user: String, password: String) -> Credential {
            Credential(kind: .digest(user: user, password: password), allowsCleartext: true)
        }

        /// The name of the scheme, in lower case.
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
    /// The scheme, without secrets.
    public var description: String { "Credential(\(scheme), \(Redaction.placeholder))" }

    /// The description as the only child.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
