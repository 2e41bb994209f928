// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// The login in the URL of one request of a batch, for challenges of that URL's origin.
///
/// It belongs to the task of the load: a store by origin could not tell apart the logins of two lines.
struct URLLogin: Sendable {
    /// The login of the load in the current task; `nil` for none.
    @TaskLocal static var current: URLLogin?

    let origin: String
    let credential: CredentialStore.Credential

    /// Answers a challenge with the login of the load that got it.
    struct Handler: AuthenticationChallenge.Handler {
        func respond(
            to challenge: AuthenticationChallenge
        ) async throws -> AuthenticationChallenge.Disposition {
            guard let login = URLLogin.current, login.origin == challenge.origin else { return .default }
            return .use(login.credential)
        }
    }
}

extension IdentityOptions {
    /// The login of a URL, if it must wait for a challenge; `nil` without one, and with `--auth`, which replaces it.
    func digestLogin(of plan: RequestPlan) throws(UsageError) -> URLLogin? {
        guard auth == nil, authType == .digest, let origin = plan.target?.origin else { return nil }
        guard case .digest(let user, let password)? = try credential(plan.login) else { return nil }
        return URLLogin(origin: origin, credential: .digest(user: user, password: password))
    }
}
