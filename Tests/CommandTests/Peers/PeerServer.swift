// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting

/// A server of others, in a process of its own, until it is released.
///
/// Safety: everything is constant; the process is used only while this is made and released.
final class PeerServer: @unchecked Sendable {
    struct Unavailable: Error, CustomStringConvertible {
        let description: String
    }

    let url: String
    private let process: ChildProcess
    private let folder: TemporaryFolder

    /// PyPI's httpbin.
    static func httpbin() async throws -> PeerServer {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let python = root.appending(path: ".venv/bin/python")
        return try await start(python) { port, _ in
            ["-m", "gunicorn", "httpbin:app", "-b", "127.0.0.1:\(port)", "--log-level", "error"]
        }
    }

    /// nginx, with one file at `/file`.
    static func nginx(file: Data) async throws -> PeerServer {
        let places = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx"]
        guard let path = places.first(where: FileManager.default.isExecutableFile) else {
            throw Unavailable(description: "nginx is missing; Scripts/install-dependencies --tests installs it")
        }
        return try await start(URL(filePath: path)) { port, folder in
            _ = try folder.file("file", file)
            _ = try folder.file("nginx.conf", Data(configuration(port: port, root: folder.url.path).utf8))
            return ["-p", folder.url.path, "-c", "nginx.conf", "-e", "error.log"]
        }
    }

    private static func configuration(port: Int, root: String) -> String {
        """
        user root; daemon off; master_process off; pid nginx.pid;
        events { worker_connections 1024; }
        http {
          access_log off; client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u;
          scgi_temp_path s;
          server { listen 127.0.0.1:\(port); root \(root); }
        }
        """
    }

    private static func start(
        _ program: URL,
        arguments: @escaping @Sendable (Int, TemporaryFolder) throws -> [String]
    ) async throws -> PeerServer {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try PeerServer(program, arguments) })
            }
        }
    }

    private init(_ program: URL, _ arguments: (Int, TemporaryFolder) throws -> [String]) throws {
        let probe = try RawServer([])
        let port = probe.port
        probe.stop()
        folder = try TemporaryFolder()
        url = "http://127.0.0.1:\(port)"
        let errors = try folder.file("stderr", Data())
        process = try ChildProcess(program.path, arguments(port, folder), errors: errors.path)
        try waitUntilItAnswers(program)
    }

    deinit {
        process.terminate()
    }

    private func waitUntilItAnswers(_ program: URL) throws {
        for _ in 0..<1000 {
            if try ChildProcess("/usr/bin/curl", ["--silent", "--max-time", "5", url]).wait() == 0 { return }
            guard process.isRunning else { break }
            usleep(50_000)
        }
        let log = folder.url.appending(path: "stderr")
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        throw Unavailable(description: "\(program.path) did not start: \(text)")
    }
}
