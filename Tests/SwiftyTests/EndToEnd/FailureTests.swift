// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

/// The whole way over real sockets, against servers that misbehave.
@Suite("A failing exchange", .timeLimit(.minutes(15)))
struct FailureTests {
    struct Misbehaviour: Sendable, CustomTestStringConvertible {
        let name: String
        let script: [ScriptedServer.Step]
        let codes: Set<SwiftyError.Code>
        var timeout: Duration = .seconds(30)
        var testDescription: String { name }
    }

    static let misbehaviours: [Misbehaviour] = [
        Misbehaviour(name: "no response at all", script: [.readRequest, .close], codes: [.connectionLost]),
        Misbehaviour(name: "a reset", script: [.readRequest, .reset], codes: [.connectionLost]),
        Misbehaviour(
            name: "not HTTP",
            script: [.readRequest, .send("SSH-2.0-OpenSSH_9.2\r\n"), .close],
            codes: [.malformedResponse]
        ),
        Misbehaviour(
            name: "a head that is cut",
            script: [.readRequest, .send("HTTP/1.1 200 OK\r\nX-A: b\r\n"), .close],
            codes: [.connectionLost]
        ),
        Misbehaviour(
            name: "content that is short",
            script: [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .close],
            codes: [.connectionLost]
        ),
        Misbehaviour(
            name: "chunks that are cut",
            script: [
                .readRequest, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n"), .close,
            ],
            codes: [.connectionLost]
        ),
        Misbehaviour(
            name: "two lengths",
            script: [
                .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nshort"), .close,
            ],
            codes: [.malformedResponse]
        ),
        Misbehaviour(name: "silence", script: [.readRequest, .stall], codes: [.timedOut], timeout: .seconds(3)),
        Misbehaviour(
            name: "silence in the content",
            script: [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .stall],
            codes: [.timedOut],
            timeout: .seconds(3)
        ),
    ]

    @Test("is a typed error, and completes every form of load once", arguments: misbehaviours)
    func completesOnce(misbehaviour: Misbehaviour) async throws {
        let server = try ScriptedServer(misbehaviour.script)
        let swifty = Swifty()
        let resource = BaseResource(server.url, networkInterface: swifty).post("x").text("body").timeout(
            misbehaviour.timeout
        )
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error.map { misbehaviour.codes.contains($0.code) } == true, "\(String(describing: error))")
        #expect(error?.sent != .notSent)
        #expect(error?.attempts.count == 1)
        #expect(error?.request?.method == "POST")
        #expect(error?.metrics.map { $0.total > .zero } == true)
        let (calls, isReleased) = (Counter(), Gate())
        let called: SwiftyError? = await withCheckedContinuation { continuation in
            let mark = ReleaseMark(opening: isReleased)
            resource.load { (response: NetworkResponse) in
                withExtendedLifetime(mark) {
                    if calls.increment() == 1 { continuation.resume(returning: response.error) }
                }
            }
        }
        #expect(called?.code == error?.code)
        // A closure that is released is not called again.
        try await until { isReleased.isOpen }
        #expect(calls.value == 1)
    }

    @Test("to reach a server is an error that names the server and shows that nothing was sent")
    func unreachable() async throws {
        let swifty = Swifty()
        let refused = await #expect(throws: SwiftyError.self) {
            try await BaseResource("http://127.0.0.1:1", networkInterface: swifty).get().load()
        }
        #expect(refused?.code == .connectionFailed)
        #expect(refused?.stage == .connect)
        #expect(refused?.sent == .notSent)
        #expect(refused?.description.contains("127.0.0.1") == true)
        let unknown = await #expect(throws: SwiftyError.self) {
            try await BaseResource("http://name.invalid", networkInterface: swifty).get().load()
        }
        #expect(unknown?.code == .nameResolutionFailed)
        #expect(unknown?.stage == .nameLookup)
        #expect(unknown?.sent == .notSent)
        let cleartext = try ScriptedServer([.skip(1), .send("HTTP/1.1 400 Bad Request\r\n\r\n"), .close])
        let tls = await #expect(throws: SwiftyError.self) {
            try await BaseResource("https://127.0.0.1:\(cleartext.port)", networkInterface: swifty).get().load()
        }
        #expect(tls?.code == .tlsFailed)
        #expect(tls?.stage == .tls)
        #expect(tls?.sent == .notSent)
    }

    @Test("to speak TLS with a port without it comes from the server, and not from a time limit")
    func cleartextPorts() async throws {
        let swifty = Swifty()
        let (loopback, raw) = (try LoopbackServer(), try ScriptedServer([.readRequest, .respond()]))
        // Some ClientHello messages contain a line end by chance, and the server then sees that they are no requests.
        for port in Array(repeating: [loopback.port, raw.port], count: 10).flatMap(\.self) {
            let error = await #expect(throws: SwiftyError.self) {
                try await BaseResource("https://127.0.0.1:\(port)", networkInterface: swifty).get().load()
            }
            // A server that only closes the connection may also restart, and such a load may be retried.
            #expect(error?.code == .tlsFailed || error?.code == .connectionLost, "\(error as Any)")
            #expect(error?.stage == .tls, "\(error as Any)")
            #expect(error?.sent == .notSent, "\(error as Any)")
        }
        #expect(loopback.connectionCount == 10)
        #expect(raw.connectionCount == 10)
        #expect(raw.log.requests.isEmpty)
    }

    @Test("of the caller's making never opens a connection")
    func nothingSent() async throws {
        let server = try ScriptedServer([.readRequest, .respond()])
        let base = BaseResource(server.url, networkInterface: Swifty())
        let mistakes: [NetworkResource] = [
            base.get("x").header("X", "a\r\nEvil: 1"), base.get("a\r\nb"), base.request("GE\r\nT"),
            base.get("../x"),
            base.post("x").multipart(name: "a\0b", value: "c"),
            base.post("x").header("Transfer-Encoding", "chunked").text("a"),
            base.get("x/{y}"), base.get("x").mock(file: "no-such-file.json"), base.post("x").file("/no/such/file"),
        ]
        for resource in mistakes {
            let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
            #expect(error?.sent == .notSent)
            #expect(error?.stage == .building)
        }
        #expect(server.connectionCount == 0)
    }

    @Test("leaves no socket open, and releases the objects that it held")
    func leaks() async throws {
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .close,
        ])
        let swifty = Swifty()
        weak var last: NetworkResource?
        weak var lastResponse: NetworkResponse?
        func load() async {
            let resource = BaseResource(server.url, networkInterface: swifty).get("x")
            let response = await swifty.load(resource.draft, cancellation: LoadCancellation())
            (last, lastResponse) = (resource, response)
        }
        for _ in 0..<200 { await load() }
        #expect(last == nil)
        #expect(lastResponse == nil)
        let port = server.port
        try await until { Self.socketCount(connectedTo: port) == 0 }
    }

    /// The number of this machine's sockets that are connected to the port, or were and have not been closed on this
    /// side. Counted for one server's port, because other tests open and close descriptors meanwhile.
    private static func socketCount(connectedTo port: Int) -> Int {
        let established = "01"
        let closeWait = "08"
        let table = (try? String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)) ?? ""
        let suffix = ":" + String(format: "%04X", port)
        let rows = table.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
        return rows.filter { columns in
            guard columns.count > 3, columns[2].hasSuffix(suffix) else { return false }
            return columns[3] == established || columns[3] == closeWait
        }.count
    }
}
