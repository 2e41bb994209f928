// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// The one place where options meet the parts of the library that they need and that do not exist yet.
///
/// An option that cannot be kept is refused here; it is never ignored.
enum PendingOptions {
    /// Sets what `--follow`, `--max-redirects`, `--cookies` and digest credentials stand for.
    static func apply(_ options: IdentityOptions, to configuration: inout Swifty.Configuration) throws(UsageError) {
        if options.follow { throw unavailable("--follow") }
        if options.maxRedirects != nil { throw unavailable("--max-redirects") }
        if options.cookies != nil { throw unavailable("--cookies") }
        if options.dumpCerts != nil { throw unavailable("--dump-certs") }
        if case .digest = try options.credential { throw unavailable("--auth-type digest") }
    }

    /// Gives a request the credential that it is sent with.
    static func apply(_ options: IdentityOptions, to resource: NetworkResource) throws(UsageError) {
        switch try options.credential {
        case .basic(let user, let password): resource.basic(user, password)
        case .bearer(let token): resource.bearer(token)
        case .digest, nil: break
        }
    }

    /// The redirects that were followed: status and the URL that the server named.
    static func redirects(of metrics: LoadMetrics) -> [(status: Int, url: String)] { [] }

    private static func unavailable(_ option: String) -> UsageError {
        UsageError("\(option) is not available in this version.")
    }
}
