// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// The route of a request, and its version of HTTP.
struct RouteOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Go through a proxy: [http|https|socks5|socks5h]://[USER:PASS@]HOST[:PORT].",
            valueName: "URL"
        )
    )
    var proxy: String?

    @Flag(help: "Go through the proxy that http_proxy, https_proxy, all_proxy and no_proxy name.")
    var proxyEnv = false

    @Option(help: ArgumentHelp("Use this address for a host. May be repeated.", valueName: "HOST:PORT:ADDR"))
    var resolve: [AddressOverride] = []

    @Option(help: ArgumentHelp("Send to a socket in the file system.", valueName: "PATH"), completion: .file())
    var unixSocket: String?

    @Option(help: ArgumentHelp("Connect from this interface or local address.", valueName: "NAME"))
    var interface: String?

    @Flag(name: [.customShort("4"), .customLong("ipv4")], help: "Use only IPv4.")
    var ipv4 = false

    @Flag(name: [.customShort("6"), .customLong("ipv6")], help: "Use only IPv6.")
    var ipv6 = false

    @Option(help: ArgumentHelp("Use only this version of HTTP.", valueName: "1.1|2"))
    var http: SpokenVersion?

    @Flag(help: "Refuse addresses that are not public, for any name.")
    var denyPrivate = false

    func validate() throws {
        if ipv4, ipv6 { throw ValidationError("Use only one of -4 and -6.") }
        if proxy != nil, proxyEnv { throw ValidationError("Use only one of --proxy and --proxy-env.") }
        if denyPrivate, proxy != nil || proxyEnv {
            throw ValidationError("--deny-private cannot be used with a proxy, which looks up names itself.")
        }
        guard let proxy else { return }
        do throws(TransportSettings.Proxy.ValidationError) {
            _ = try TransportSettings.Proxy(proxy)
        } catch {
            // Without the value, which may hold a password.
            throw ValidationError("The URL of --proxy cannot be used: \(error.reason).")
        }
    }
}

enum SpokenVersion: String, ExpressibleByArgument, CaseIterable {
    case http1_1 = "1.1"
    case http2 = "2"
}

extension RouteOptions {
    var namedProxy: TransportSettings.Proxy? { proxy.flatMap { try? TransportSettings.Proxy($0) } }

    func apply(to settings: inout TransportSettings) {
        if let namedProxy { settings.proxy = .proxy(namedProxy) }
        if proxyEnv { settings.proxy = .fromEnvironment }
        settings.addresses.overrides = resolve.reduce(into: [:]) { $0[$1.host, default: []] += $1.addresses }
        settings.addresses.unixSocketPath = unixSocket
        settings.addresses.localInterface = interface
        if ipv4 { settings.addresses.family = .ipv4 }
        if ipv6 { settings.addresses.family = .ipv6 }
        settings.addresses.deniesPrivateNetworks = denyPrivate
        switch http {
        case .http1_1: settings.connections.version = .http1_1
        case .http2: settings.connections.version = .http2
        case nil: break
        }
    }
}

/// `HOST:PORT:ADDR[,ADDR…]`, as in curl.
struct AddressOverride: ExpressibleByArgument, Equatable {
    let host: HostAndPort
    let addresses: [String]

    init?(argument: String) {
        // The host may be an IPv6 address in brackets; the addresses may also contain colons.
        let hostEnd = argument.first == "[" ? argument.firstIndex(of: "]") : nil
        guard let first = argument[(hostEnd ?? argument.startIndex)...].firstIndex(of: ":"),
            let second = argument[argument.index(after: first)...].firstIndex(of: ":"),
            let port = Int(argument[first..<second].dropFirst()), (1...65_535).contains(port)
        else { return nil }
        let name = argument[..<first]
        host = HostAndPort(host: String(name), port: port)
        addresses = argument[second...].dropFirst().split(separator: ",").map(Self.withoutBrackets)
        if name.isEmpty || addresses.isEmpty { return nil }
    }

    private static func withoutBrackets(_ address: Substring) -> String {
        address.hasPrefix("[") && address.hasSuffix("]") ? String(address.dropFirst().dropLast()) : String(address)
    }
}
