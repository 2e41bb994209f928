// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// The state that outlives a request: the cookies of `--cookies`, and the credential for challenges of servers.
struct Session: Sendable {
    private let cookies: CookieJar?
    private let credentials = CredentialStore()
    /// The credential for challenges; `nil` without one. Those of other kinds are fields of each request.
    private let digest: CredentialStore.Credential?
    /// Whether challenges are answered with the login of each request's own URL.
    private let usesURLLogins: Bool

    /// - Parameters:
    ///   - plan: The request whose server may get the credential; others can be admitted later.
    ///   - named: The named session, whose cookies are used unless the options name a cookie file.
    init(
        _ options: IdentityOptions,
        for plan: RequestPlan? = nil,
        named: NamedSession? = nil
    ) throws(UsageError) {
        let isReadOnly = options.cookies == nil && named?.isReadOnly == true
        let path = options.cookies ?? named?.cookies
        cookies = try path.map { path throws(UsageError) in try Self.jar(path, isReadOnly: isReadOnly) }
        // Without a plan, each request has its own URL, and may have its own login.
        usesURLLogins = plan == nil && options.auth == nil && options.authType == .digest
        let credential = plan == nil && options.auth == nil ? nil : try options.credential(plan?.login)
        if case .digest(let user, let password)? = credential {
            digest = .digest(user: user, password: password)
        } else {
            digest = nil
        }
        if let plan { admit(plan) }
    }

    private static func jar(_ path: String, isReadOnly: Bool) throws(UsageError) -> CookieJar {
        let path = AbsolutePath.of(path)
        do {
            return isReadOnly ? try CookieJar(copying: path) : try CookieJar(file: path)
        } catch {
            throw UsageError("The cookies cannot be used: \(error).")
        }
    }

    /// Allows the credential to be sent to the origin of a request. An origin that was not admitted never gets it.
    func admit(_ plan: RequestPlan) {
        // An invalid URL fails at load, with a better message.
        if let digest, let origin = plan.target?.origin { try? credentials.set(digest, for: origin) }
    }

    /// Whether cookies are kept in a file, or a copy of one.
    var hasCookies: Bool { cookies != nil }

    func apply(to configuration: inout Swifty.Configuration) {
        if let cookies { configuration.cookies = cookies }
        if digest != nil { configuration.credentials = credentials }
        if usesURLLogins { configuration.use(URLLogin.Handler()) }
    }

    /// Writes the cookies to their file. Those of a read-only session are a copy without a file.
    func end() throws(OutputError) {
        do {
            try cookies?.save()
        } catch {
            throw OutputError(path: error.path, reason: error.reason)
        }
    }
}
