// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Ports of the loopback address.
enum FreePort {
    struct NoListener: Error {
        let port: Int
    }

    /// A port without a listener.
    static func find() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withSocketAddress(&address) { pointer in
            guard bind(descriptor, pointer, length) == 0, getsockname(descriptor, pointer, &length) == 0 else {
                throw POSIXError(.EADDRINUSE)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Waits until a server listens on the port.
    static func waitForListener(_ port: Int) throws {
        for _ in 0..<500 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = loopback(port: port)
            let isOpen = withSocketAddress(&address) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
            if isOpen { return }
            usleep(10_000)
        }
        throw NoListener(port: port)
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withSocketAddress<Result>(
        _ address: inout sockaddr_in,
        _ use: (UnsafeMutablePointer<sockaddr>) throws -> Result
    ) rethrows -> Result {
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, use)
        }
    }
}
