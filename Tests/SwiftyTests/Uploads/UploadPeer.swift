// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyCurl
import TestSupport
import Testing

/// The server of `Tests/Peers/flow.py`, which speaks HTTP/1.1 or HTTP/2 and digests what it is sent.
final class UploadPeer: Sendable {
    enum Version: String, Sendable, CaseIterable {
        case http1 = "http/1.1"
        case http2 = "h2"
    }

    let base: BaseResource
    private let process: ChildProcess
    private let folder: TemporaryFolder

    init(_ version: Version) async throws {
        folder = try TemporaryFolder()
        let certificates = try await CertificateFactory.localhost()
        for (name, data) in certificates { try folder.file(name, data) }
        try folder.file("option", version.rawValue)
        process = try ChildProcess(
            ExternalProgram.python,
            [ExternalProgram.peer("flow.py")]
                + ["port", "server.pem", "server.key", "ca.pem", "option"].map(folder.path),
            errors: folder.path("stderr")
        )
        try await until { [folder, process] in !folder.lines("port").isEmpty || !process.isRunning }
        guard let port = folder.lines("port").first.flatMap({ Int($0) }) else {
            throw ExternalProgram.Unavailable(description: folder.lines("stderr").joined(separator: "\n"))
        }
        var configuration = CurlTransport.Configuration()
        configuration.settings.tls.trust = .file(folder.path("ca.pem"))
        configuration.settings.addresses.overrides = [HostAndPort(host: "localhost", port: port): ["127.0.0.1"]]
        let transport = CurlTransport(configuration: configuration)
        base = BaseResource("https://localhost:\(port)", networkInterface: Swifty(transport: transport))
    }

    deinit {
        process.terminate()
    }
}

extension PeerServer {
    /// The server of `Tests/Peers/forms.py`.
    static func forms() async throws -> PeerServer {
        let folder = URL(filePath: ExternalProgram.peer("forms.py")).deletingLastPathComponent().path
        return try await start(ExternalProgram.python) { ports, _ in
            [
                "-m", "gunicorn", "forms:app", "--chdir", folder, "-b", "127.0.0.1:\(ports[0])", "--log-level", "error",
            ]
        }
    }
}

/// A file of this size without repetition within a megabyte, and its SHA-256 as `sha256sum` computes it.
func largeFile(in folder: TemporaryFolder, megabytes: Int) async throws -> (path: String, digest: String) {
    var generator = SplitMix(seed: 7)
    let block = Data((0..<(1 << 17) + 1).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } })
    let url = try folder.file("large.bin")
    let file = try FileHandle(forWritingTo: url)
    for _ in 0..<megabytes { try file.write(contentsOf: block) }
    try file.truncate(atOffset: UInt64(megabytes) << 20)
    try file.close()
    let digest = try await Program.require("sha256sum", [url.path]).output.prefix(64)
    return (url.path, String(digest))
}

/// A Swifty whose transport has one loop, so that a request takes the connection that the one before has left.
func onOneLoop(_ configure: (inout Swifty.Configuration) -> Void = { _ in }) -> Swifty {
    var transport = CurlTransport.Configuration()
    transport.loops = 1
    return Swifty(transport: CurlTransport(configuration: transport), configure: configure)
}

/// The error with which a load fails.
func loadFailure(_ resource: NetworkResource) async -> SwiftyError? {
    await #expect(throws: SwiftyError.self) { try await resource.load() }
}
