// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import Synchronization
import TestSupport
import Testing

/// Loads of GET while their server is reloaded, or ends and is started again.
@Suite("Servers that restart under load", .timeLimit(.minutes(15)), .serialized)
struct RestartTests {
    /// The loads of some tasks, until they are told to end.
    private final class Load: Sendable {
        private struct State {
            var count = 0
            var errors: [SwiftyError] = []
            var isOver = false
        }

        private let state = Mutex(State())

        var count: Int { state.withLock { $0.count } }
        var errors: [SwiftyError] { state.withLock { $0.errors } }

        func end() { state.withLock { $0.isOver = true } }

        /// Loads by 20 tasks. A load that has failed counts as one error and is not repeated here.
        func run(_ url: String, with transport: CurlTransport) async {
            await withTaskGroup(of: Void.self) { group in
                for lane in 0..<20 {
                    group.addTask {
                        var number = 0
                        while !self.state.withLock({ $0.isOver }) {
                            number += 1
                            await self.load("\(url)/\(lane)-\(number)", with: transport)
                        }
                    }
                }
            }
        }

        private func load(_ url: String, with transport: CurlTransport) async {
            do {
                let response = try await transport.get(url)
                #expect([200, 404].contains(response.head.statusCode))
                state.withLock { $0.count += 1 }
            } catch let error as SwiftyError {
                state.withLock { $0.errors.append(error) }
            } catch { Issue.record(error) }
        }

        /// Whether a load succeeds in the end, if it is repeated after each error, as a pipeline does.
        func repeatedly(_ url: String, with transport: CurlTransport) async throws -> Bool {
            for _ in 0..<500 {
                switch await transport.result(of: try .to(url)) {
                case .success(let response):
                    state.withLock { $0.count += 1 }
                    return response.head.statusCode == 200
                case .failure(let error): state.withLock { $0.errors.append(error) }
                }
                // The server is away.
                try await Task.sleep(for: .milliseconds(20))
            }
            return false
        }
    }

    private func transport(_ server: PeerServer) -> CurlTransport {
        CurlTransport(
            configuration: .with {
                $0.settings.tls.trust = .file(server.folder.path("ca.pem"))
                $0.settings.addresses.overrides = [HostAndPort(host: "localhost", port: server.port): ["127.0.0.1"]]
            }
        )
    }

    /// Reloads a server five times during loads, and returns the errors.
    private func errors(
        of url: String,
        _ transport: CurlTransport,
        restart: () async throws -> Void
    ) async throws -> [SwiftyError] {
        let load = Load()
        async let end: Void = load.run(url, with: transport)
        for round in 1...5 {
            try await until { load.count >= 200 * round }
            try await restart()
            let count = load.count
            try await until { load.count > count + 50 }
        }
        load.end()
        await end
        await transport.shutdown()
        return load.errors
    }

    @Test("nginx reloads: no GET fails", arguments: [true, false])
    func nginxReload(isHTTP2: Bool) async throws {
        let server = try await PeerServer.nginx(files: CertificateFactory.localhost(), hasMaster: true) { port, _ in
            """
            server {
              listen 127.0.0.1:\(port) ssl\(isHTTP2 ? " http2" : "");
              ssl_certificate server.pem; ssl_certificate_key server.key; keepalive_requests 100000;
              location / { return 200 'ok'; }
            }
            """
        }
        let errors = try await errors(of: server.secureURL, transport(server)) { server.signal(SIGHUP) }
        #expect(errors.isEmpty, "\(errors.prefix(3))")
    }

    @Test("gunicorn reloads: no GET fails")
    func gunicornReload() async throws {
        let server = try await PeerServer.httpbin()
        let errors = try await errors(of: server.url + "/anything", CurlTransport()) { server.signal(SIGHUP) }
        #expect(errors.isEmpty, "\(errors.prefix(3))")
    }

    /// A program that serves a file.
    enum Program: String, CaseIterable {
        case nginx, nghttpd

        func arguments(_ port: Int, _ folder: TemporaryFolder) -> [String] {
            switch self {
            case .nginx: ["-p", folder.path, "-c", "nginx.conf", "-e", "stderr"]
            case .nghttpd:
                ["-a", "127.0.0.1", "-d", folder.path, "\(port)", folder.path("server.key"), folder.path("server.pem")]
            }
        }

        func start() async throws -> PeerServer {
            let files = try await CertificateFactory.localhost()
            if self == .nginx {
                return try await .nginx(files: files) { port, folder in
                    """
                    server {
                      listen 127.0.0.1:\(port) ssl http2; root \(folder);
                      ssl_certificate server.pem; ssl_certificate_key server.key;
                    }
                    """
                }
            }
            let folder = try TemporaryFolder()
            for (name, content) in files { try folder.file(name, content) }
            return try await .start(ExternalProgram.path(rawValue), in: folder) { ports, folder in
                arguments(ports[0], folder)
            }
        }
    }

    @Test(
        "that end and start again fail loads with typed errors, and each succeeds if it is repeated",
        arguments: Program.allCases,
        [SIGTERM, SIGKILL]
    )
    func restart(program: Program, signal: Int32) async throws {
        let server = try await program.start()
        let transport = transport(server)
        let load = Load()
        let url = server.secureURL + "/ca.pem"
        let isOver = Gate()
        async let failed = withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    var failures = 0
                    while !isOver.isOpen { failures += try await load.repeatedly(url, with: transport) ? 0 : 1 }
                    return failures
                }
            }
            return try await group.reduce(0, +)
        }
        try await until { load.count >= 200 }
        server.signal(signal)
        try await until { !PeerServer.accepts(port: server.port) }
        try await until { load.errors.count > 20 }
        let path = try ExternalProgram.path(program.rawValue)
        let second = try ChildProcess(path, program.arguments(server.port, server.folder))
        defer { second.terminate() }
        try await until { PeerServer.accepts(port: server.port) }
        isOver.open()
        #expect(try await failed == 0)
        let codes = Set(load.errors.map(\.code))
        #expect(codes.isSubset(of: [.connectionLost, .connectionFailed, .tlsFailed]), "\(codes)")
        await transport.shutdown()
    }
}
