// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("The count of open sockets", .timeLimit(.minutes(15)))
struct OpenSocketsTests {
    /// A listener, whose queue takes the connections.
    private final class Listener {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        private(set) var address = sockaddr_in()

        init() throws {
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let isListening = withAddress { bind(descriptor, $0, $1) } == 0 && listen(descriptor, 128) == 0
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let hasName = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
            }
            guard isListening, hasName else { throw POSIXError(.EADDRNOTAVAIL) }
        }

        deinit { close(descriptor) }

        var port: Int { Int(UInt16(bigEndian: address.sin_port)) }

        func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    @Test("never exceeds the sockets that were open at the same moment, while descriptors are used again")
    func reuse() async throws {
        let isDone = Gate()
        let (counted, other) = (try Listener(), try Listener())
        let addresses = (counted.address, other.address)
        async let churn: Int = onOwnThread {
            var rounds = 0
            while !isDone.isOpen {
                Self.connectAndClose(addresses.0, other: addresses.1)
                rounds += 1
            }
            return rounds
        }
        let port = counted.port
        let accepting = [counted.descriptor, other.descriptor]
        async let accepts: Void = onOwnThread { Self.acceptAll(accepting, until: isDone) }
        let counts = try await onOwnThread { (0..<300).map { _ in OpenSockets.countConnected(toPort: port) } }
        isDone.open()
        #expect(try await churn > 0)
        try await accepts
        #expect(counts.max() ?? 2 <= 1)
    }

    /// One socket to the counted port at a time: the first one's descriptor becomes that of a socket to the other port,
    /// and then there is a second one, whose descriptor is looked at much later.
    private static func connectAndClose(_ counted: sockaddr_in, other: sockaddr_in) {
        close(connected(to: counted))
        let replacement = connected(to: other)
        let second = connected(to: counted)
        let late = fcntl(second, F_DUPFD, 4000)
        close(second)
        usleep(100)
        close(late)
        close(replacement)
    }

    private static func connected(to address: sockaddr_in) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        usleep(20)
        return descriptor
    }

    private static func acceptAll(_ listeners: [Int32], until isDone: Gate) {
        while !isDone.isOpen {
            var polled = listeners.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), 10) > 0 else { continue }
            for listener in polled where listener.revents != 0 {
                close(accept(listener.fd, nil, nil))
            }
        }
    }
}
