// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A server's request for authentication.
public struct AuthenticationChallenge: Sendable, Hashable {
    /// The origin of the server: scheme, host and port, as in `https://example.com`.
    public let origin: String
    /// The authentication scheme, in lower case: `basic`, `bearer` or `digest`.
    public let scheme: String
    /// The protection space that the credential is for (RFC 9110 §11.5); `nil` if the server names none.
    public let realm: String?
    /// All parameters of the challenge, with names in lower case.
    public let parameters: [String: String]
    /// The number of credentials that this origin has refused in the current attempt.
    public let previousFailureCount: Int
    /// The refused request, redacted.
    public let request: NetworkRequest.Summary
}

extension AuthenticationChallenge {
    /// A hook that decides how challenges of servers (RFC 9110 §11.3) are answered: by asking the user, by reading a
    /// vault, or not at all.
    ///
    ///     struct Prompt: AuthenticationChallenge.Handler {
    ///         func respond(
    ///             to challenge: AuthenticationChallenge
    ///         ) async throws -> AuthenticationChallenge.Disposition {
    ///             guard challenge.previousFailureCount < 3 else { return .cancel() }
    ///             return .use(.digest(user: "me", password: try await ask("Password for \(challenge.origin)")))
    ///         }
    ///     }
    ///
    /// Called for each challenge of a 401 response that Swifty supports, the strongest first, before the
    /// ``CredentialStore`` is consulted. Not called when the server only wants a new nonce (`stale`), nor for proxies.
    /// Swifty reads the first 16 challenges of a response, and calls a handler at most 20 times in an attempt; after
    /// that the 401 is the response of the load. Several handlers are asked in the order of their registration, until
    /// one does not return `.default`. Called for several loads simultaneously, from any thread. Its task is cancelled
    /// with the load.
    public protocol Handler: Swifty.Hook {
        /// Decides about one challenge.
        ///
        /// - Throws: The error that the load fails with; one that is not a ``SwiftyError`` becomes the underlying error
        ///   of ``SwiftyError/Code/authenticationFailed``.
        func respond(to challenge: AuthenticationChallenge) async throws -> Disposition
    }

    /// A handler's decision about a challenge.
    public enum Disposition: Sendable, Hashable {
        /// Answers the challenge with this credential. A credential of another scheme is ignored.
        case use(CredentialStore.Credential)
        /// Fails the load with ``SwiftyError/Code/authenticationCancelled`` and this reason.
        case cancel(reason: String = "")
        /// Asks the next handler, or else uses the credential of the ``CredentialStore``, if there is one.
        case `default`
    }
}
