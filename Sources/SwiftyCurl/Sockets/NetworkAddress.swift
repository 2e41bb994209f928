// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// An IPv4 or IPv6 address.
enum NetworkAddress: Hashable {
    case ipv4(UInt32)
    case ipv6(high: UInt64, low: UInt64)

    /// Makes an address from its 4 or 16 bytes; `nil` for any other number.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        switch bytes.count {
        case 4: self = .ipv4(UInt32(truncatingIfNeeded: Self.number(bytes[0..<4])))
        case 16: self = .ipv6(high: Self.number(bytes[0..<8]), low: Self.number(bytes[8..<16]))
        default: return nil
        }
    }

    /// Parses an address: four decimal numbers, or RFC 4291 without brackets.
    init?(_ text: String) {
        // A zero byte would end the text for C.
        if text.utf8.contains(0) { return nil }
        guard let address = text.withCString({ NetworkAddress($0) }) else { return nil }
        self = address
    }

    /// Parses an address.
    init?(_ text: UnsafePointer<CChar>) {
        let address = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { bytes -> NetworkAddress? in
            guard let base = bytes.baseAddress else { return nil }
            return NetworkAddress(UnsafeBufferPointer(start: base, count: Int(ccurl_parse_address(text, base))))
        }
        guard let address else { return nil }
        self = address
    }

    private static func number(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The addresses and ports at both ends of a connection, which identify it among all open ones.
///
/// Sockets of the file system have none, and link-local IPv6 addresses lack their interface here: several connections
/// of these kinds can have equal values.
struct ConnectionAddress: Hashable {
    var local: NetworkAddress?
    var localPort = 0
    var remote: NetworkAddress?
    var remotePort = 0
}

extension ConnectionAddress {
    /// Asks the system; `nil` while the socket is not connected.
    init?(of socket: Int32) {
        var ends = ccurl_connection()
        guard ccurl_get_connection(socket, &ends) else { return nil }
        local = withUnsafeBytes(of: &ends.local) { NetworkAddress($0, count: ends.address_length) }
        remote = withUnsafeBytes(of: &ends.remote) { NetworkAddress($0, count: ends.address_length) }
        localPort = Int(ends.local_port)
        remotePort = Int(ends.remote_port)
    }

    /// Takes the arguments of `CURLOPT_PREREQFUNCTION`: for a socket of the file system, there is no local port, and
    /// the remote port is that of the URL.
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
