// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import SwiftyTransport

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSessionTransport {
    /// Makes a transport whose sessions have a configuration of Foundation.
    ///
    ///     let configuration = URLSessionConfiguration.default
    ///     configuration.httpMaximumConnectionsPerHost = 4
    ///     let swifty = Swifty(transport: URLSessionTransport(configuration: configuration))
    ///
    /// The configuration is copied; later changes have no effect. What the contract of a transport demands is replaced:
    ///
    /// - `timeoutIntervalForRequest` and `timeoutIntervalForResource`: the limits of a request are `Timeouts`.
    /// - `httpCookieStorage`, `httpCookieAcceptPolicy`, `httpShouldSetCookies`, `urlCredentialStorage`, `urlCache` and
    ///   `requestCachePolicy`: nothing is stored, and no challenge is answered. The pipeline does both.
    /// - `connectionProxyDictionary`, if it is `nil`: that means no proxy, instead of the system's.
    /// - `tlsMinimumSupportedProtocolVersion`, if it is below TLS 1.2.
    ///
    /// Everything else is kept, as `protocolClasses`, `httpMaximumConnectionsPerHost`, `networkServiceType`,
    /// `allowsCellularAccess` and `waitsForConnectivity`, as far as Foundation acts on it. `httpAdditionalHeaders` are
    /// added to requests that have no field of the name. The transport adds them, so no hook sees them, and every
    /// server gets them.
    ///
    /// What cannot be used fails each load before anything is sent: with
    /// ``/SwiftyTransport/SwiftyError/Code/invalidSettings`` the configuration of a background session, fewer than one
    /// connection, and on Linux a `connectionProxyDictionary` with entries, which FoundationNetworking would ignore;
    /// with ``/SwiftyTransport/SwiftyError/Code/invalidHeader`` a field that is invalid, frames a message, or has
    /// credentials or cookies.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - settings: The settings of a transport. `URLSession` supports only some, see the class.
    public convenience init(
        configuration: URLSessionConfiguration,
        settings: TransportSettings = TransportSettings()
    ) {
        self.init(SessionTemplate(configuration), settings)
    }
}
