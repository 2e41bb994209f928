// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting

/// nginx with TLS, HTTP/2 and a certificate of its own authority, in a temporary folder, until this object is released.
///
/// Fails the test, instead of skipping it, if `nginx` or `openssl` is missing.
// Safety: everything is constant; the process is used only in the initializer and the deinitializer.
final class NginxServer: @unchecked Sendable {
    /// The reason why nginx could not be started.
    struct Unavailable: Error, CustomStringConvertible {
        let description: String
    }

    let port: Int
    /// The authority that signed the server's certificate, in PEM form.
    var certificateAuthority: String { file("ca.pem") }
    /// The path of one of its files.
    func file(_ name: String) -> String { "\(folder.path)/\(name)" }
    /// `https://localhost:PORT`, the name that the certificate is for.
    var url: String { "https://localhost:\(port)" }

    private let folder: URL
    private let process: ChildProcess

    /// Starts nginx on a thread of its own, because it is slow and tests share few threads.
    ///
    /// - Parameter http2: Whether HTTP/2 is offered.
    static func start(http2: Bool = true) async throws -> NginxServer {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try NginxServer(http2: http2) }) }
        }
    }

    /// Starts nginx with servers in its configuration language, and the files that they need.
    static func start(files: [String: Data], servers: @escaping @Sendable (Int) -> String) async throws -> NginxServer {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try NginxServer(files: files, servers: servers) })
            }
        }
    }

    private convenience init(http2: Bool) throws {
        let files = try Dictionary(uniqueKeysWithValues: Self.certificates.get())
        try self.init(files: files) { Self.server(port: $0, http2: http2) }
    }

    private init(files: [String: Data], servers: (Int) -> String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "swifty-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "logs"), withIntermediateDirectories: true)
        port = try ServerPort.free()
        for (name, content) in files { try content.write(to: folder.appending(path: name)) }
        try Self.configuration(servers(port))
            .write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
        process = try ChildProcess(
            Self.program("nginx"),
            ["-p", folder.path, "-c", "nginx.conf", "-e", "logs/error.log"]
        )
        try waitUntilItAccepts()
    }

    deinit {
        process.terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The lines of the access log: protocol, connection number, requests on the connection, request line.
    var log: [String] {
        let text = (try? String(contentsOf: folder.appending(path: "logs/access.log"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    static func program(_ name: String) throws -> URL {
        for folder in ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin"] {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return URL(filePath: path) }
        }
        throw Unavailable(description: "the TLS tests need \(name): install it (apt-get install \(name))")
    }

    private static func server(port: Int, http2: Bool) -> String {
        """
        server {
          listen 127.0.0.1:\(port) ssl\(http2 ? " http2" : "");
          ssl_certificate server.pem; ssl_certificate_key server.key;
          location / { default_type application/json; return 200 '{"ok":true}'; }
          location /slow { limit_rate 400; alias nginx.conf; }
        }
        """
    }

    private static func configuration(_ servers: String) -> String {
        """
        daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log logs/error.log warn;
        events { worker_connections 1024; }
        http {
          log_format facts '$server_protocol $connection $connection_requests "$request" $ssl_session_reused';
          access_log logs/access.log facts;
          client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
          client_max_body_size 100m; client_body_buffer_size 1m;
          server_names_hash_bucket_size 128;
          ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache shared:sessions:1m;
          \(servers)
        }
        """
    }

    /// The certificates and keys, made once for all servers.
    static let certificates = Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "swifty-certificates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeCertificates(in: folder)
        return try ["ca.pem", "server.pem", "server.key"].map { name in
            (name, try Data(contentsOf: folder.appending(path: name)))
        }
    }

    private static func makeCertificates(in folder: URL) throws {
        try "subjectAltName=DNS:localhost".write(
            to: folder.appending(path: "names"),
            atomically: true,
            encoding: .utf8
        )
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try openssl(
            ["req", "-x509", "-subj", "/CN=Test Authority", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2"] + key,
            in: folder
        )
        try openssl(["req", "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr"] + key, in: folder)
        try openssl(
            [
                "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out",
                "server.pem", "-days", "2", "-extfile", "names",
            ],
            in: folder
        )
    }

    private static func openssl(_ arguments: [String], in folder: URL) throws {
        let files = ["key", "pem", "csr"]
        let paths = arguments.map { argument in
            argument == "names" || files.contains { argument.hasSuffix(".\($0)") }
                ? folder.appending(path: argument).path : argument
        }
        guard try ChildProcess(program("openssl"), paths).wait() else {
            throw Unavailable(description: "openssl \(paths.joined(separator: " ")) failed")
        }
    }

    private func waitUntilItAccepts() throws {
        for _ in 0..<500 {
            if Self.accepts(port: port) { return }
            guard process.isRunning else { break }
            usleep(20_000)
        }
        let log = (try? String(contentsOf: folder.appending(path: "logs/error.log"), encoding: .utf8)) ?? ""
        throw Unavailable(description: "nginx did not start: \(log)")
    }

    static func accepts(port: Int) -> Bool {
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
