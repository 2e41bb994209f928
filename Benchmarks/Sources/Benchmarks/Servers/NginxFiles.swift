// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folder of an nginx: the files that it serves, and those that are posted to it.
struct NginxFiles {
    static let sizeOfLarge = 16 << 20

    let folder: URL

    /// The large contents, made when they are needed first.
    var streams: StreamFiles { StreamFiles(folder: folder) }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("swifty-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(count: Self.sizeOfLarge).write(to: folder.appendingPathComponent("large"))
        try Self.order.write(to: folder.appendingPathComponent("order.json"))
        try makeCertificate()
    }

    var authority: String { folder.appendingPathComponent("certificate.pem").path }
    /// The PEM file of the certificate's key.
    var key: String { folder.appendingPathComponent("key.pem").path }
    var largeContent: String { folder.appendingPathComponent("large").path }
    /// 4 KiB of JSON.
    var smallContent: String { folder.appendingPathComponent("order.json").path }

    private static var order: Data {
        let numbers = Array(repeating: "12345678", count: 453).joined(separator: ",")
        return Data(#"{"numbers":[\#(numbers)]}"#.utf8)
    }

    private func makeCertificate() throws {
        try ChildProcess.output(of: [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout", key, "-out", authority,
        ])
    }
}
