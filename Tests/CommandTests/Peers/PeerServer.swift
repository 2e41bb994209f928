// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting

/// A server of another project in a process of its own, until it is released.
// Safety: everything is constant; the process is used only in `init` and `deinit`.
final class PeerServer: @unchecked Sendable {
    struct Unavailable: Error, CustomStringConvertible {
        let description: String
    }

    let url: String
    let port: Int
    /// The path of one of its files.
    func path(_ name: String) -> String { folder.url.appending(path: name).path }

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
        try await nginx(files: ["file": file]) { port, root in "listen 127.0.0.1:\(port); root \(root);" }
    }

    /// nginx on `https://localhost:PORT`, which responds with the versions of TLS and HTTP, and the client's name.
    static func nginx(_ certificates: Certificates, protocols: String = "TLSv1.2 TLSv1.3") async throws -> PeerServer {
        let names = ["ca.pem", "server.pem", "server.key"]
        let files = try Dictionary(uniqueKeysWithValues: names.map { ($0, try certificates.data($0)) })
        return try await nginx(files: files, scheme: "https", host: "localhost") { port, _ in
            """
            listen 127.0.0.1:\(port) ssl http2; ssl_protocols \(protocols);
            ssl_certificate server.pem; ssl_certificate_key server.key;
            ssl_client_certificate ca.pem; ssl_verify_client optional;
            location / { return 200 "$ssl_protocol $server_protocol $ssl_client_s_dn"; }
            """
        }
    }

    /// nginx, which also listens on the socket `socket` in its folder.
    static func nginxOnSocket() async throws -> PeerServer {
        try await nginx(files: [:]) { port, root in
            "listen 127.0.0.1:\(port); listen unix:\(root)/socket; location / { return 200 '$host at $server_addr'; }"
        }
    }

    private static func nginx(
        files: [String: Data],
        scheme: String = "http",
        host: String = "127.0.0.1",
        server: @escaping @Sendable (_ port: Int, _ root: String) -> String
    ) async throws -> PeerServer {
        try await start(URL(filePath: program("nginx")), scheme: scheme, host: host) { port, folder in
            for (name, content) in files { _ = try folder.file(name, content) }
            _ = try folder.file("nginx.conf", Data(configuration(server(port, folder.url.path)).utf8))
            return ["-p", folder.url.path, "-c", "nginx.conf", "-e", "error.log"]
        }
    }

    /// The path of a program of the system; a missing one fails the test.
    static func program(_ name: String) throws -> String {
        let places = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin"].map { "\($0)/\(name)" }
        guard let path = places.first(where: FileManager.default.isExecutableFile) else {
            throw Unavailable(description: "\(name) is missing; Scripts/install-dependencies --tests installs it")
        }
        return path
    }

    private static func configuration(_ server: String) -> String {
        """
        user root; daemon off; master_process off; pid nginx.pid;
        events { worker_connections 1024; }
        http {
          access_log off; client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u;
          scgi_temp_path s;
          server { \(server) }
        }
        """
    }

    private static func start(
        _ program: URL,
        scheme: String = "http",
        host: String = "127.0.0.1",
        arguments: @escaping @Sendable (Int, TemporaryFolder) throws -> [String]
    ) async throws -> PeerServer {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try PeerServer(program, scheme, host, arguments) })
            }
        }
    }

    private init(
        _ program: URL,
        _ scheme: String,
        _ host: String,
        _ arguments: (Int, TemporaryFolder) throws -> [String]
    ) throws {
        port = try ServerPort.free()
        folder = try TemporaryFolder()
        url = "\(scheme)://\(host):\(port)"
        let errors = try folder.file("stderr", Data())
        process = try ChildProcess(program.path, arguments(port, folder), errors: errors.path)
        try waitUntilItAnswers(program)
    }

    deinit {
        process.terminate()
    }

    private func waitUntilItAnswers(_ program: URL) throws {
        for _ in 0..<1000 {
            if try ChildProcess("/usr/bin/curl", ["--silent", "--insecure", "--max-time", "5", url]).wait() == 0 {
                return
            }
            guard process.isRunning else { break }
            usleep(50_000)
        }
        let log = folder.url.appending(path: "stderr")
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        throw Unavailable(description: "\(program.path) did not start: \(text)")
    }
}
