// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftySupport
import SwiftyTransport

/// `CURLAUTH_BASIC`, a macro that Swift cannot read.
private let curlAuthBasic = 1

extension CurlConnector {
    /// Sets the proxy; without one, has libcurl connect directly.
    func setUpProxy(_ options: inout OptionWriter) {
        // Otherwise libcurl would read `no_proxy` from the environment, and bypass a configured proxy.
        options.set(CURLOPT_NOPROXY, "")
        // The empty string also disables the proxies of the environment.
        guard let proxy else { return options.set(CURLOPT_PROXY, "") }
        options.set(CURLOPT_PROXY, "\(proxy.kind.rawValue)://\(proxy.address)")
        // For CONNECT only; a request has its own field.
        if let userAgent = resources.environment.userAgent { options.set(CURLOPT_USERAGENT, userAgent) }
        options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        options.set(CURLOPT_PROXYAUTH, curlAuthBasic)
        options.set(CURLOPT_SOCKS5_AUTH, curlAuthBasic)
        guard proxy.hasLogin else { return }
        options.set(CURLOPT_PROXYUSERNAME, Self.credential(proxy.user))
        options.set(CURLOPT_PROXYPASSWORD, Self.credential(proxy.password))
    }

    private static func credential(_ text: String?) -> String {
        CurlLibrary.decodesProxyUser ? PercentEncoding.encode(text ?? "") : text ?? ""
    }
}
