// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport

// Connections that serve several requests, and requests that are sent again.

extension Conformance {
    private static let two: [ScriptedServer.Step] = [
        .readRequest, .respond(content: "one"), .readRequest, .respond(content: "two"), .stall,
    ]

    static let reuse = [
        kept("length", "A complete response leaves its connection to the next request.", two, isReused: true),
        kept(
            "chunked",
            "So does a chunked one, whose last chunk belongs to it.",
            [
                .readRequest, .send(AnswerRow.chunked + "3\r\none\r\n0\r\nX: y\r\n\r\n"), .readRequest,
                .respond(content: "two"), .stall,
            ],
            isReused: true
        ),
        kept(
            "close",
            "Connection: close ends the connection.",
            [
                .readRequest, .respond(200, [("Connection", "close")], content: "one"), .readRequest,
                .respond(content: "no"),
                .stall,
            ],
            isReused: false
        ),
        kept(
            "http-1.0",
            "A connection of HTTP/1.0 ends with its response.",
            [
                .readRequest, .send("HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\none"), .readRequest,
                .respond(content: "no"), .stall,
            ],
            isReused: false
        ),
        ConformanceScenario(
            "reuse/excess",
            "A connection with bytes behind the response is not used again."
        ) { run in
            let excess: [ScriptedServer.Step] = [
                .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\noneHTTP/1.1 200 OK\r\n"),
                .send("Content-Length: 2\r\n\r\nno"), .readRequest, .respond(content: "no"), .stall,
            ]
            let server = try run.server(first: excess, then: "two")
            let transport = run.transport()
            try expect("the first content", try await transport.text(of: server.url), is: "one")
            switch await transport.result(of: try .to(server.url)) {
            case .success(let response): try expect("the second content", response.text, is: "two")
            case .failure(let error):
                // The second request may meet the connection while the transport closes it.
                try expect(!run.subject.capabilities.contains(.replayRule), "the request is not repeated: \(error)")
                try ExpectedFailure(.connectionLost).check(error)
            }
            let reused = server.log.requests.filter { $0.connection == 0 }
            try expect("the number of requests on the first connection", reused.count, is: 1)
        },
        ConformanceScenario(
            "reuse/new-connection",
            "A request can demand a connection of its own.",
            needs: [.network, .connectionReuse, .newConnections]
        ) { run in
            let (server, transport) = (try run.server { _ in two }, run.transport())
            _ = try await transport.text(of: server.url)
            var request = try NetworkRequest.to(server.url)
            request.requiresNewConnection = true
            try expect("the content", try await transport.load(request).text, is: "one")
            try expect("the number of connections", server.connectionCount, is: 2)
        },
        ConformanceScenario(
            "reuse/reroute",
            "A rerouted request reaches the other server, with the Host of its target.",
            needs: [.network, .reroutes]
        ) { run in
            let server = try run.server(.readRequest, .respond(content: "other"), .stall)
            var request = try NetworkRequest.to("http://api.example.test/a")
            request.connectsTo = HostAndPort(host: "127.0.0.1", port: server.port)
            try expect("the content", try await run.transport().load(request).text, is: "other")
            try expect("Host", server.log.last?["Host"], is: "api.example.test")
        },
        ConformanceScenario(
            "reuse/limit",
            "A limit for the connections to a host is kept.",
            needs: [.network, .connectionLimits]
        ) { run in
            let many = Array(repeating: [ScriptedServer.Step.readRequest, .respond(content: "a")], count: 12)
            let server = try run.server { _ in many.flatMap { $0 } + [.stall] }
            let transport = run.transport { $0.connections.maximumPerHost = 2 }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<12 { group.addTask { _ = try await transport.text(of: server.url) } }
                try await group.waitForAll()
            }
            try expect(server.connectionCount <= 2, "there are \(server.connectionCount) connections")
        },
    ]

    /// Two loads, one after the other, and whether they share a connection.
    private static func kept(
        _ name: String,
        _ sentence: String,
        _ script: [ScriptedServer.Step],
        isReused: Bool
    ) -> ConformanceScenario {
        ConformanceScenario(
            "reuse/\(name)",
            sentence,
            needs: isReused ? [.network, .connectionReuse] : .network
        ) { run in
            let server = try run.server(first: script, then: "two")
            let transport = run.transport()
            try expect("the first content", try await transport.text(of: server.url), is: "one")
            try expect("the second content", try await transport.text(of: server.url), is: "two")
            try expect("the number of connections", server.connectionCount, is: isReused ? 1 : 2)
        }
    }

    /// Requests on a kept connection that dies.
    static let replay = [
        replayed("get", "A GET is repeated once.", .get, [.readRequest, .close], isRepeated: true),
        replayed("get-reset", "A GET is repeated after a reset, too.", .get, [.readRequest, .reset], isRepeated: true),
        replayed("put", "A PUT with its content is repeated.", .put, [.readRequest, .close], isRepeated: true),
        replayed("post", "A POST is never repeated.", .post, [.readRequest, .close], isRepeated: false),
        replayed(
            "post-reset",
            "A POST is not repeated after a reset either.",
            .post,
            [.readRequest, .reset],
            isRepeated: false
        ),
        replayed(
            "answered",
            "A GET whose response has begun is not repeated.",
            .get,
            [.readRequest, .send(AnswerRow.ok + "Content-Length: 9\r\n\r\nabc"), .close],
            isRepeated: false
        ),
        ConformanceScenario(
            "replay/fresh",
            "A request on a new connection is never repeated."
        ) { run in
            let server = try run.server(.readRequest, .close)
            let error = try await run.transport().failure(of: .to(server.url))
            try ExpectedFailure(.connectionLost, [.firstByte], .maybeSent).check(error)
            try expect("the number of requests", server.log.count, is: 1)
        },
        ConformanceScenario(
            "replay/stale",
            "A connection that the server has closed while it was idle is not used.",
            needs: [.network, .connectionReuse]
        ) { run in
            let server = try run.server(first: [.readRequest, .respond(content: "one"), .close], then: "two")
            let transport = run.transport()
            _ = try await transport.text(of: server.url)
            try await eventually("the server has closed") { server.openConnectionCount == 0 }
            try await Task.sleep(for: .seconds(1))
            let response = try await transport.load(.to(server.url, .post, content: "a"))
            try expect("the content", response.text, is: "two")
            try expect("the methods", server.log.requests.map(\.method), is: ["GET", "POST"])
        },
    ]

    /// A second request on a kept connection, which ends instead of responding.
    private static func replayed(
        _ name: String,
        _ sentence: String,
        _ method: HTTPRequest.Method,
        _ end: [ScriptedServer.Step],
        isRepeated: Bool
    ) -> ConformanceScenario {
        let needs: TransportCapabilities = isRepeated ? [.network, .connectionReuse, .replayRule] : .network
        return ConformanceScenario("replay/\(name)", sentence, needs: needs) { run in
            let server = try run.server(first: [.readRequest, .respond(content: "one")] + end, then: "again")
            let transport = run.transport()
            _ = try await transport.load(.to(server.url, .options))
            let request = try NetworkRequest.to(server.url, method, content: method == .get ? nil : "content")
            switch await transport.result(of: request) {
            case .success(let response): try expect("the content", response.text, is: "again")
            case .failure(let error):
                try expect(!isRepeated, "the request is not repeated: \(error)")
                try ExpectedFailure(.connectionLost).check(error)
            }
            let requests = server.log.requests.dropFirst()
            let lines = requests.map { "\($0.method) \($0.text)" }
            let line = "\(method.rawValue) \(method == .get ? "" : "content")"
            try expect(lines.allSatisfy { $0 == line }, "the requests are \(lines)")
            // A transport may also send the request on a new connection from the start, but then only once.
            let isCutOff = requests.first?.connection == 0
            try expect("the number of requests", requests.count, is: isRepeated && isCutOff ? 2 : 1)
        }
    }
}
