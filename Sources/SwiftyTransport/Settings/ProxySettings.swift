// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension TransportSettings {
    /// Which proxy requests go through.
    ///
    /// A request that goes to a proxy fails if the proxy does: none is ever sent around it instead.
    public enum ProxySelection: Sendable, Hashable {
        /// None. The environment's variables are not looked at.
        case none
        /// One proxy for all requests but those to the excluded hosts.
        case proxy(Proxy, exceptions: ProxyExceptions = [])
        /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say when the transport is made.
        ///
        /// The names may be in upper case, too, and lower case counts more; only `HTTP_PROXY` is never looked at, because a
        /// web server sets it to what a client sends as its `TransportSettings.Proxy` header field (CVE-2016-5385). A value that is no proxy's
        /// URL fails the requests that it is for, with SwiftyError/Code/invalidProxy.
        case fromEnvironment
    }
}
