// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTesting
import SwiftyTransport

/// Answers over TLS with content that ends with the connection, whose end it announces or not, until it is released.
///
/// Safety: everything is constant; the process is used only while this is made and released.
final class ClosingTLSServer: @unchecked Sendable {
    private static let script = """
        import socket, ssl, sys
        folder, port, announced = sys.argv[1], int(sys.argv[2]), sys.argv[3] == 'true'
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder + '/server.pem', folder + '/server.key')
        listener = socket.create_server(('127.0.0.1', port))
        while True:
            try:
                connection = context.wrap_socket(listener.accept()[0], server_side=True)
                connection.recv(65536)
                connection.sendall(b'HTTP/1.1 200 OK\\r\\n\\r\\nabc')
                if announced: connection.unwrap()
                connection.close()
            except OSError:
                pass
        """

    /// It is there for its certificate.
    private let nginx: NginxServer
    private let process: ChildProcess
    private let port: Int

    static func start(isAnnounced: Bool) async throws -> ClosingTLSServer {
        try ClosingTLSServer(await NginxServer.start(), isAnnounced: isAnnounced)
    }

    private init(_ nginx: NginxServer, isAnnounced: Bool) throws {
        self.nginx = nginx
        let free = try RawServer([])
        port = free.port
        free.stop()
        let folder = URL(filePath: nginx.certificateAuthority).deletingLastPathComponent().path
        process = try ChildProcess(
            URL(filePath: "/usr/bin/python3"),
            ["-c", Self.script, folder, "\(port)", "\(isAnnounced)"]
        )
    }

    deinit {
        process.terminate()
    }

    /// Loads from it, once it listens.
    func load(_ strictness: ResponseRules.Strictness) async throws -> Result<TransportResponse, SwiftyError> {
        let transport = CurlTransport(
            configuration: .with {
                $0.settings.tls.trust = .file(nginx.certificateAuthority)
                $0.settings.addresses.overrides[HostAndPort(host: "localhost", port: port)] = ["127.0.0.1"]
                $0.settings.responses.strictness = strictness
            }
        )
        let request = try NetworkRequest.to("https://localhost:\(port)/")
        while true {
            let result = await transport.result(of: request)
            guard case .failure(let error) = result, error.code == .connectionFailed, process.isRunning else {
                return result
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
