// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import TestSupport

/// nginx with TLS, HTTP/2 and a certificate of its own authority.
struct NginxServer {
    private let server: PeerServer

    /// Starts nginx for `localhost`.
    ///
    /// - Parameter http2: Whether HTTP/2 is offered.
    static func start(http2: Bool = true) async throws -> NginxServer {
        try await start(files: CertificateFactory.localhost()) { port in
            """
            server {
              listen 127.0.0.1:\(port) ssl\(http2 ? " http2" : "");
              ssl_certificate server.pem; ssl_certificate_key server.key;
              location / { default_type application/json; return 200 '{"ok":true}'; }
              location /slow { limit_rate 400; alias nginx.conf; }
            }
            """
        }
    }

    /// Starts nginx with servers in its configuration language, and the files that they need.
    static func start(files: [String: Data], servers: @escaping @Sendable (Int) -> String) async throws -> NginxServer {
        NginxServer(server: try await .nginx(files: files) { port, _ in servers(port) })
    }

    var port: Int { server.port }
    /// The authority that signed the server's certificate, in PEM form.
    var certificateAuthority: String { file("ca.pem") }
    /// The path of one of its files.
    func file(_ name: String) -> String { server.folder.path(name) }
    /// `https://localhost:PORT`, the name that the certificate is for.
    var url: String { url("localhost", path: "") }
    /// The lines of the access log: protocol, connection number, requests on the connection, request line.
    var log: [String] { server.nginxLog }

    /// The numbers of the connections in the log.
    var connections: Set<Substring> {
        Set(log.map { line in line.split(separator: " ").dropFirst().first ?? "" })
    }

    func url(_ host: String, path: String = "/") -> String { "https://\(host):\(port)\(path)" }

    /// A server of nginx for a name, with a certificate of a ``CertificateFactory``.
    static func block(
        _ port: Int,
        name: String,
        certificate: String,
        address: String = "127.0.0.1",
        http2: Bool = false,
        more: String = "",
        answer: String = "ok"
    ) -> String {
        """
        server {
          listen \(address):\(port) ssl\(http2 ? " http2" : "");
          server_name \(name); \(more)
          ssl_certificate \(certificate).pem; ssl_certificate_key \(certificate).key;
          location / { return 200 "\(answer)"; }
        }

        """
    }

    /// Settings that direct these hosts to this server.
    func settings(_ hosts: [String], _ tls: TransportSettings.TLS) -> TransportSettings {
        var settings = TransportSettings()
        settings.tls = tls
        for host in hosts { settings.addresses.overrides[HostAndPort(host: host, port: port)] = ["127.0.0.1"] }
        return settings
    }
}

/// nginx with a master and a worker, which ends each connection after a few requests and can be reloaded.
struct RotatingNginx {
    private let server: PeerServer

    init(requestsPerConnection: Int) async throws {
        server = try await .nginx(files: CertificateFactory.localhost(), hasMaster: true) { port, _ in
            """
            server {
              listen 127.0.0.1:\(port) ssl http2;
              ssl_certificate server.pem; ssl_certificate_key server.key;
              keepalive_requests \(requestsPerConnection);
              location / { return 200 'ok'; }
            }
            """
        }
    }

    var port: Int { server.port }
    var certificateAuthority: String { server.folder.path("ca.pem") }

    /// Starts new workers; the old ones finish their requests, and send GOAWAY to their clients.
    func reload() {
        server.signal(SIGHUP)
    }

    /// The methods and paths of the requests with a response.
    var paths: [String] {
        server.nginxLog.compactMap { line in
            guard let request = line.split(separator: "\"").dropFirst().first else { return nil }
            return request.split(separator: " ").dropLast().joined(separator: " ")
        }
    }
}

extension TransportSettings.TLS {
    static func with(_ change: (inout Self) -> Void) -> Self {
        var settings = Self()
        change(&settings)
        return settings
    }
}
