// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Time limits", .timeLimit(.minutes(15)))
struct TimeoutTests {
    private let transport = CurlTransport()
    /// Long enough for the preceding steps on a machine that sometimes stalls.
    private let short = Duration.seconds(3)

    private func timeout(
        _ script: [ScriptedServer.Step],
        _ timeouts: NetworkRequest.Timeouts,
        content: Data? = nil,
        setting: Setting
    ) async throws -> SwiftyError {
        let server = try ScriptedServer(script)
        let error = try await transport.failure(
            of: .to(server.url, method: content == nil ? .get : .post, content: content, timeouts: timeouts)
        )
        #expect(error.code == .timedOut)
        // Where there are two limits, the other one would also have ended it, but much later.
        #expect(error.reason.hasSuffix("3.0 seconds, the limit that \(setting.rawValue) sets"), "\(error)")
        return error
    }

    @Test("the total limit ends the wait for a response")
    func totalBeforeAnswer() async throws {
        let error = try await timeout(
            [.readRequest, .stall],
            NetworkRequest.Timeouts(total: short),
            setting: .totalTimeout
        )
        #expect(error.stage == .firstByte)
        #expect(error.sent == .maybeSent)
    }

    @Test("the total limit ends an endless response")
    func totalWithinContent() async throws {
        let drip: [ScriptedServer.Step] = Array(repeating: [.send("x"), .pause(.milliseconds(50))], count: 400).flatMap
        {
            $0
        }
        let head = ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        let error = try await timeout(
            [.readRequest, head] + drip,
            NetworkRequest.Timeouts(total: short),
            setting: .totalTimeout
        )
        #expect(error.stage == .content)
        #expect(error.sent == .responded)
        #expect(error.statusCode == 200)
        #expect(error.content?.isEmpty == false)
    }

    @Test("the first-byte limit ends the wait for a response")
    func firstByte() async throws {
        let error = try await timeout(
            [.readRequest, .stall],
            NetworkRequest.Timeouts(total: .seconds(60), firstByte: short),
            setting: .firstByteTimeout
        )
        #expect(error.stage == .firstByte)
        #expect(error.sent == .maybeSent)
    }

    @Test("the first-byte limit does not apply to the rest")
    func firstByteThenSlow() async throws {
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no"), .pause(.seconds(4)),
            .send("k"),
        ])
        let timeouts = NetworkRequest.Timeouts(total: .seconds(60), firstByte: short)
        #expect(try await transport.load(.to(server.url, timeouts: timeouts)).text == "ok")
    }

    @Test("the idle limit ends a silent response")
    func idleWithinContent() async throws {
        let script: [ScriptedServer.Step] = [
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .stall,
        ]
        let error = try await timeout(
            script,
            NetworkRequest.Timeouts(total: .seconds(60), idle: short),
            setting: .idleTimeout
        )
        #expect(error.stage == .content)
        #expect(error.sent == .responded)
        #expect(error.content == Data("short".utf8))
    }

    @Test("a slow response that is never silent for long does not end")
    func slowButAlive() async throws {
        let drip: [ScriptedServer.Step] = Array(repeating: [.send("x"), .pause(.milliseconds(50))], count: 60).flatMap {
            $0
        }
        let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n")] + drip)
        let timeouts = NetworkRequest.Timeouts(total: .seconds(60), idle: .seconds(10))
        #expect(try await transport.load(.to(server.url, timeouts: timeouts)).content.count == 60)
    }

    @Test("the idle limit ends an upload that the server does not read")
    func idleUpload() async throws {
        let body = Data(repeating: 1, count: 30_000_000)
        let error = try await timeout(
            [.readHead, .stall],
            NetworkRequest.Timeouts(total: .seconds(60), idle: short),
            content: body,
            setting: .idleTimeout
        )
        #expect(error.stage == .send)
        #expect(error.sent == .maybeSent)
    }

    @Test("an upload that the server reads slowly continues")
    func slowUpload() async throws {
        // The server reads the last part fast: no long silence follows the last byte that is sent.
        let reads: [ScriptedServer.Step] = Array(repeating: [.skip(1_000_000), .pause(.milliseconds(300))], count: 20)
            .flatMap { $0 }
        let server = try ScriptedServer([.readHead] + reads + [.skip(12_000_000), .respond(200)])
        let timeouts = NetworkRequest.Timeouts(total: .seconds(60), idle: .seconds(5))
        let body = Data(repeating: 1, count: 32_000_000)
        #expect(
            try await transport.load(.to(server.url, method: .post, content: body, timeouts: timeouts)).head.statusCode
                == 200
        )
    }

    @Test("the connect limit ends a connection that is not accepted")
    func connect() async throws {
        let server = try ScriptedServer([.readRequest, .respond(200)])
        // The facts about an earlier connection must not be taken for this one's.
        _ = try await transport.get(server.url)
        let listener = try FullListener()
        let timeouts = NetworkRequest.Timeouts(total: .seconds(60), connect: short)
        let error = try await transport.failure(of: .to(listener.url, timeouts: timeouts))
        #expect(error.code == .timedOut)
        #expect(error.stage == .connect)
        #expect(error.sent == .notSent)
        #expect(error.transfer?.isConnectionReused == false)
        #expect(error.transfer?.remotePort == 0)
        #expect(error.transfer?.remoteAddress == "")
        #expect(error.reason.hasSuffix("3.0 seconds, the limit that Timeouts.connect sets"), "\(error)")
    }

    @Test("the connect limit ends a TLS handshake without a response")
    func handshake() async throws {
        let server = try ScriptedServer([.stall])
        let url = server.url.replacingOccurrences(of: "http:", with: "https:")
        let timeouts = NetworkRequest.Timeouts(total: .seconds(60), connect: short)
        let error = try await transport.failure(of: .to(url, timeouts: timeouts))
        #expect(error.code == .timedOut)
        #expect(error.reason.hasSuffix("3.0 seconds, the limit that Timeouts.connect sets"), "\(error)")
        #expect(error.stage == .tls)
        #expect(error.sent == .notSent)
    }

    @Test(
        "loads that wait for one connection each have their own time limits",
        arguments: [
            NetworkRequest.Timeouts(connect: .seconds(3)), NetworkRequest.Timeouts(total: .seconds(3)),
            NetworkRequest.Timeouts(total: .seconds(3), connect: .seconds(60)),
        ]
    )
    func sharedConnection(timeouts: NetworkRequest.Timeouts) async throws {
        // It accepts the connection and never speaks TLS. With HTTP/2 possible, one connection is made for all.
        let server = try ScriptedServer([.stall])
        let url = server.url.replacingOccurrences(of: "http:", with: "https:")
        let ends = try await withThrowingTaskGroup(of: ContinuousClock.Instant.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let error = try await transport.failure(of: .to(url, timeouts: timeouts))
                    #expect(error.code == .timedOut)
                    #expect(error.sent == .notSent)
                    #expect(error.reason.contains("3.0 seconds"), "\(error)")
                    return .now
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // Sequentially they would take 57 seconds longer than the first.
        #expect(try #require(ends.max()) - #require(ends.min()) < .seconds(40))
    }

    @Test("many simultaneous limits are all enforced")
    func many() async throws {
        let server = try ScriptedServer([.readRequest, .stall])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let timeouts = NetworkRequest.Timeouts(
                        firstByte: .milliseconds(50 + number * 5),
                        idle: .seconds(60)
                    )
                    let error = try await transport.failure(of: .to(server.url, timeouts: timeouts))
                    #expect(error.code == .timedOut)
                }
            }
            try await group.waitForAll()
        }
    }
}
