// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A hook that decides where each request goes: to the server of its URL, to another one in its place, or nowhere.
///
///     struct Staging: RequestRouter {
///         func route(_ target: TargetURI) async throws -> RequestRoute {
///             guard let peer = await Registry.shared.peer(of: target.host) else { return .direct }
///             return .connect(to: peer)
///         }
///     }
///
/// Called for each request of each attempt, also for the answer to a challenge and for a redirect to any origin, after
/// ``Swifty/Configuration/reroutes``; routers are asked in the order of their registration, until one does not return
/// ``RequestRoute/direct``. The request stays the same: its `Host`, SNI and the check of the certificate are those of
/// the URL. When the load is cancelled or reaches its time limit, the router's task is cancelled.
public protocol RequestRouter: Swifty.Hook {
    /// Returns the route of a request.
    ///
    /// - Throws: The error of the load, as in ``RequestInterceptor/intercept(resource:)``. The request is not sent.
    func route(_ target: TargetURI) async throws -> RequestRoute
}

/// Where a request goes.
public enum RequestRoute: Sendable, Hashable {
    /// To the server of its URL.
    case direct
    /// To another server, in place of that of its URL.
    case connect(to: HostAndPort)
    /// Nowhere: the load fails with ``SwiftyError/Code/addressDenied`` and this reason.
    case refuse(reason: String)
}

/// A router that refuses requests to some hosts.
///
///     let swifty = Swifty { $0.use(DeniedHosts(["ads.example.com", "*.tracker.example"])) }
///
/// A host is denied by its name, in any spelling, or by its address if the URL has one. It says nothing about the
/// addresses that a name has; see ``TransportSettings/Addresses/deniesPrivateNetworks``.
public struct DeniedHosts: RequestRouter {
    private let hosts: Set<String>
    private let domains: [String]

    /// Makes a router.
    ///
    /// - Parameter hosts: Names and addresses, or `*.example.com` for all names below a name, itself excluded.
    public init(_ hosts: Set<String>) {
        let wildcards = hosts.filter { $0.hasPrefix("*.") }
        self.hosts = Set(hosts.subtracting(wildcards).map { HostAndPort(host: $0, port: 443).host })
        domains = wildcards.map { ".\(HostAndPort(host: String($0.dropFirst(2)), port: 443).host)" }
    }

    /// Refuses the request if its host is denied.
    public func route(_ target: TargetURI) -> RequestRoute {
        let isDenied = hosts.contains(target.host) || domains.contains { target.host.hasSuffix($0) }
        return isDenied ? .refuse(reason: "the host \(target.host) is denied") : .direct
    }
}
