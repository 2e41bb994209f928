// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension AuthenticationChallenge {
    /// Says how the challenges of servers (RFC 9110 §11.3) are answered: asks a person, looks into a vault, refuses.
    ///
    ///     struct Prompt: AuthenticationChallenge.Handler {
    ///         func respond(to challenge: AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition {
    ///             guard challenge.scheme == "digest", challenge.previousFailureCount < 3 else { return .cancel() }
    ///             return .use(.digest(user: "me", password: try await ask("Password for \(challenge.origin)")))
    ///         }
    ///     }
    ///
    /// Asked for each challenge of a 401 that Swifty could answer, the strongest first, before the ``CredentialStore`` is. Not asked
    /// when a server only wants a new nonce (`stale`), nor about proxies. Of a response the first 16 challenges are looked at, and an
    /// attempt of a load asks 20 times at most: then the 401 is its answer. Loads ask at the same time, from any thread. Its task is
    /// cancelled with the load.
    public protocol Handler: Sendable {
        /// Returns what to do about a challenge.
        ///
        /// - Throws: what the load fails with; an error that is no ``SwiftyError`` becomes the underlying one of
        ///   ``SwiftyError/Code/authenticationFailed``.
        func respond(to challenge: AuthenticationChallenge) async throws -> Disposition
    }
}

extension AuthenticationChallenge {
    /// What to do about a challenge.
    public enum Disposition: Sendable, Hashable {
        /// Answer it with this credential. One of another scheme than the challenge's answers nothing.
        case use(CredentialStore.Credential)
        /// Fail the load with ``SwiftyError/Code/authenticationCancelled`` and this reason.
        case cancel(reason: String = "")
        /// As without a handler: the credential of the ``CredentialStore``, if it has one.
        case `default`
    }
}

/// A server's question who the client is.
public struct AuthenticationChallenge: Sendable, Hashable {
    /// Who asks: scheme, host and port, as in `https://example.com`.
    public let origin: String
    /// The authentication scheme, in lower case: `basic`, `bearer` or `digest`.
    public let scheme: String
    /// The part of the server that the credential is for; `nil` if the server does not say.
    public let realm: String?
    /// All parameters of the challenge, with names in lower case.
    public let parameters: [String: String]
    /// How many answers to this origin the load has had refused.
    public let previousFailureCount: Int
    /// The request that was refused, redacted.
    public let request: NetworkRequest.Summary
}
