// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting

/// The real httpbin of PyPI, until it is released.
///
/// Fails the test, and does not skip it, if it is not installed: `Scripts/install-dependencies --tests`.
///
/// Safety: everything is constant; the process is used only while this is made and released.
final class HttpbinServer: @unchecked Sendable {
    /// Why it could not be started.
    struct Unavailable: Error, CustomStringConvertible {
        let description: String
    }

    let port: Int
    var url: String { "http://127.0.0.1:\(port)" }

    private let process: SpawnedProgram

    /// Starts it, off the few threads that all tests share: it takes its time.
    static func start() async throws -> HttpbinServer {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try HttpbinServer() }) }
        }
    }

    private init() throws {
        for _ in 0..<3 {
            let port = try ServerPort.free()
            let process = try SpawnedProgram(
                Self.python.path,
                ["-m", "httpbin.core", "--host", "127.0.0.1", "--port", "\(port)"]
            )
            if Self.waits(for: process, port: port) {
                (self.port, self.process) = (port, process)
                return
            }
            process.terminate()
        }
        throw Unavailable(description: "httpbin did not start: run Scripts/install-dependencies --tests")
    }

    deinit {
        process.terminate()
    }

    private static var python: URL {
        let file = URL(filePath: #filePath)
        let package = (0..<4).reduce(file) { url, _ in url.deletingLastPathComponent() }
        return package.appending(path: ".venv/bin/python")
    }

    /// Whether it takes connections soon; it may find that somebody has taken its port.
    private static func waits(for process: SpawnedProgram, port: Int) -> Bool {
        for _ in 0..<1500 {
            if accepts(port: port) { return process.isRunning }
            guard process.isRunning else { return false }
            usleep(20_000)
        }
        return false
    }

    private static func accepts(port: Int) -> Bool {
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
