// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport

/// A server of `Tests/Peers` that speaks TLS with the certificate of nginx's tests, which is for `localhost`.
struct TLSPeer {
    private let process: PythonPeer
    let port: Int

    /// - Parameter option: The contents of the file that is the script's last argument.
    init(_ script: String, option: String = "") async throws {
        process = try await PythonPeer(script, makes: "port", files: try await Self.files(option: option))
        guard let port = Int(try process.text(of: "port")) else {
            throw ExternalProgram.Unavailable(description: "no port")
        }
        self.port = port
    }

    /// The arguments of the script, in the order of their names: the certificate, its key, the authority, an option.
    static func files(option: String) async throws -> [String: Data] {
        let certificates = try await CertificateFactory.localhost()
        let files = [
            "a.pem": certificates["server.pem"], "b.key": certificates["server.key"], "ca.pem": certificates["ca.pem"],
            "option": Data(option.utf8),
        ]
        return files.compactMapValues { $0 }
    }

    /// A transport that trusts the server and resolves its name.
    func transport(_ change: (inout CurlTransport.Configuration) -> Void = { _ in }) -> CurlTransport {
        CurlTransport(
            configuration: .with {
                $0.settings.tls.trust = .file(process.folder.path("ca.pem"))
                $0.settings.addresses.overrides = [HostAndPort(host: "localhost", port: port): ["127.0.0.1"]]
                change(&$0)
            }
        )
    }

    func url(_ path: String) -> String { "https://localhost:\(port)/\(path)" }
}
