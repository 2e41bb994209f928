// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

/// Bytes that arrive before the first request of a connection (RFC 9112 §9.2).
@Suite("What a server sends before it has a request", .timeLimit(.minutes(15)))
struct FirstRequestTests {
    /// The connection's way to the server. On each of them the bytes arrive together with what completes it.
    enum Way: CaseIterable {
        case tunnel
        case socks
        case tls
    }

    private static let early = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly"

    /// A server that speaks first on the first connections, and a transport for it.
    private struct Scene {
        let transport: CurlTransport
        let url: String
        /// Keeps the server alive.
        let server: Any

        init(_ way: Way, count: Int) async throws {
            switch way {
            case .tls:
                let peer = try await TLSPeer("speaks_first.py", option: "\(count)")
                (transport, url, server) = (peer.transport(), peer.url(""), peer)
            case .tunnel, .socks:
                let proxy = try ScriptedServer { Self.script(way, isEarly: $0 < count) }
                let kind = way == .socks ? TransportSettings.Proxy.Kind.socks5 : .http
                let address = HostAndPort(host: "127.0.0.1", port: proxy.port)
                transport = CurlTransport(
                    configuration: .with { $0.settings.proxy = .proxy(TransportSettings.Proxy(kind, at: address)) }
                )
                (url, server) = ("http://one.test:\(proxy.port)/", proxy)
            }
        }

        private static func script(_ way: Way, isEarly: Bool) -> [ScriptedServer.Step] {
            let early = isEarly ? Array(FirstRequestTests.early.utf8) : []
            let exchanges = Array(
                repeating: [ScriptedServer.Step.readRequest, .respond(content: "right")],
                count: 3
            ).flatMap { $0 }
            switch way {
            case .socks:
                // The client's messages of SOCKS, with their lengths, come in front of its first request.
                return [.skip(2), .pause(.milliseconds(100)), .send([5, 0]), .pause(.milliseconds(100))]
                    + [.send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0] + early)] + exchanges
            default: return [.readRequest, .send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + early)] + exchanges
            }
        }

        func request(_ path: String, _ way: Way, method: HTTPRequest.Method = .get) throws -> NetworkRequest {
            let body = method == .post ? Data("content".utf8) : nil
            let limits = NetworkRequest.Timeouts(total: .seconds(30))
            var request = try NetworkRequest.to(url + path, method: method, content: body, timeouts: limits)
            // A tunnel is opened for an `http` URL if the request connects elsewhere.
            if way == .tunnel { request.connectsTo = HostAndPort(host: "127.0.0.1", port: request.target.port) }
            return request
        }
    }

    @Test(
        "is no response: the request goes to another connection, also if it may not be repeated",
        arguments: Way.allCases
    )
    func once(way: Way) async throws {
        for method in [HTTPRequest.Method.get, .post] {
            let scene = try await Scene(way, count: 1)
            let first = try await scene.transport.load(scene.request("first", way, method: method))
            #expect(first.text == (way == .tls ? "\(method) /first" : "right"))
            // The connection is not one response behind.
            let second = try await scene.transport.load(scene.request("second", way))
            #expect(second.text == (way == .tls ? "GET /second" : "right"))
            #expect(second.metrics.isConnectionReused)
            #expect(first.metrics.repetitions == 0)
        }
    }

    @Test("is an error of a request that was not sent, if it comes again", arguments: Way.allCases)
    func always(way: Way) async throws {
        let scene = try await Scene(way, count: .max)
        for method in [HTTPRequest.Method.get, .post] {
            let error = try await scene.transport.failure(of: scene.request("", way, method: method))
            #expect(error.code == .malformedResponse)
            #expect(error.sent == .notSent)
            #expect(error.statusCode == nil)
            #expect(error.reason == "the server sent bytes before it had a request, which cannot be a response")
        }
    }
}
