// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The peers that requests connect to in place of the servers of their URLs; see ``Swifty/Configuration/reroutes``.
struct Reroutes: Sendable {
    /// The peers by the origin of the requests.
    private var peers: [String: HostAndPort] = [:]
    /// The reason for which every request fails; `nil` if all reroutes are valid.
    private var error: String?

    init(_ destinations: [TargetURI: TargetURI]) {
        for (target, destination) in destinations.sorted(by: { $0.key.string < $1.key.string }) {
            let peer = HostAndPort(of: destination)
            if target.scheme != destination.scheme {
                error =
                    "the requests to \(target.origin) cannot be rerouted to \(destination.origin): they still speak "
                    + "\(target.scheme), so write \(target.scheme) there, with the port that does"
            } else if peers.updateValue(peer, forKey: target.origin) ?? peer != peer {
                error = "the requests to \(target.origin) are rerouted to two destinations"
            }
        }
    }

    /// The peer of a request to the target; `nil` for the target's own server.
    ///
    /// - Throws: ``SwiftyError`` with ``SwiftyError/Code/invalidSettings``, for any target, if a reroute would change
    ///   the scheme, or if one origin has two reroutes.
    func peer(for target: TargetURI) throws(SwiftyError) -> HostAndPort? {
        if let error { throw SwiftyError(.invalidSettings, stage: .building, reason: error) }
        return peers[target.origin]
    }
}
