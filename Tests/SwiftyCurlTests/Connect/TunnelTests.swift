// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Tunnels through a proxy", .timeLimit(.minutes(15)))
struct TunnelTests {
    private let established = ScriptedServer.Step.send("HTTP/1.1 200 Established\r\nX-Proxy: canary\r\n\r\n")

    /// A request to an http URL that needs a tunnel because it connects elsewhere, so that a script can respond in it.
    private func request(
        _ url: String = "http://one.test/",
        method: HTTPRequest.Method = .get,
        content: String? = nil
    ) throws -> NetworkRequest {
        var request = try NetworkRequest.to(
            url,
            method: method,
            headers: [.authorization: "canary", .cookie: "canary", .userAgent: "canary"],
            content: content.map { Data($0.utf8) }
        )
        request.connectsTo = HostAndPort(host: "other.test", port: 8080)
        return request
    }

    @Test("hide the request's fields from the proxy, and the proxy's from the server")
    func separation() async throws {
        let proxy = try ScriptedServer([
            .readRequest, established, .readRequest, .respond(200, [("X-Origin", "yes")], content: "answer"),
            .readRequest,
            .respond(201),
        ])
        let transport = CurlTransport.through(proxy, user: "user", password: "password")
        let response = try await transport.load(request())
        #expect(response.head.statusCode == 200)
        #expect(response.text == "answer")
        #expect(response.head.headers.map(\.name.rawName) == ["X-Origin", "Content-Length"])
        #expect(response.metrics.proxyStatusCode == 200)
        let second = try await transport.load(request(method: .post, content: "content"))
        #expect(second.head.statusCode == 201)
        #expect(second.metrics.isConnectionReused)
        #expect(second.metrics.proxyStatusCode == nil)
        let (connect, get, post) = (proxy.log.requests[0], proxy.log.requests[1], proxy.log.requests[2])
        #expect(connect.method == "CONNECT")
        #expect(connect.target == "other.test:8080")
        #expect(connect["Proxy-Authorization"] == "Basic \(Data("user:password".utf8).base64EncodedString())")
        #expect(!connect.headText.contains("canary"))
        for request in [get, post] {
            #expect(request.target == "/")
            #expect(request["Host"] == "one.test")
            #expect(request["Authorization"] == "canary")
            #expect(!request.headText.contains("roxy-"))
        }
    }

    /// libcurl reads such content in one go, and the loop waits meanwhile.
    @Test(
        "that the proxy refuses with endless content fail, and delay nothing else",
        arguments: ["Content-Length: 9000000000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n"]
    )
    func endlessRefusal(_ framing: String) async throws {
        let content = [UInt8](repeating: 65, count: 8 << 20)
        let proxy = try ScriptedServer([.readRequest, .send("HTTP/1.1 407 No\r\n" + framing), .send(content), .stall])
        let transport = CurlTransport.through(proxy)
        let error = try await transport.failure(of: request())
        #expect(error.code == .proxyFailed, "\(error)")
        #expect(error.sent == .notSent, "\(error)")
        #expect(error.reason.contains("bytes"), "\(error)")
    }

    @Test(
        "that the proxy refuses are typed errors with its status",
        arguments: [
            (407, SwiftyError.Code.proxyAuthenticationRequired), (403, .proxyFailed), (502, .proxyFailed),
            (302, .proxyFailed), (500, .proxyFailed),
        ],
        ["https://one.test/", "http://one.test/"]
    )
    func refused(_ answer: (Int, SwiftyError.Code), _ url: String) async throws {
        let fields = [("Proxy-Authenticate", "Basic realm=\"x\""), ("Location", "http://evil.test/")]
        let proxy = try ScriptedServer([
            .readRequest, .respond(answer.0, fields, content: "the proxy's words"), .readRequest,
        ])
        let transport = CurlTransport.through(proxy, user: "user", password: "canary")
        let error = try await transport.failure(of: request(url, method: .post, content: "content"))
        #expect(error.code == answer.1)
        #expect(error.stage == .connect)
        #expect(error.sent == .notSent)
        #expect(error.proxyStatusCode == answer.0)
        #expect(error.reason.contains("\(answer.0)"))
        #expect(error.head == nil)
        #expect(error.content == nil)
        #expect(!"\(error)".contains("canary"))
        #expect(proxy.log.requests.map(\.method) == ["CONNECT"])
    }

