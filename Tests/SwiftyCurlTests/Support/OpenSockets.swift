// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Sockets by their name in Linux, which is the same in every process: `socket:[INODE]`.
enum OpenSockets {
    /// The sockets of this process that are connected to a port.
    static func connected(toPort port: Int) throws -> Set<String> {
        let sockets = (0..<4096 as Range<Int32>).filter { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isPeer = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
            }
            return isPeer && Int(UInt16(bigEndian: address.sin_port)) == port
        }
        return Set(try sockets.map { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") })
    }

    /// The sockets that a new child process finds open.
    static func inherited() throws -> Set<String> {
        let file = FileManager.default.temporaryDirectory.appending(path: "swifty-list-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, file.path, O_WRONLY | O_CREAT, 0o600)
        let command = ["ls", "-l", "/proc/self/fd"]
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var id = pid_t()
        let failure = posix_spawn(&id, "/bin/ls", &actions, nil, &arguments, environ)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
        waitpid(id, nil, 0)
        let words = try String(contentsOf: file, encoding: .utf8).split { $0.isWhitespace }
        guard words.contains("->") else { throw POSIXError(.EIO) }
        return Set(words.filter { $0.hasPrefix("socket:") }.map(String.init))
    }
}
