// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// Translates the options of a load into options of curl.
enum CURLOptionWords {
    static func words(for options: RequestOptions, _ plan: RequestPlan, showsSecrets: Bool) -> [String] {
        limits(options.limits) + tls(options.tls) + route(options.route, showsSecrets)
            + response(options.response)
            + identity(options.identity, login: plan.login, showsSecrets: showsSecrets)
    }

    private static func limits(_ options: LimitOptions) -> [String] {
        var words: [String] = []
        if let timeout = options.timeout { words += ["--max-time", "\(timeout.value)"] }
        if let timeout = options.connectTimeout { words += ["--connect-timeout", "\(timeout.value)"] }
        if let timeout = options.idleTimeout {
            words += ["--speed-limit", "1", "--speed-time", "\(Int(timeout.value.rounded(.up)))"]
        }
        if let retry = options.retry { words += ["--retry", "\(retry)"] }
        if let rate = options.limitRate { words += ["--limit-rate", "\(rate.value)"] }
        if options.retryAll { words += ["--retry-all-errors"] }
        return words
    }

    private static func tls(_ options: TLSOptions) -> [String] {
        var words: [String] = []
        if let ca = options.ca { words += ["--cacert", ShellWord.quoted(ca)] }
        if let cert = options.cert { words += ["--cert", ShellWord.quoted(cert)] }
        if let key = options.certKey { words += ["--key", ShellWord.quoted(key)] }
        if options.verify == .no { words += ["--insecure"] }
        if !options.pin.isEmpty { words += ["--pinnedpubkey", ShellWord.quoted(options.pin.joined(separator: ";"))] }
        if let lowest = options.tlsMin { words += [lowest == .v1_2 ? "--tlsv1.2" : "--tlsv1.3"] }
        return words
    }

    private static func route(_ options: RouteOptions, _ showsSecrets: Bool) -> [String] {
        var words: [String] = []
        if let proxy = options.namedProxy {
            words += [
                "--proxy", ShellWord.quoted("\(proxy.kind.rawValue)://\(proxy.address)"),
            ]
            if let user = proxy.user {
                words += [
                    "--proxy-user",
                    ShellWord.quoted("\(user):\(showsSecrets ? proxy.password ?? "" : Redaction.placeholder)"),
                ]
            }
        } else if !options.proxyEnv {
            words += ["--noproxy", ShellWord.quoted("*")]
        }
        for override in options.resolve {
            words += ["--resolve", ShellWord.quoted("\(override.host):\(override.addresses.joined(separator: ","))")]
        }
        if let path = options.unixSocket { words += ["--unix-socket", ShellWord.quoted(path)] }
        if let interface = options.interface { words += ["--interface", ShellWord.quoted(interface)] }
        if options.ipv4 { words += ["-4"] }
        if options.ipv6 { words += ["-6"] }
        if let version = options.http { words += [version == .http2 ? "--http2" : "--http1.1"] }
        return words
    }

    private static func response(_ options: ResponseOptions) -> [String] {
        var words = options.noDecode ? [] : ["--compressed"]
        if let limit = options.maxBody { words += ["--max-filesize", "\(limit.value)"] }
        return words
    }

    private static func identity(
        _ options: IdentityOptions,
        login: String?,
        showsSecrets: Bool
    ) -> [String] {
        var words: [String] = []
        if case .digest(let user, let password)? = try? options.credential(login) {
            words += [
                "--digest", "--user", ShellWord.quoted("\(user):\(showsSecrets ? password : Redaction.placeholder)"),
            ]
        }
        if let file = options.cookies {
            words += ["--cookie", ShellWord.quoted(file), "--cookie-jar", ShellWord.quoted(file)]
        }
        if options.follow == true { words += ["--location"] }
        if let count = options.maxRedirects { words += ["--max-redirs", "\(count)"] }
        return words
    }
}
