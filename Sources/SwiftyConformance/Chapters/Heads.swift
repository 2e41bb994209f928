// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport

// Headers as they were sent, in both directions.

extension Conformance {
    static let heads = [
        ConformanceScenario("heads/fields", "Repeated and empty fields, and long values, arrive.") { run in
            let long = String(repeating: "v", count: 8_000)
            let answer = "HTTP/1.1 200 OK\r\nX-A: 1\r\nX-B:\r\nX-A: 2\r\nX-C: \(long)\r\nContent-Length: 0\r\n\r\n"
            let server = try run.server(.readRequest, .send(answer), .stall)
            let head = try await run.transport().load(.to(server.url)).head
            try expect("X-A", head["X-A"], is: "1, 2")
            try expect("X-B", head["X-B"], is: "")
            try expect("X-C", head["X-C"], is: long)
        },
        ConformanceScenario(
            "heads/exact",
            "Order and case of the fields, reason phrase and version are those of the server.",
            needs: [.network, .exactResponses]
        ) { run in
            let answer = "HTTP/1.0 200 Very  Well\r\nx-B: 1\r\nX-a: 2\r\nx-b: 3\r\nContent-Length: 0\r\n\r\n"
            let server = try run.server(.readRequest, .send(answer), .close)
            let head = try await run.transport().load(.to(server.url)).head
            let names = head.headers.map { "\($0.name.rawName): \($0.value)" }
            try expect("the fields", names, is: ["x-B: 1", "X-a: 2", "x-b: 3", "Content-Length: 0"])
            try expect("the reason phrase", head.reasonPhrase, is: "Very  Well")
            try expect("the version", head.httpVersion, is: .http1_0)
        },
        ConformanceScenario(
            "heads/informational",
            "An informational response is an event, before the head.",
            needs: [.network, .informationalResponses]
        ) { run in
            let hints = "HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n"
            let server = try run.server(.readRequest, .send(hints), .respond(content: "abc"), .stall)
            let events = RecordedEvents()
            _ = try await run.transport().load(.to(server.url).recorded(by: events))
            try expect("the statuses of events", events.statuses.prefix(1), is: [103])
            try expect("the hint", events.hints, is: ["</a>"])
        },
        ConformanceScenario(
            "heads/trailers",
            "Trailers follow streamed content, and are an event.",
            needs: [.network, .streamedResponses, .trailers]
        ) { run in
            let answer = AnswerRow.chunked + "3\r\nabc\r\n0\r\nX-Digest: 1\r\n\r\n"
            let server = try run.server(.readRequest, .send(answer), .stall)
            let events = RecordedEvents()
            let content = try await run.transport().open(.to(server.url).recorded(by: events)).content
            _ = try await content.collect()
            try expect("the trailers", content.trailers.map(\.value), is: ["1"])
            try expect("the trailers of the event", events.trailers, is: ["1"])
        },
        ConformanceScenario(
            "heads/events",
            "The connection, the sent request, the head and the progress are events, in this order.",
            needs: [.network, .transferEvents]
        ) { run in
            let server = try run.server(
                .readRequest,
                .respond(content: "abc"),
                .readRequest,
                .respond(content: "d"),
                .stall
            )
            let transport = run.transport()
            for first in ["connected", "reused"] {
                let events = RecordedEvents()
                _ = try await transport.load(.to(server.url).recorded(by: events))
                try expect("the events", events.names, is: [first, "sent", "200", "progress"])
            }
        },
    ]

