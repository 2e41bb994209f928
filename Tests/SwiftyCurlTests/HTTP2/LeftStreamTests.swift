// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

/// Streams that the client resets while their frames are on the way: with nginx, and 15 milliseconds in each direction.
@Suite("HTTP/2 streams that are left early", .timeLimit(.minutes(15)))
struct LeftStreamTests {
    private struct Scene {
        let server: NginxServer
        let proxy: FaultyProxy
        let transport: CurlTransport

        init(_ change: @Sendable (inout CurlTransport.Configuration) -> Void = { _ in }) async throws {
            var files = try await CertificateFactory.localhost()
            files["big.bin"] = Data(repeating: 7, count: 8 << 20)
            server = try await NginxServer.start(files: files) { port in
                """
                server {
                  listen 127.0.0.1:\(port) ssl http2;
                  ssl_certificate server.pem; ssl_certificate_key server.key;
                  location / { return 200 "ok"; }
                  location /big.bin { alias big.bin; http2_chunk_size 8k; }
                }
                """
            }
            let proxy = try FaultyProxy(to: server.port)
            for direction in FaultyProxy.Direction.allCases {
                proxy.setPath(direction, FaultyProxy.Path(latency: .milliseconds(15)))
            }
            self.proxy = proxy
            let name = HostAndPort(host: "localhost", port: proxy.port)
            let authority = server.certificateAuthority
            transport = CurlTransport(
                configuration: .with {
                    $0.settings.tls.trust = .file(authority)
                    $0.settings.addresses.overrides = [name: ["127.0.0.1"]]
                    change(&$0)
                }
            )
        }

        func request(_ path: String, method: HTTPRequest.Method = .get) throws -> NetworkRequest {
            try .to(
                "https://localhost:\(proxy.port)/\(path)",
                method: method,
                content: method == .post ? Data("x".utf8) : nil
            )
        }

        /// A request that opens a gate when the head of its response has arrived, or some of the content.
        func request(_ path: String, opening gate: Gate, hasContent: Bool) throws -> NetworkRequest {
            var request = try request(path)
            request.onEvent = { event in
                switch event {
                case .responseHead where !hasContent, .progress: gate.open()
                default: break
                }
            }
            return request
        }
    }

    @Test("are no flood of the server: requests beside them succeed")
    func leaving() async throws {
        let scene = try await Scene()
        for _ in 0..<60 {
            let beside = Task { try await scene.transport.load(scene.request("beside", method: .post)) }
            let stream = try await scene.transport.stream(scene.request("big.bin"), cancellation: LoadCancellation())
            var count = 0
            while count < 90_000, let part = try await stream.content.next() { count += part.count }
            #expect(count >= 90_000)
            stream.content.cancel()
            #expect(try await beside.value.head.statusCode == 200)
        }
        #expect(scene.proxy.connectionCount == 1)
    }

    @Test(
        "leave room on the only connection that is allowed, also without PINGs",
        arguments: [nil, Duration.seconds(15)]
    )
    func room(pingInterval: Duration?) async throws {
        let scene = try await Scene {
            $0.settings.connections.pingInterval = pingInterval
            $0.settings.connections.maximumPerHost = 1
            $0.maximumConcurrentStreams = 4
        }
        for _ in 0..<12 {
            let stream = try await scene.transport.stream(scene.request("big.bin"), cancellation: LoadCancellation())
            _ = try await stream.content.next()
            stream.content.cancel()
            var request = try scene.request("after")
            request.timeouts.total = .seconds(60)
            #expect(try await scene.transport.load(request).text == "ok")
        }
        #expect(scene.proxy.connectionCount == 1)
    }

    @Test("take their place until the server knows of them")
    func place() async throws {
        let scene = try await Scene {
            $0.settings.connections.maximumPerHost = 1
            $0.maximumConcurrentStreams = 1
        }
        #expect(try await scene.transport.load(scene.request("before")).text == "ok")
        scene.proxy.setPath(.down, FaultyProxy.Path(latency: .seconds(20)))
        let (cancellation, isSent) = (LoadCancellation(), Gate())
        var left = try scene.request("left")
        left.onEvent = { if case .requestSent = $0 { isSent.open() } }
        let task = Task { [left] in try await scene.transport.send(left, cancellation: cancellation) }
        await isSent.wait()
        cancellation.cancel()
        await #expect(throws: SwiftyError.self) { try await task.value }
        var next = try scene.request("next", method: .post)
        next.timeouts.total = .seconds(2)
        let error = await #expect(throws: SwiftyError.self) { try await scene.transport.load(next) }
        #expect(error?.code == .timedOut)
        #expect(error?.sent == .notSent)
    }

    @Test("by cancelled loads are no flood either")
    func cancelling() async throws {
        let scene = try await Scene()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    for number in 0..<25 {
                        let (cancellation, mayCancel) = (LoadCancellation(), Gate())
                        let request = try scene.request("big.bin", opening: mayCancel, hasContent: number % 2 == 0)
                        let task = Task {
                            defer { mayCancel.open() }
                            return try await scene.transport.send(request, cancellation: cancellation)
                        }
                        try await until { mayCancel.isOpen }
                        cancellation.cancel()
                        if case .failure(let error as SwiftyError) = await task.result {
                            #expect(error.code == .cancelled, "\(error)")
                        }
                        let beside = try await scene.transport.load(scene.request("beside", method: .post))
                        #expect(beside.head.statusCode == 200)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
