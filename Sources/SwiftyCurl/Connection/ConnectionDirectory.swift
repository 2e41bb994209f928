// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The groups and hosts that are in use: those with connections, or with transfers that wait for one.
struct ConnectionDirectory {
    private(set) var groups: [ConnectionKey: ConnectionGroup] = [:]
    private(set) var hosts: [String: HostConnections] = [:]

    /// The host of an origin; a new one, which is not yet in use, for an origin without connections.
    func host(of origin: String) -> HostConnections { hosts[origin] ?? HostConnections(origin: origin) }

    func contains(_ group: ConnectionGroup) -> Bool { groups[group.key] === group }

    /// Adds a group that is new, or that was just removed because it was empty.
    mutating func add(_ group: ConnectionGroup) {
        if contains(group) { return }
        groups[group.key] = group
        group.host = hosts[group.key.origin] ?? group.host
        hosts[group.key.origin] = group.host
        group.host.groups.append(group)
    }

    mutating func removeIfEmpty(_ group: ConnectionGroup) {
        guard group.isEmpty, contains(group) else { return }
        groups[group.key] = nil
        let host = group.host
        host.groups.removeAll { $0 === group }
        if host.groups.isEmpty { hosts[host.origin] = nil }
    }

    mutating func removeAll() {
        for host in hosts.values { host.groups.removeAll() }
        self = ConnectionDirectory()
    }
}
