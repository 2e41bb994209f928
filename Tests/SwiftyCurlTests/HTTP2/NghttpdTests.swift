// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

@Suite("nghttpd, another server of HTTP/2", .timeLimit(.minutes(15)))
struct NghttpdTests {
    /// nghttpd, which serves files.
    private struct Server {
        let peer: PeerServer

        init() async throws {
            let folder = try TemporaryFolder()
            for (name, content) in try await CertificateFactory.localhost() { try folder.file(name, content) }
            peer = try await PeerServer.start(ExternalProgram.path("nghttpd"), in: folder) { ports, folder in
                ["-a", "127.0.0.1", "-d", folder.path, "--echo-upload", "-m", "20", "\(ports[0])"]
                    + [folder.path("server.key"), folder.path("server.pem")]
            }
        }

        var port: Int { peer.port }

        func transport() -> CurlTransport {
            CurlTransport(
                configuration: .with {
                    $0.settings.tls.trust = .file(peer.folder.path("ca.pem"))
                    $0.settings.addresses.overrides = [HostAndPort(host: "localhost", port: port): ["127.0.0.1"]]
                }
            )
        }

        func request(_ number: Int) throws -> NetworkRequest {
            let url = "https://localhost:\(port)/ca.pem"
            return number % 2 == 0 ? try .to(url) : try .to(url, method: .post, content: Self.content(number))
        }

        static func content(_ number: Int) -> Data { Data(repeating: UInt8(number % 251), count: 1 + number * 300) }

        /// The result of the load with this number.
        func answer(_ number: Int) throws -> Data {
            try number % 2 == 0 ? peer.folder.data("ca.pem") : Self.content(number)
        }
    }

    @Test("serves hundreds of loads with and without content, fifty simultaneously")
    func loads() async throws {
        let server = try await Server()
        let transport = server.transport()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<50 {
                group.addTask {
                    for number in stride(from: lane, to: 400, by: 50) {
                        let response = try await transport.load(server.request(number))
                        #expect(response.head.httpVersion == .http2)
                        #expect(try response.content == server.answer(number), "\(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("that ends during loads fails them with a typed error")
    func stop() async throws {
        let server = try await Server()
        let transport = server.transport()
        let results = await withTaskGroup(of: [Result<TransportResponse, SwiftyError>].self) { group in
            for lane in 0..<20 {
                group.addTask {
                    var results: [Result<TransportResponse, SwiftyError>] = []
                    for number in stride(from: lane, to: 400, by: 20) {
                        if number == 201 { server.peer.signal(SIGKILL) }
                        guard let request = try? server.request(number) else { continue }
                        results.append(await transport.result(of: request))
                    }
                    return results
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(results.count == 400)
        var failures = 0
        for case .failure(let error) in results {
            failures += 1
            // The system may have accepted the connection, which then ends during the handshake.
            #expect([.connectionLost, .connectionFailed, .tlsFailed].contains(error.code), "\(error)")
        }
        #expect((1..<400).contains(failures))
    }
}
