// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting

/// nginx with a master and a worker, which ends each connection after a few requests and can be reloaded.
// Safety: everything is constant; the process is used only in the initializer and the deinitializer.
final class RotatingNginx: @unchecked Sendable {
    let port: Int
    let folder: URL
    private let process: ChildProcess

    init(requestsPerConnection: Int) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "swifty-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, content) in try NginxServer.certificates.get() {
            try content.write(to: folder.appending(path: name))
        }
        port = try ServerPort.free()
        let text = Self.configuration(port: port, requestsPerConnection)
        try Data(text.utf8).write(to: folder.appending(path: "nginx.conf"))
        process = try ChildProcess(
            NginxServer.program("nginx"),
            ["-p", folder.path, "-c", "nginx.conf", "-e", "error.log"]
        )
        let isReady = try await eventually { [folder] in
            (try? String(contentsOf: folder.appending(path: "nginx.pid"), encoding: .utf8))?.isEmpty == false
        }
        guard isReady else { throw NginxServer.Unavailable(description: "nginx did not start") }
        // The worker starts a little later than the file appears.
        try await Task.sleep(for: .milliseconds(300))
    }

    deinit {
        // The master ends its workers.
        kill(process.id, SIGTERM)
        _ = process.wait()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts new workers; the old ones finish their requests, and send GOAWAY to their clients.
    func reload() {
        kill(process.id, SIGHUP)
    }

    /// The paths of the requests with a response.
    var paths: [String] {
        let text = (try? String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private static func configuration(port: Int, _ requests: Int) -> String {
        """
        daemon off; worker_processes 1; pid nginx.pid; error_log error.log warn;
        events { worker_connections 1024; }
        http {
          log_format path '$request_method $request_uri'; access_log access.log path;
          client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
          server {
            listen 127.0.0.1:\(port) ssl http2;
            ssl_certificate server.pem; ssl_certificate_key server.key;
            keepalive_requests \(requests);
            location / { return 200 'ok'; }
          }
        }
        """
    }
}
