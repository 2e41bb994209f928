// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftySupport
import SwiftyTransport

/// `CURLAUTH_BASIC`, a macro that Swift cannot read.
private let curlAuthBasic = 1

extension EasyHandle {
    /// Sets the options that are the same for every request, with a proxy or without.
    func setUp(_ proxy: TransportSettings.ProxySelection, _ options: inout OptionWriter) {
        // The empty string also disables the proxies of the environment.
        options.set(CURLOPT_PROXY, "")
        // Otherwise libcurl would read `no_proxy` from the environment for each request, and bypass a configured proxy.
        options.set(CURLOPT_NOPROXY, "")
        guard let routes = loop.environment.proxyRoutes else { return }
        // For CONNECT only; a request has a field of its own.
        if let userAgent = loop.environment.userAgent { options.set(CURLOPT_USERAGENT, userAgent) }
        // The heads of responses to CONNECT are not the origin's.
        options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // The request's fields are for the origin, and not for CONNECT.
        options.set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        options.set(CURLOPT_PROXYAUTH, curlAuthBasic)
        options.set(CURLOPT_SOCKS5_AUTH, curlAuthBasic)
        guard routes.useTLS else { return }
        // A proxy is trusted by the same TLS settings as a server, and always verified.
        options.set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
        options.set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
    }

    /// Sets the proxy of the transfer. libcurl reuses a connection only for the same proxy, and with SOCKS only for the
    /// same user.
    func apply(_ proxy: TransportSettings.Proxy?, to options: inout OptionWriter) {
        // The usual case, without a copy of either value.
        if case nil = proxy, case nil = applied.proxy { return }
        guard applied.proxy != proxy else { return }
        applied.proxy = proxy
        options.set(CURLOPT_PROXY, proxy.map { "\($0.kind.rawValue)://\($0.address)" } ?? "")
        let isAuthenticated = proxy?.user != nil || proxy?.password != nil
        options.set(CURLOPT_PROXYUSERNAME, isAuthenticated ? Self.credential(proxy?.user) : nil)
        options.set(CURLOPT_PROXYPASSWORD, isAuthenticated ? Self.credential(proxy?.password) : nil)
    }

    private static func credential(_ text: String?) -> String {
        CurlLibrary.decodesProxyUser ? PercentEncoding.encode(text ?? "") : text ?? ""
    }

    /// The state of the transfer's connection through its proxy; `nil` without a proxy.
    func proxyHop(of transfer: Transfer) -> ProxyHop? {
        guard let proxy = transfer.proxy else { return nil }
        let isTunnel = transfer.target.scheme == .https || transfer.route != nil
        return ProxyHop(
            proxy: proxy,
            isTunnel: isTunnel && proxy.kind.isHTTP,
            connectStatus: proxyStatusCode ?? 0,
            isLoginRefused: ProxyHop.loginErrors.contains(ccurl_get_long(curl, CURLINFO_PROXY_ERROR))
        )
    }

    /// The maximum number of steps to set up a connection, which normally takes a few dozen. libcurl reads the content
    /// of a failed CONNECT byte by byte, as long as there is more, blocks all other transfers meanwhile, and reports
    /// each byte as a step.
    static let setUpStepLimit = 100_000

    /// The status of the proxy's response to CONNECT; `nil` if there was no CONNECT.
    var proxyStatusCode: Int? {
        let status = ccurl_get_long(curl, CURLINFO_HTTP_CONNECTCODE)
        return status == 0 ? nil : Int(clamping: status)
    }
}
