// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The addresses and ports at both ends of a connection, by which the system tells it from every other open one.
///
/// Sockets of the file system have none of them, and IPv6 addresses of a link lack their interface here: several connections
/// of these kinds can have an equal value.
struct ConnectionAddress: Hashable {
    var local: NetworkAddress?
    var localPort = 0
    var remote: NetworkAddress?
    var remotePort = 0
}

extension ConnectionAddress {
    /// Asks the system; nil while the socket is not connected.
    init?(of socket: Int32) {
        var ends = ccurl_connection()
        guard ccurl_get_connection(socket, &ends) else { return nil }
        local = withUnsafeBytes(of: &ends.local) { NetworkAddress($0, count: ends.address_length) }
        remote = withUnsafeBytes(of: &ends.remote) { NetworkAddress($0, count: ends.address_length) }
        localPort = Int(ends.local_port)
        remotePort = Int(ends.remote_port)
    }

    /// Takes what libcurl says of a connection to its `CURLOPT_PREREQFUNCTION`: no local port if the socket is one of the file
    /// system, with the URL's port as the remote one.
    init(local: UnsafePointer<CChar>, localPort: Int32, remote: UnsafePointer<CChar>, remotePort: Int32) {
        guard localPort > 0 else { return }
        self.local = NetworkAddress(local)
        self.localPort = Int(localPort)
        self.remote = NetworkAddress(remote)
        self.remotePort = Int(remotePort)
    }
}

extension NetworkAddress {
    fileprivate init?(_ bytes: UnsafeRawBufferPointer, count: Int32) {
        self.init(UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self).prefix(Int(count))))
    }
}
