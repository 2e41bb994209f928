// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Where requests connect instead of to the server of their URL; see ``Swifty/Configuration/reroutes``.
struct Reroutes: Sendable {
    /// By the origin of the requests.
    private var peers: [String: HostAndPort] = [:]
    /// What makes the detours unusable.
    private var flaw: String?

    init(_ detours: [TargetURI: TargetURI]) {
        for (target, place) in detours.sorted(by: { $0.key.string < $1.key.string }) {
            let peer = HostAndPort(of: place)
            if target.scheme != place.scheme {
                flaw =
                    "the requests to \(target.origin) cannot be rerouted to \(place.origin): they go on to speak "
                    + "\(target.scheme), so write \(target.scheme) there, and give the port that does"
            } else if peers.updateValue(peer, forKey: target.origin) ?? peer != peer {
                flaw = "the requests to \(target.origin) are rerouted to two places"
            }
        }
    }

    /// Where a request to the target connects; `nil` for the target's own server.
    ///
    /// - Throws: ``SwiftyError`` with ``SwiftyError/Code/invalidSettings``, for any target, if one of the detours would change
    ///   the scheme or one origin has two.
    func peer(for target: TargetURI) throws(SwiftyError) -> HostAndPort? {
        if let flaw { throw SwiftyError(.invalidSettings, stage: .building, reason: flaw) }
        return peers[target.origin]
    }
}
