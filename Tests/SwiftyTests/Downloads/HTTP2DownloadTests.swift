// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import TestSupport
import Testing

@Suite("A download over HTTP/2", .timeLimit(.minutes(15)))
struct HTTP2DownloadTests {
    private let folder: TemporaryFolder
    private let content = FileServer.bytes(2_000_001)
    private var path: String { folder.path("a.bin") }
    private var checksum: DownloadPolicy.Checksum { .sha256(SHA256.hash(Array(content)).hexadecimal) }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A server whose `/slow` sends 200 KiB at once and the rest over six minutes, but a range at once.
    private func nginx() async throws -> PeerServer {
        let files = try await CertificateFactory.localhost().merging(["a.bin": content]) { $1 }
        return try await .nginx(files: files) { port, folder in
            """
            server {
              listen 127.0.0.1:\(port) ssl http2; root \(folder);
              ssl_certificate server.pem; ssl_certificate_key server.key;
              set $rate 5k;
              if ($http_range) { set $rate 0; }
              location /slow { limit_rate_after 200k; limit_rate $rate; alias \(folder)/a.bin; }
            }
            """
        }
    }

    private func resource(_ server: PeerServer, _ path: String) -> NetworkResource {
        var settings = TransportSettings()
        settings.tls.trust = .file(server.folder.path("ca.pem"))
        settings.addresses.overrides = [HostAndPort(host: "localhost", port: server.port): ["127.0.0.1"]]
        let swifty = Swifty(transport: settings)
        return BaseResource("https://localhost:\(server.port)", networkInterface: swifty).get(path)
    }

    @Test("arrives whole")
    func whole() async throws {
        let server = try await nginx()
        let policy = DownloadPolicy(checksum: checksum)
        let file = try await resource(server, "a.bin").download(to: path, policy: policy)
        #expect(file.byteCount == content.count)
        #expect(try folder.data("a.bin") == content)
        #expect(folder.fileNames == ["a.bin"])
        // nginx writes its log after the response.
        try await until { server.nginxLog.count == 1 }
        #expect(server.nginxLog.allSatisfy { $0.hasPrefix("HTTP/2.0 ") })
    }

    @Test("that was cancelled goes on where it ended")
    func resumption() async throws {
        let server = try await nginx()
        let slow = resource(server, "slow")
        let download = Task { [path] in try await slow.download(to: path) }
        try await until { (try? folder.data(".a.bin.swiftypart").count) ?? 0 > 100_000 }
        download.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await download.value }
        #expect(error?.code == .cancelled)
        #expect(!folder.fileNames.contains("a.bin"))
        let file = try await slow.download(to: path, policy: DownloadPolicy(checksum: checksum))
        #expect(file.resumedFrom > 100_000)
        #expect(file.head.statusCode == 206)
        #expect(try folder.data("a.bin") == content)
    }
}
