// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers

/// A server of another project in a process of its own, until this object is released.
package final class PeerServer: Sendable {
    /// The ports that it listens on.
    package let ports: [Int]
    /// The folder of its files.
    package let folder: TemporaryFolder
    private let process: ChildProcess

    package var port: Int { ports[0] }
    /// Its URL in cleartext.
    package var url: String { "http://127.0.0.1:\(port)" }
    /// Its URL over TLS, with the name of its certificate.
    package var secureURL: String { "https://localhost:\(port)" }

    /// Starts a program, and waits until it accepts connections at 127.0.0.1.
    ///
    /// - Parameters:
    ///   - program: The path of the program.
    ///   - folder: The folder of its files, and of its output in the file `stderr`; a new one if `nil`.
    ///   - ports: The number of ports that it listens on.
    ///   - readyFile: A file that the program writes in the folder as soon as it listens at all of its addresses.
    ///   - arguments: The program's arguments; called again if another program has taken a port.
    /// - Throws: ``ExternalProgram/Unavailable`` with the program's output.
    package static func start(
        _ program: String,
        in folder: TemporaryFolder? = nil,
        ports: Int = 1,
        readyFile: String? = nil,
        arguments: @escaping @Sendable (_ ports: [Int], _ folder: TemporaryFolder) throws -> [String]
    ) async throws -> PeerServer {
        let folder = try folder ?? TemporaryFolder()
        for _ in 0..<3 {
            let ports = try (0..<ports).map { _ in try ServerPort.free() }
            let server = try PeerServer(program, arguments(ports, folder), ports, folder)
            try await until { server.isReady(readyFile) || !server.process.isRunning }
            if server.process.isRunning { return server }
        }
        let output = folder.lines("stderr").joined(separator: "\n")
        throw ExternalProgram.Unavailable(description: "\(program) did not start: \(output)")
    }

    private init(_ program: String, _ arguments: [String], _ ports: [Int], _ folder: TemporaryFolder) throws {
        (self.ports, self.folder) = (ports, folder)
        let output = try folder.file("stderr").path
        process = try ChildProcess(program, arguments, output: output, errors: output)
    }

    deinit {
        process.terminate()
    }

    private func isReady(_ file: String?) -> Bool {
        if let file, !FileManager.default.fileExists(atPath: folder.path(file)) { return false }
        return ports.allSatisfy(Self.accepts)
    }

    /// Sends a signal to the program.
    package func signal(_ signal: Int32) {
        kill(process.id, signal)
    }

    /// PyPI's httpbin.
    package static func httpbin() async throws -> PeerServer {
        try await start(ExternalProgram.python) { ports, _ in
            ["-m", "gunicorn", "httpbin:app", "-b", "127.0.0.1:\(ports[0])", "--log-level", "error"]
        }
    }

    /// Whether a server on a port of this machine accepts connections.
    package static func accepts(port: Int) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
