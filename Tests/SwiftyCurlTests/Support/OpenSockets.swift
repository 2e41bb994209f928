// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Sockets by their name in Linux, which is the same in every process: `socket:[INODE]`.
enum OpenSockets {
    /// The descriptors of this process's sockets that are connected to ports.
    static func descriptors(toPorts ports: Set<Int>) -> [Int32] {
        (0..<4096).filter { isConnected($0, toPorts: ports) }
    }

    /// The sockets of this process that are connected to a port.
    static func connected(toPort port: Int) throws -> Set<String> {
        let names = try descriptors(toPorts: [port]).map { descriptor in
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        }
        return Set(names)
    }

    /// The number of sockets of this process that are connected to a port at the same moment.
    ///
    /// Looking takes time, and meanwhile a descriptor can become that of another socket. So a socket is found by its
    /// name before and behind the look at its peer, and counts if its descriptor still has this name after all others
    /// were found.
    static func countConnected(toPort port: Int) -> Int {
        let found = (Int32(0)..<4096).compactMap { descriptor -> (descriptor: Int32, name: String)? in
            guard isConnected(descriptor, toPorts: [port]), let name = name(of: descriptor),
                isConnected(descriptor, toPorts: [port]), self.name(of: descriptor) == name
            else { return nil }
            return (descriptor, name)
        }
        return found.filter { name(of: $0.descriptor) == $0.name }.count
    }

    private static func isConnected(_ descriptor: Int32, toPorts ports: Set<Int>) -> Bool {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isPeer = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
        }
        return isPeer && ports.contains(Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func name(of descriptor: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
    }

    /// Waits until each connection to these ports has something to read, be it its end, or is closed on this side.
    static func waitUntilStale(toPorts ports: Set<Int>) async throws {
        try await until {
            descriptors(toPorts: ports).allSatisfy { descriptor in
                var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                return poll(&state, 1, 0) > 0
            }
        }
    }

    /// The sockets that a new child process finds open.
    static func inherited() throws -> Set<String> {
        let folder = try TemporaryFolder()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, folder.path("list"), O_WRONLY | O_CREAT, 0o600)
        let command = ["ls", "-l", "/proc/self/fd"]
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var id = pid_t()
        let failure = posix_spawn(&id, "/bin/ls", &actions, nil, &arguments, environ)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
        waitpid(id, nil, 0)
        let words = String(decoding: try folder.data("list"), as: UTF8.self).split { $0.isWhitespace }
        guard words.contains("->") else { throw POSIXError(.EIO) }
        return Set(words.filter { $0.hasPrefix("socket:") }.map(String.init))
    }
}
