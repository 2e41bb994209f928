// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Ports for servers that must be told theirs before they listen.
package enum ServerPort {
    /// A port of 127.0.0.1 on which nothing listens.
    ///
    /// It lies below those that the system gives to sockets that ask for any: none of these takes it before the server does.
    ///
    /// - Throws: the failed system call if no port was free in a hundred trials.
    package static func free() throws -> Int {
        for _ in 0..<99 {
            if let port = try? probe() { return port }
        }
        return try probe()
    }

    private static func probe() throws -> Int {
        let port = UInt16.random(in: 15_000..<32_000)
        try StreamSocket.listening(port: port).close()
        return Int(port)
    }
}
