// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An authority, a server's certificate for `localhost` and `a.test`, and a client's, made with `openssl`.
struct Certificates: Sendable {
    private let folder: TemporaryFolder

    /// The path of `ca.pem`, `server.pem`, `server.key`, `client.pem` or `client.key`.
    func path(_ name: String) -> String { folder.url.appending(path: name).path }

    func data(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appending(path: name)) }

    init() async throws {
        folder = try TemporaryFolder()
        _ = try folder.file("names", Data("subjectAltName=DNS:localhost,DNS:a.test".utf8))
        try await openssl("req -x509 -subj /CN=Authority -keyout ca.key -out ca.pem -days 2 \(Self.key)")
        for name in ["server", "client"] {
            try await openssl("req -subj /CN=\(name) -keyout \(name).key -out \(name).csr \(Self.key)")
            let authority = "-CA ca.pem -CAkey ca.key -CAcreateserial"
            try await openssl("x509 -req -in \(name).csr \(authority) -out \(name).pem -days 2 -extfile names")
        }
    }

    private static let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

    /// A server key's pin, as openssl computes it.
    func pin(_ name: String) async throws -> String {
        try await openssl("pkey -in \(name) -pubout -outform der -out pin.der")
        try await openssl("dgst -sha256 -binary -out pin.sha pin.der")
        return "sha256//" + (try data("pin.sha").base64EncodedString())
    }

    /// A certificate in DER form, as openssl writes it.
    func der(_ name: String) async throws -> Data {
        try await openssl("x509 -in \(name) -outform der -out cert.der")
        return try data("cert.der")
    }

    private func openssl(_ arguments: String) async throws {
        let line = "cd '\(folder.url.path)' && exec '\(try PeerServer.program("openssl"))' \(arguments)"
        let run = try await Program.run("/bin/sh", ["-c", line])
        guard run.status == 0 else { throw PeerServer.Unavailable(description: "openssl \(arguments): \(run.errors)") }
    }
}
