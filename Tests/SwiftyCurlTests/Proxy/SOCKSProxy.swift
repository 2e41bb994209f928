// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport

/// A SOCKS 5 proxy in Python, `Tests/Peers/socks5.py`, until this object is released.
// Safety: everything is constant; the process is used only in the initializer and the deinitializer.
final class SOCKSProxy: @unchecked Sendable {
    let address: HostAndPort
    private let logFile: URL
    private let process: ChildProcess

    /// Starts the proxy on a thread of its own, because tests share few threads.
    static func start(user: String? = nil, password: String? = nil) async throws -> SOCKSProxy {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try SOCKSProxy([user, password].compactMap { $0 }) })
            }
        }
    }

    private init(_ login: [String]) throws {
        logFile = FileManager.default.temporaryDirectory.appending(path: "swifty-socks-\(UUID().uuidString)")
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Peers/socks5.py").path
        process = try ChildProcess(
            ExternalProgram.find("python3"),
            [script, logFile.path + "-port", logFile.path] + login
        )
        address = HostAndPort(host: "127.0.0.1", port: try Self.port(in: logFile.path + "-port"))
    }

    private static func port(in file: String) throws -> Int {
        defer { try? FileManager.default.removeItem(atPath: file) }
        for _ in 0..<1000 {
            let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            if text.hasSuffix("\n"), let port = Int(text.dropLast()) { return port }
            usleep(20_000)
        }
        throw ExternalProgram.Unavailable(description: "the SOCKS proxy did not start")
    }

    deinit {
        process.terminate()
        try? FileManager.default.removeItem(at: logFile)
    }

    /// The requests: type of the address, address, port, user.
    var log: [String] {
        let text = (try? String(contentsOf: logFile, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}
