// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Makes authorities and certificates with `openssl` in a temporary folder, until this object is released.
package final class CertificateFactory: Sendable {
    package let folder: TemporaryFolder

    /// The extensions of an authority's certificate.
    package static let authority = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign"
    /// The extensions of a certificate for a host.
    package static func name(_ host: String) -> String { "subjectAltName=DNS:\(host)" }

    package static let elliptic = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]

    package init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a closure on a thread of its own, because programs that it starts block the thread, and tests share few.
    package static func run<Value: Sendable>(
        _ body: @escaping @Sendable (CertificateFactory) throws -> Value
    ) async throws -> Value {
        try await onOwnThread { try body(CertificateFactory()) }
    }

    package func path(_ file: String) -> String { folder.path(file) }

    package func data(_ files: String...) throws -> Data {
        try files.reduce(into: Data()) { $0 += try folder.data($1) }
    }

    /// All files, for nginx.
    package func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try data($0)) })
    }

    /// Makes `name.pem` and `name.key`. The certificate is signed by `issuer`; self-signed if `nil`.
    package func make(
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
    package func make(_ name: String, extensions: String, issuer: String, from start: String, until end: String) throws
    {
        try writeConfiguration(name, extensions)
        try folder.file("\(name).db")
        try openssl(["req", "-new"] + request(name, Self.elliptic))
        try openssl([
            "ca", "-batch", "-notext", "-config", path("\(name).cnf"), "-extensions", "e", "-in", path("\(name).pem"),
            "-out", path("\(name).signed"), "-startdate", start, "-enddate", end, "-cert", path("\(issuer).pem"),
            "-keyfile", path("\(issuer).key"), "-outdir", folder.path,
        ])
        try folder.file("\(name).pem", data("\(name).signed"))
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
        try folder.file("\(name).cnf", text)
    }

    package func openssl(_ arguments: [String]) throws {
        let errors = try TemporaryFolder()
        let process = try ChildProcess(ExternalProgram.path("openssl"), arguments, errors: errors.path("errors"))
        guard process.wait() == 0 else {
            let output = errors.lines("errors").joined(separator: "\n")
            throw ExternalProgram.Unavailable(description: "openssl \(arguments.joined(separator: " ")): \(output)")
        }
    }

    // MARK: Pins, as openssl computes them

    package func certificatePin(_ name: String) throws -> String {
        try openssl(["x509", "-in", path("\(name).pem"), "-outform", "der", "-out", path("\(name).der")])
        return try pin(ofFile: "\(name).der")
    }

    package func publicKeyPin(_ name: String) throws -> String {
        try openssl(["pkey", "-in", path("\(name).key"), "-pubout", "-outform", "der", "-out", path("\(name).pub")])
        return try pin(ofFile: "\(name).pub")
    }

    private func pin(ofFile file: String) throws -> String {
        try openssl(["dgst", "-sha256", "-binary", "-out", path("\(file).sha"), path(file)])
        return try "sha256//" + data("\(file).sha").base64EncodedString()
    }
}

extension CertificateFactory {
    /// `ca.pem`, and `server.pem` of that authority for `localhost` with `server.key`; made once for all servers.
    package static func localhost() async throws -> [String: Data] {
        try await onOwnThread { try localhostFiles.get() }
    }

    private static let localhostFiles = Result {
        let factory = try CertificateFactory()
        try factory.make("ca", extensions: authority)
        try factory.make("server", extensions: name("localhost"), issuer: "ca")
        let names = ["ca.pem", "server.pem", "server.key"]
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try factory.data($0)) })
    }
}
