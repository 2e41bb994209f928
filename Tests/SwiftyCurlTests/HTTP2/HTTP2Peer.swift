// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport

/// The misbehaving HTTP/2 server of `Tests/Peers/http2.py`.
struct HTTP2Peer {
    private let process: PythonPeer
    let port: Int

    init() async throws {
        let certificates = Dictionary(uniqueKeysWithValues: try NginxServer.certificates.get())
        // In the order of their names: the script takes the certificate and then its key.
        let files = [
            "a.pem": certificates["server.pem"], "b.key": certificates["server.key"], "ca.pem": certificates["ca.pem"],
        ]
        process = try await PythonPeer("http2.py", makes: "port", files: files.compactMapValues { $0 })
        guard let port = Int(try process.text(of: "port")) else { throw PythonPeer.Unavailable(reason: "no port") }
        self.port = port
    }

    /// A transport that trusts the server, and finds it.
    func transport(_ change: (inout CurlTransport.Configuration) -> Void = { _ in }) -> CurlTransport {
        CurlTransport(
            configuration: .with {
                $0.settings.tls.trust = .file(process.folder.appending(path: "ca.pem").path)
                $0.settings.addresses.overrides = [HostAndPort(host: "localhost", port: port): ["127.0.0.1"]]
                change(&$0)
            }
        )
    }

    func url(_ path: String) -> String { "https://localhost:\(port)/\(path)" }

    func request(
        _ path: String,
        method: HTTPRequest.Method = .post,
        body: Data? = Data("content".utf8)
    ) throws
        -> NetworkRequest
    {
        try .to(url(path), method: method, body: method == .get ? nil : body)
    }

    /// The requests that the server looked at, without the number of the connection.
    func seen(by transport: CurlTransport) async throws -> [String] {
        try await transport.get(url("log")).text.split(separator: "\n").map { line in
            line.split(separator: " ").dropFirst().joined(separator: " ")
        }
    }
}
