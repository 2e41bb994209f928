// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// An authority, a server's certificate for `localhost` and `a.test`, and a client's.
struct Certificates: Sendable {
    private let factory: CertificateFactory

    init() async throws {
        factory = try await CertificateFactory.run { factory in
            try factory.make("ca", extensions: CertificateFactory.authority)
            for name in ["server", "client"] {
                try factory.make(name, extensions: "subjectAltName=DNS:localhost,DNS:a.test", issuer: "ca")
            }
            return factory
        }
    }

    /// The path of `ca.pem`, `server.pem`, `server.key`, `client.pem` or `client.key`.
    func path(_ name: String) -> String { factory.path(name) }

    func data(_ name: String) throws -> Data { try factory.data(name) }

    /// The pin of the key of `server` or `client`, as openssl computes it.
    func pin(_ name: String) async throws -> String {
        try await onOwnThread { [factory] in try factory.publicKeyPin(name) }
    }

    /// A certificate in DER form, as openssl writes it.
    func der(_ name: String) async throws -> Data {
        try await onOwnThread { [factory] in
            try factory.openssl(["x509", "-in", factory.path(name), "-outform", "der", "-out", factory.path("der")])
            return try factory.data("der")
        }
    }
}

extension PeerServer {
    /// nginx over TLS, which responds with the versions of TLS and HTTP, and the client's name.
    static func nginx(_ certificates: Certificates, protocols: String = "TLSv1.2 TLSv1.3") async throws -> PeerServer {
        let names = ["ca.pem", "server.pem", "server.key"]
        let files = try Dictionary(uniqueKeysWithValues: names.map { ($0, try certificates.data($0)) })
        return try await nginx(files: files) { port, _ in
            """
            server {
              listen 127.0.0.1:\(port) ssl http2; ssl_protocols \(protocols);
              ssl_certificate server.pem; ssl_certificate_key server.key;
              ssl_client_certificate ca.pem; ssl_verify_client optional;
              location / { return 200 "$ssl_protocol $server_protocol $ssl_client_s_dn"; }
            }
            """
        }
    }
}

extension Program {
    /// Runs the program `swifty`.
    static func swifty(
        _ arguments: String...,
        environment: [String: String] = [:],
        input: Data? = nil,
        interruption: (@Sendable () -> Bool)? = nil
    ) async throws -> Program {
        try await run("swifty", arguments, environment: environment, input: input, interruption: interruption)
    }
}
