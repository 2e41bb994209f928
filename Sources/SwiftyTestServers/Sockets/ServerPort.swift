// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Ports for servers that must be given a port before they listen.
package enum ServerPort {
    private static let range = UInt16(15_000)..<32_000
    private static let next = Mutex(UInt16.random(in: range))

    /// A port of 127.0.0.1 on which nothing listens, and another one at each call.
    ///
    /// It is below the range from which the system chooses free ports, and the next ones of the process are others, so
    /// no other socket takes it before the server does.
    ///
    /// - Throws: The failed system call if no port was free in a hundred trials.
    package static func free() throws -> Int {
        for _ in 0..<99 {
            if let port = try? probe() { return port }
        }
        return try probe()
    }

    private static func probe() throws -> Int {
        let port = next.withLock { next in
            defer { next = next + 1 < range.upperBound ? next + 1 : range.lowerBound }
            return next
        }
        try StreamSocket.listening(port: port).close()
        return Int(port)
    }
}
