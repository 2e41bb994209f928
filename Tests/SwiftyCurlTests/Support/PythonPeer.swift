// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import TestSupport

/// A script of `Tests/Peers` in a folder of its own, until this object is released.
final class PythonPeer: Sendable {
    let folder: TemporaryFolder
    private let process: ChildProcess

    /// Starts a script and waits until it has made a file.
    ///
    /// - Parameters:
    ///   - script: The name of the script.
    ///   - file: The name of the file, whose path is the script's first argument.
    ///   - files: Other files, whose paths are the next arguments in the order of their names.
    ///   - words: The last arguments.
    init(_ script: String, makes file: String, files: [String: Data] = [:], words: [String] = []) async throws {
        folder = try TemporaryFolder()
        for (name, content) in files { try folder.file(name, content) }
        let paths = ([file] + files.keys.sorted()).map(folder.path)
        process = try ChildProcess(
            ExternalProgram.python,
            [ExternalProgram.peer(script)] + paths + words,
            errors: folder.path("stderr")
        )
        try await until { FileManager.default.fileExists(atPath: folder.path(file)) || !process.isRunning }
        guard process.isRunning else {
            let output = folder.lines("stderr").joined(separator: "\n")
            throw ExternalProgram.Unavailable(description: "\(script) did not start: \(output)")
        }
    }

    deinit {
        process.terminate()
    }

    func text(of file: String) throws -> String {
        String(decoding: try folder.data(file), as: UTF8.self)
    }
}

/// A SOCKS 5 proxy in Python.
struct SOCKSProxy {
    let address: HostAndPort
    private let peer: PythonPeer

    static func start(user: String? = nil, password: String? = nil) async throws -> SOCKSProxy {
        let words = [user, password].compactMap { $0 }
        let peer = try await PythonPeer("socks5.py", makes: "port", files: ["requests": Data()], words: words)
        guard let port = Int(try peer.text(of: "port")) else {
            throw ExternalProgram.Unavailable(description: "socks5.py names no port")
        }
        return SOCKSProxy(address: HostAndPort(host: "127.0.0.1", port: port), peer: peer)
    }

    /// The requests: type of the address, address, port, user.
    var log: [String] { peer.folder.lines("requests") }
}
