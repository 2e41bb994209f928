// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// Credentials, cookies and redirects.
struct IdentityOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Log in.", valueName: "USER:PASS|TOKEN"))
    var auth: String?

    @Option(
        name: [.customShort("A"), .customLong("auth-type")],
        help: ArgumentHelp(
            "The way to log in (basic if there is a colon, else bearer).",
            valueName: "basic|bearer|digest"
        )
    )
    var authType: AuthenticationScheme?

    @Option(help: ArgumentHelp("Keep cookies in this file (cookies.txt).", valueName: "FILE"), completion: .file())
    var cookies: String?

    @Flag(inversion: .prefixedNo, help: "Whether redirects are followed (not by default).")
    var follow: Bool?

    @Option(help: ArgumentHelp("With --follow: the maximum number of redirects (20 unless given).", valueName: "N"))
    var maxRedirects: Int?

    @Option(
        help: ArgumentHelp("Write the server's certificates to this folder (DER).", valueName: "DIR"),
        completion: .directory
    )
    var dumpCerts: String?

    func validate() throws {
        if let maxRedirects, !(1...1000).contains(maxRedirects) {
            throw ValidationError("--max-redirects takes a number from 1 to 1000.")
        }
        if maxRedirects != nil, follow != true { throw ValidationError("--max-redirects needs --follow.") }
    }
}

enum AuthenticationScheme: String, ExpressibleByArgument, CaseIterable {
    case basic
    case bearer
    case digest
}

extension IdentityOptions {
    /// Adds the credential that is sent without a challenge; Digest waits for one.
    ///
    /// - Parameter login: The `user:password` of the URL, which `--auth` replaces.
    func apply(to resource: NetworkResource, _ login: String?) throws(UsageError) {
        switch try credential(login) {
        case .basic(let user, let password): resource.basic(user, password)
        case .bearer(let token): resource.bearer(token)
        case .digest, nil: break
        }
    }

    /// - Parameter rule: The rule without an option.
    func redirects(default rule: RedirectRule) -> RedirectPolicy {
        let rule = follow.map { $0 ? .follow : .none } ?? rule
        return rule.policy(maximumCount: maxRedirects)
    }

    /// The user name and password, or the token, of `--auth` or the URL.
    func credential(_ login: String? = nil) throws(UsageError) -> PlannedCredential? {
        guard let auth = auth ?? login else {
            if authType == nil { return nil }
            throw UsageError("--auth-type needs --auth.")
        }
        let parts = auth.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let scheme = authType ?? (parts.count == 2 ? .basic : .bearer)
        if scheme == .bearer { return .bearer(auth) }
        guard parts.count == 2 else {
            throw UsageError("--auth has no password.", hint: "Write USER:PASS, or USER: for an empty one.")
        }
        return scheme == .basic ? .basic(parts[0], parts[1]) : .digest(parts[0], parts[1])
    }
}

enum PlannedCredential: Equatable {
    case basic(String, String)
    case bearer(String)
    case digest(String, String)
}

/// The redirects that are followed; the raw values are those of `redirectPolicy` in TNL's configuration.
enum RedirectRule: String {
    case none = "0"
    case follow = "1"
    /// A redirect to another host is the final response.
    case sameHost = "2"

    func policy(maximumCount: Int?) -> RedirectPolicy {
        let count = maximumCount ?? RedirectPolicy.follow.maximumCount
        switch self {
        case .none: return .none
        case .follow: return RedirectPolicy(maximumCount: count)
        case .sameHost:
            return RedirectPolicy(maximumCount: count) { redirect in
                redirect.next.target.host == redirect.request.target.host ? .follow : .refuse
            }
        }
    }
}
