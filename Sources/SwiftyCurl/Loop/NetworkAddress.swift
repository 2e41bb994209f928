// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// An IPv4 or IPv6 address.
enum NetworkAddress: Hashable {
    case ipv4(UInt32)
    case ipv6(high: UInt64, low: UInt64)

    /// Makes an address of its 4 or 16 bytes; nil for any other number.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        switch bytes.count {
        case 4: self = .ipv4(UInt32(truncatingIfNeeded: Self.number(bytes[0..<4])))
        case 16: self = .ipv6(high: Self.number(bytes[0..<8]), low: Self.number(bytes[8..<16]))
        default: return nil
        }
    }

    /// Makes an address of its usual notation: four decimal numbers, or RFC 4291 without brackets.
    init?(_ text: String) {
        // It would end the text for C.
        if text.utf8.contains(0) { return nil }
        guard let address = text.withCString({ NetworkAddress($0) }) else { return nil }
        self = address
    }

    /// Makes an address of its usual notation.
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
