// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A script of `Tests/Peers`, run with the Python of `Scripts/install-dependencies --tests` until this object is
/// released.
// Safety: everything is constant; the process is used only in the initializer and the deinitializer.
final class PythonPeer: @unchecked Sendable {
    /// The reason why the script could not be started.
    struct Unavailable: Error {
        let reason: String
    }

    /// A folder of its own, which is removed at the end.
    let folder: URL
    private let process: ChildProcess

    /// Starts a script and waits until it has made a file, whose path is its first argument.
    init(_ script: String, makes file: String, files: [String: Data] = [:]) async throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
        folder = FileManager.default.temporaryDirectory.appending(path: "swifty-peer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, content) in files { try content.write(to: folder.appending(path: name)) }
        let names = [file] + files.keys.sorted()
        let arguments = names.map { [folder] in folder.appending(path: $0).path }
        let path = root.appending(path: "Tests/Peers/\(script)").path
        process = try ChildProcess(root.appending(path: ".venv/bin/python"), [path] + arguments)
        let isReady = try await eventually { [folder] in
            FileManager.default.fileExists(atPath: folder.appending(path: file).path)
        }
        guard isReady else {
            throw Unavailable(reason: "\(script) did not start: run Scripts/install-dependencies --tests")
        }
    }

    deinit {
        process.terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    func text(of file: String) throws -> String {
        try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }
}
