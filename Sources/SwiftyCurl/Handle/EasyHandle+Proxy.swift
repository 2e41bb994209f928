// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// `CURLAUTH_BASIC`, a macro that Swift cannot read.
private let curlAuthBasic = 1

extension EasyHandle {
    /// What is the same for every request, whether it goes through a proxy or not.
    func setUp(_ proxy: TransportSettings.ProxySelection, _ options: inout OptionWriter) {
        // The empty string switches off the environment's proxies, too.
        options.set(CURLOPT_PROXY, "")
        // Or libcurl would read `no_proxy` of the environment for each request, and go around a proxy that was set.
        options.set(CURLOPT_NOPROXY, "")
        guard let routes = loop.configuration.proxyRoutes else { return }
        // CONNECT has no other; a request has its own.
        if let userAgent = loop.configuration.userAgent { options.set(CURLOPT_USERAGENT, userAgent) }
        // The heads of CONNECT's answers are not the origin's.
        options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // The request's fields are for the origin, and not for CONNECT.
        options.set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        options.set(CURLOPT_PROXYAUTH, curlAuthBasic)
        options.set(CURLOPT_SOCKS5_AUTH, curlAuthBasic)
        guard routes.needTLS else { return }
        // A proxy is trusted like a server, by what the settings for TLS say, and always verified.
        options.set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
        options.set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
    }

    /// Which proxy the transfer goes through. libcurl uses a connection again only for the same proxy, and for SOCKS only
    /// for the same user.
    func apply(_ proxy: TransportSettings.Proxy?, to options: inout OptionWriter) {
        // What most requests have is found out without a copy of either.
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

    /// What is known of the transfer's way through its proxy; nil if it has none.
    func proxyHop(of transfer: Transfer) -> ProxyHop? {
        guard let proxy = transfer.proxy else { return nil }
        let isTunnel = transfer.target.scheme == .https || transfer.route != nil
        return ProxyHop(
            proxy: proxy,
            isTunnel: isTunnel && proxy.kind.isHTTP,
            connectStatus: proxyStatusCode ?? 0,
            isLoginRefused: ProxyHop.loginRefusals.contains(ccurl_get_long(curl, CURLINFO_PROXY_ERROR))
        )
    }

    /// libcurl reads the content of a proxy's refusal byte by byte, for as long as there is more, and does nothing else meanwhile.
    /// It tells of each byte as of a step; setting up a connection otherwise takes a few dozen.
    static let setUpStepLimit = 100_000

    /// With which status the proxy answered CONNECT; nil if nothing was asked.
    var proxyStatusCode: Int? {
        let status = ccurl_get_long(curl, CURLINFO_HTTP_CONNECTCODE)
        return status == 0 ? nil : Int(clamping: status)
    }
}

extension ProxyRoutes {
    /// What the settings mean in this process, now.
    init?(_ settings: TransportSettings) {
        self.init(settings.proxy) {
            Self.variables.reduce(into: [:]) { environment, name in
                environment[name] = ccurl_environment(name).map { String(cString: $0) }
            }
        }
    }

    /// The proxy for a request; nil if there is none.
    ///
    /// - Throws: `invalidProxy` if there is one that cannot be used.
    func proxy(for request: NetworkRequest) throws(SwiftyError) -> TransportSettings.Proxy? {
        do throws(TransportSettings.Proxy.ValidationError) {
            let peer = request.connectsTo ?? HostAndPort(of: request.target)
            return try proxy(for: request.target.scheme, to: peer)
        } catch {
            throw SwiftyError(.invalidProxy, stage: .building, reason: "the proxy cannot be used: \(error.reason)")
        }
    }
}
