// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension PeerServer {
    /// Starts nginx, with a log of its requests.
    ///
    /// - Parameters:
    ///   - files: The files that its servers need, by name.
    ///   - hasMaster: Whether a master process starts a worker, so that SIGHUP reloads the configuration.
    ///   - servers: The servers in nginx's configuration language, for a port and the path of the folder.
    package static func nginx(
        files: [String: Data] = [:],
        hasMaster: Bool = false,
        servers: @escaping @Sendable (_ port: Int, _ folder: String) -> String
    ) async throws -> PeerServer {
        // A server may listen at several addresses; nginx writes the file after it listens at the last one.
        try await start(ExternalProgram.path("nginx"), readyFile: "nginx.pid") { ports, folder in
            for (name, content) in files { try folder.file(name, content) }
            let text = nginxConfiguration(hasMaster: hasMaster, servers(ports[0], folder.path))
            try folder.file("nginx.conf", text)
            return ["-p", folder.path, "-c", "nginx.conf", "-e", "stderr"]
        }
    }

    /// The requests in nginx's log: protocol, connection number, requests on the connection, request line, reuse of the
    /// TLS session.
    package var nginxLog: [String] { folder.lines("access.log") }

    private static func nginxConfiguration(hasMaster: Bool, _ servers: String) -> String {
        """
        \(getuid() == 0 ? "user root;" : "")
        daemon off; master_process \(hasMaster ? "on" : "off"); worker_processes 1; pid nginx.pid;
        error_log stderr warn;
        events { worker_connections 1024; }
        http {
          log_format facts '$server_protocol $connection $connection_requests "$request" $ssl_session_reused';
          access_log access.log facts;
          client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
          client_max_body_size 100m; client_body_buffer_size 1m;
          server_names_hash_bucket_size 128;
          ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache shared:sessions:1m;
          \(servers)
        }
        """
    }
}