    /// The requests that a server receives.
    static let requests = [
        ConformanceScenario("requests/target", "Path and query arrive as given.") { run in
            for target in ["/", "/a%2Fb/c%20d?e=%26&f=g+h", "/a//b/?", "/%E2%82%AC?q=%C3%A4"] {
                let server = try run.server(.readRequest, .respond())
                _ = try await run.transport().load(.to("\(server.url)\(target)"))
                try expect("the target", server.log.last?.target, is: target)
            }
        },
        ConformanceScenario("requests/host", "Host names the server and its port.") { run in
            let server = try run.server(.readRequest, .respond())
            _ = try await run.transport().load(.to(server.url))
            try expect("Host", server.log.last?.values(of: "Host"), is: ["127.0.0.1:\(server.port)"])
        },
        ConformanceScenario("requests/fields", "Fields arrive with their values, also repeated ones.") { run in
            let server = try run.server(.readRequest, .respond())
            var headers: HTTPFields = [.accept: "a/b", .userAgent: "own/1.0"]
            for value in ["1", "2"] { headers.append(HTTPField(name: .ifMatch, value: value)) }
            _ = try await run.transport().load(.to(server.url, headers: headers))
            try expect("Accept", server.log.last?.values(of: "Accept"), is: ["a/b"])
            try expect("User-Agent", server.log.last?.values(of: "User-Agent"), is: ["own/1.0"])
            let matches = server.log.last?.values(of: "If-Match").joined(separator: ",")
            try expect("If-Match", matches?.filter { $0 != " " }, is: "1,2")
        },
        ConformanceScenario(
            "requests/exact",
            "Order and case of the fields are as given, and only Host is added.",
            needs: [.network, .exactRequests]
        ) { run in
            let server = try run.server(.readRequest, .respond())
            var headers = HTTPFields()
            for (name, value) in [("x-B", "1"), ("X-a", "2"), ("x-b", "3"), ("User-Agent", "own"), ("Accept", "a/b")] {
                if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
            }
            _ = try await run.transport().load(.to(server.url, headers: headers))
            let fields = server.log.last?.headers.filter { $0.name.lowercased() != "host" } ?? []
            let lines = fields.map { "\($0.name): \($0.value)" }
            try expect("the fields", lines, is: ["x-B: 1", "X-a: 2", "x-b: 3", "User-Agent: own", "Accept: a/b"])
        },
        ConformanceScenario("requests/methods", "Any token is a method.") { run in
            for name in ["GET", "PURGE", "get", "M-SEARCH", "QUERY"] {
                let server = try run.server(.readRequest, .respond(content: "abc"))
                guard let method = HTTPRequest.Method(name) else { continue }
                try expect("the content", try await run.transport().load(.to(server.url, method)).text, is: "abc")
                try expect("the method", server.log.last?.method, is: name)
            }
        },
        ConformanceScenario("requests/length", "Content in memory has its length, also an empty one.") { run in
            for content in ["content", ""] {
                let server = try run.server(.readRequest, .respond())
                _ = try await run.transport().load(.to(server.url, .post, content: content))
                try expect("the length", server.log.last?["Content-Length"], is: "\(content.utf8.count)")
                try expect("the content", server.log.last?.text, is: content)
            }
        },
        ConformanceScenario("requests/no-content", "A GET without content has no framing.") { run in
            let server = try run.server(.readRequest, .respond())
            _ = try await run.transport().load(.to(server.url))
            try expect("Content-Length", server.log.last?["Content-Length"], is: nil)
            try expect("Transfer-Encoding", server.log.last?["Transfer-Encoding"], is: nil)
        },
        ConformanceScenario("requests/credentials", "Nothing is added from the URL or the environment.") { run in
            let server = try run.server(.readRequest, .respond())
            _ = try await run.transport().load(.to(server.url))
            for name in ["Authorization", "Cookie", "Proxy-Authorization", "Referer"] {
                try expect(name, server.log.last?[name], is: nil)
            }
        },
        ConformanceScenario("requests/method-connect", "CONNECT is no method of a load.") { run in
            let server = try run.server(.readRequest, .respond())
            let error = try await run.transport().failure(of: .to(server.url, .connect))
            try ExpectedFailure(.invalidMethod, [.building], .notSent).check(error)
            try expect("the number of connections", server.connectionCount, is: 0)
        },
        ConformanceScenario("requests/head-with-content", "HEAD has no content.") { run in
            let server = try run.server(.readRequest, .respond())
            let error = try await run.transport().failure(of: .to(server.url, .head, content: "a"))
            try ExpectedFailure(.contentNotAllowed, [.building], .notSent).check(error)
        },
        ConformanceScenario("requests/framing-fields", "A request cannot set the fields of its framing.") { run in
            let server = try run.server(.readRequest, .respond())
            for headers: HTTPFields in [[.transferEncoding: "chunked"], [.contentLength: "7"]] {
                let error = try await run.transport().failure(
                    of: .to(server.url, .post, headers: headers, content: "a")
                )
                try ExpectedFailure(.invalidHeader, [.building], .notSent).check(error)
            }
            try expect("the number of connections", server.connectionCount, is: 0)
        },
    ]
}
