// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CServer
import Foundation

/// The server of `CServer` in a child process, so that its work is not counted here.
///
/// The child is this program with the argument `serve`. With this argument, the program must call ``serve()``.
package final class SmallServer {
    package static let argument = "serve"

    package let port: Int
    private let process: Process
    /// The server's input. It closes when this process ends, which ends the server.
    private let input = Pipe()

    struct NoPort: Error {}

    /// Starts the server; it listens when this returns.
    package init() throws {
        process = Process()
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [Self.argument]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw NoPort() }
        self.port = port
    }

    package var url: String { "http://127.0.0.1:\(port)" }

    deinit {
        process.terminate()
    }

    /// Serves, in the child.
    ///
    /// - Returns: The exit status: 0 when the input has ended, another number if the child cannot serve.
    package static func serve() -> Int32 {
        var port: Int32 = 0
        let listener = server_listen(&port)
        guard listener >= 0 else { return 1 }
        FileHandle.standardOutput.write(Data("\(port)\n".utf8))
        return server_run(listener)
    }
}
