// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A port whose queue of connections is full: a further connection is neither accepted nor refused.
final class FullListener {
    private let listener: Int32
    private var fillers: [Int32] = []
    private let port: UInt16

    var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The port; 0 for a free one.
    init(host: String = "127.0.0.1", port wanted: Int = 0) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(host)
        address.sin_port = UInt16(clamping: wanted).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && listen(socket, 0) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        for _ in 0..<4 { fill(address, length) }
        // The queue is full when one of them is in it.
        var state = pollfd(fd: fillers[0], events: Int16(POLLOUT), revents: 0)
        guard poll(&state, 1, 10_000) == 1 else { throw POSIXError(.ETIMEDOUT) }
    }

    private func fill(_ address: sockaddr_in, _ length: socklen_t) {
        let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(filler, $0, length) }
        }
        fillers.append(filler)
    }

    deinit {
        for filler in fillers { close(filler) }
        close(listener)
    }
}