    @Test(
        "fail if the proxy's response is malformed",
        arguments: [
            [ScriptedServer.Step.close], [.reset], [.send("nonsense\r\n\r\n"), .close], [.send("HTTP/1.1 2"), .close],
            [.send("HTTP/1.1 abc\r\n\r\n"), .close], [.send([0, 1, 2, 13, 10, 13, 10]), .close],
            [.send("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 200_000)), .close],
        ]
    )
    func garbage(_ steps: [ScriptedServer.Step]) async throws {
        let proxy = try ScriptedServer([.readRequest] + steps)
        for url in ["https://one.test/", "http://one.test/"] {
            let error = try await CurlTransport.through(proxy).failure(
                of: request(url, method: .post, content: "content")
            )
            #expect(error.code == .proxyFailed, "\(error)")
            #expect(error.stage == .connect)
            #expect(error.sent == .notSent)
            #expect(error.head == nil)
        }
        #expect(proxy.log.requests.allSatisfy { $0.method == "CONNECT" })
    }

    @Test("that the proxy does not open in time are connect timeouts")
    func timeout() async throws {
        let proxy = try ScriptedServer([.readRequest, .stall])
        var request = try request("https://one.test/")
        request.timeouts = NetworkRequest.Timeouts(connect: .seconds(3))
        let error = try await CurlTransport.through(proxy).failure(of: request)
        #expect(error.code == .timedOut)
        #expect(error.stage == .connect)
        #expect(error.sent == .notSent)
    }

    @Test("to a server without TLS fail in the handshake with it, not with the proxy")
    func handshake() async throws {
        let proxy = try ScriptedServer([.readRequest, established, .skip(1), .send("no TLS at all\r\n"), .close])
        let error = try await CurlTransport.through(proxy).failure(of: .to("https://one.test/"))
        #expect(error.code == .tlsFailed)
        #expect(error.stage == .tls)
        #expect(error.sent == .notSent)
        #expect(error.proxyStatusCode == 200)
    }

    @Test("that break during a POST are not used to repeat it", arguments: [[ScriptedServer.Step.close], [.reset]])
    func replay(_ steps: [ScriptedServer.Step]) async throws {
        let proxy = try ScriptedServer { [established] connection in
            connection == 0
                ? [.readRequest, established, .readRequest, .respond(200, content: "one"), .readRequest] + steps
                : [.readRequest, established, .readRequest, .respond(200, content: "fresh")]
        }
        let transport = CurlTransport.through(proxy)
        _ = try await transport.load(request())
        let error = try await transport.failure(of: request(method: .post, content: "content"))
        #expect(error.code == .connectionLost)
        #expect(error.sent == .maybeSent)
        // A repetition would be on its way before the next request of the same loop.
        #expect(try await transport.load(request()).text == "fresh")
        #expect(proxy.log.requests.map(\.method) == ["CONNECT", "GET", "POST", "CONNECT", "GET"])
        #expect(proxy.connectionCount == 2)
    }

    @Test("with stale bytes are not used, and the request goes out in a new one")
    func stale() async throws {
        let proxy = try ScriptedServer { [established] connection in
            connection == 0
                ? [
                    .readRequest, established, .readRequest, .respond(200, content: "one"),
                    .respond(200, content: "EVIL"),
                    .stall,
                ]
                : [.readRequest, established, .readRequest, .respond(200, content: "fresh")]
        }
        let transport = CurlTransport.through(proxy)
        _ = try await transport.load(request())
        try await OpenSockets.waitUntilStale(toPorts: [proxy.port])
        let response = try await transport.load(request(method: .post, content: "content"))
        #expect(response.text == "fresh")
        #expect(proxy.log.requests.map(\.method) == ["CONNECT", "GET", "CONNECT", "POST"])
    }
}
