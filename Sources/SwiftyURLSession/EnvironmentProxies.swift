// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import SwiftyTransport

#if canImport(FoundationNetworking)
/// The proxies of the environment, which FoundationNetworking's libcurl uses whatever the session says.
///
/// Where libcurl might interpret `no_proxy` differently, a proxy counts as used.
struct EnvironmentProxies {
    private let environment: [String: String]

    init(_ environment: [String: String]) {
        self.environment = environment
    }

    /// Fails if the environment has a proxy for a target.
    func check(_ target: TargetURI) throws(SwiftyError) {
        guard let variable = variable(for: target.scheme), !isExcepted(target.host) else { return }
        throw SwiftyError(
            .invalidSettings,
            stage: .building,
            reason: "the environment's \(variable) has a proxy, which URLSession would use; unset it, or add "
                + "\(target.host) to no_proxy"
        )
    }

    /// The variable that libcurl uses for a scheme. `HTTP_PROXY` is not one: a client could set it (CVE-2016-5385).
    private func variable(for scheme: TargetURI.Scheme) -> String? {
        let own = scheme == .http ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]
        return first(of: own + ["all_proxy", "ALL_PROXY"])
    }

    /// Whether `no_proxy` names a host in a form that every version of libcurl knows: `*` alone, the host itself, or a
    /// domain above it.
    private func isExcepted(_ host: String) -> Bool {
        guard let variable = first(of: ["no_proxy", "NO_PROXY"]), let list = environment[variable] else { return false }
        if list == "*" { return true }
        let entries = list.lowercased().split { $0 == "," || $0 == " " }
        if host.hasPrefix("[") { return entries.contains(host.dropFirst().dropLast()) }
        // An IPv4 address has no domains above it.
        if host.split(separator: ".").last?.utf8.isDecimal == true { return entries.contains(host[...]) }
        let domains = entries.map { $0.hasPrefix(".") ? $0.dropFirst() : $0 }
        return domains.contains { host == $0 || host.hasSuffix(".\($0)") }
    }

    /// The first of several variables that is not empty.
    private func first(of names: [String]) -> String? {
        names.first { environment[$0]?.isEmpty == false }
    }
}
#endif
