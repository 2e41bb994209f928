// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport

/// Makes authorities and certificates with `openssl` in a temporary folder, until this object is released.
// Safety: everything is constant; a factory is used by one test at a time.
final class CertificateFactory: @unchecked Sendable {
    let folder: URL

    /// An authority's extensions, and those of a certificate for a name.
    static let authority = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign"
    static func name(_ host: String) -> String { "subjectAltName=DNS:\(host)" }

    static let elliptic = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "swifty-factory-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Runs a closure that starts programs on a thread of its own, because tests share few threads.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable (CertificateFactory) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try body(CertificateFactory()) }) }
        }
    }

    func path(_ file: String) -> String { folder.appending(path: file).path }

    func data(_ files: String...) throws -> Data {
        try files.reduce(into: Data()) { $0 += try Data(contentsOf: folder.appending(path: $1)) }
    }

    /// All files, for nginx.
    func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try data($0)) })
    }

    /// Makes `name.pem` and `name.key`, signed by `issuer`, or by itself.
    func make(
        _ name: String,
        extensions: String,
        issuer: String? = nil,
        key: [String] = elliptic,
        options: [String] = []
    ) throws {
        try writeConfiguration(name, extensions)
        let signer = issuer.map { ["-CA", path("\($0).pem"), "-CAkey", path("\($0).key")] } ?? []
        try openssl(["req", "-x509", "-days", "2", "-extensions", "e"] + request(name, key) + signer + options)
    }

    /// Like `make`, with a period of validity.
    func make(_ name: String, extensions: String, issuer: String, from start: String, until end: String) throws {
        try writeConfiguration(name, extensions)
        try Data().write(to: folder.appending(path: "\(name).db"))
        try openssl(["req", "-new"] + request(name, Self.elliptic))
        try openssl([
            "ca", "-batch", "-notext", "-config", path("\(name).cnf"), "-extensions", "e", "-in", path("\(name).pem"),
            "-out", path("\(name).signed"), "-startdate", start, "-enddate", end, "-cert", path("\(issuer).pem"),
            "-keyfile", path("\(issuer).key"), "-outdir", folder.path,
        ])
        try data("\(name).signed").write(to: folder.appending(path: "\(name).pem"))
    }

    private func request(_ name: String, _ key: [String]) -> [String] {
        [
            "-config", path("\(name).cnf"), "-subj", "/CN=\(name)", "-nodes", "-keyout", path("\(name).key"), "-out",
            path("\(name).pem"),
        ] + key
    }

    private func writeConfiguration(_ name: String, _ extensions: String) throws {
        let text = """
            [req]
            distinguished_name = n
            [n]
            [e]
            \(extensions)
            [ca]
            default_ca = c
            [c]
            database = \(path("\(name).db"))
            rand_serial = yes
            default_md = sha256
            policy = p
            [p]
            commonName = supplied
            """
        try Data(text.utf8).write(to: folder.appending(path: "\(name).cnf"))
    }

    func openssl(_ arguments: [String]) throws {
        guard try ChildProcess(NginxServer.program("openssl"), arguments).wait() else {
            throw NginxServer.Unavailable(description: "openssl \(arguments.joined(separator: " ")) failed")
        }
    }

    // MARK: Pins, as openssl computes them

    func certificatePin(_ name: String) throws -> String {
        try openssl(["x509", "-in", path("\(name).pem"), "-outform", "der", "-out", path("\(name).der")])
        return try pin(ofFile: "\(name).der")
    }

    func publicKeyPin(_ name: String) throws -> String {
        try openssl(["pkey", "-in", path("\(name).key"), "-pubout", "-outform", "der", "-out", path("\(name).pub")])
        return try pin(ofFile: "\(name).pub")
    }

    private func pin(ofFile file: String) throws -> String {
        try openssl(["dgst", "-sha256", "-binary", "-out", path("\(file).sha"), path(file)])
        return try "sha256//" + data("\(file).sha").base64EncodedString()
    }
}

extension TransportSettings.TLS {
    static func with(_ change: (inout Self) -> Void) -> Self {
        var settings = Self()
        change(&settings)
        return settings
    }
}

extension NginxServer {
    /// A server of nginx for a name, with a certificate of the factory.
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

    func url(_ host: String) -> String { "https://\(host):\(port)/" }
}
