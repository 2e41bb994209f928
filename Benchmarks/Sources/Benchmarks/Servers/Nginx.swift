// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Foundation

/// The server of most measurements: nginx on loopback, with and without TLS. It keeps connections without limits.
final class Nginx {
    let files: NginxFiles
    let ports: NginxPorts
    private let process: Process
    private var asked = 0

    /// - Parameter core: The only core that it may use; `nil` for all.
    init(core: Int? = nil) throws {
        files = try NginxFiles()
        ports = NginxPorts(plain: try FreePort.find(), secure: try FreePort.find(), closing: try FreePort.find())
        let configuration = NginxConfiguration(folder: files.folder.path, ports: ports)
        try Data(configuration.text.utf8).write(to: files.folder.appendingPathComponent("nginx.conf"))
        let prefix = core.map { ["taskset", "--cpu-list", "\($0)"] } ?? []
        process = ChildProcess.make(
            prefix + ["nginx", "-c", "\(files.folder.path)/nginx.conf", "-p", files.folder.path]
        )
        process.standardError = FileHandle.nullDevice
        try process.run()
        try FreePort.waitForListener(ports.plain)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: files.folder)
    }

    var url: String { "http://127.0.0.1:\(ports.plain)" }
    /// The server that speaks HTTP/2 and HTTP/1.1 over TLS.
    var secureURL: String { "https://localhost:\(ports.secure)" }
    /// The server that speaks HTTP/1.1 over TLS and closes each connection after one exchange.
    var closingURL: String { "https://localhost:\(ports.closing)" }

    /// The number of connections opened so far, without those that this function opens.
    func connectionCount() -> Int {
        asked += 1
        let text = LocalQuestion(port: ports.plain, path: "/status").answer ?? ""
        let line = text.split(separator: "\n").dropFirst(2).first
        return (line?.split(separator: " ").first.flatMap { Int($0) } ?? 0) - asked
    }
}

/// The ports of nginx on 127.0.0.1.
struct NginxPorts {
    let plain: Int
    let secure: Int
    let closing: Int
}
