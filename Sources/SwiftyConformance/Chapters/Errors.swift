// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport

// Failures with their code, their stage, and the state of the request.

extension Conformance {
    /// Failures of connections, and the information in errors.
    static let errors = [
        ConformanceScenario("errors/refused", "A refused connection is known not to have sent anything.") { run in
            let url = "http://127.0.0.1:\(try ServerPort.free())/"
            let error = try await run.transport().failure(of: .to(url, .post, content: "a"))
            try ExpectedFailure(.connectionFailed, [.connect], .notSent).check(error)
        },
        ConformanceScenario("errors/unknown-name", "A name without an address is a failed name resolution.") { run in
            let error = try await run.transport().failure(of: .to("http://name.invalid/", .post, content: "a"))
            try ExpectedFailure(.nameResolutionFailed, [.nameLookup], .notSent).check(error)
        },
        ConformanceScenario("errors/reset", "A reset before the response is a lost connection.") { run in
            let server = try run.server(.readRequest, .reset)
            let error = try await run.transport().failure(of: .to(server.url))
            try ExpectedFailure(.connectionLost, [.firstByte], .maybeSent).check(error)
        },
        ConformanceScenario("errors/reset-in-content", "A reset in the content is a lost connection.") { run in
            let answer = AnswerRow.ok + "Content-Length: 9\r\n\r\nshort"
            let server = try run.server(.readRequest, .send(answer), .pause(.seconds(1)), .reset)
            let error = try await run.transport().failure(of: .to(server.url))
            try ExpectedFailure(.connectionLost, [.content], .responded).check(error)
        },
        ConformanceScenario("errors/reset-at-accept", "A connection that is reset at once is a failure.") { run in
            let server = try run.server(.reset)
            let error = try await run.transport().failure(of: .to(server.url, .post, content: "a"))
            try expect([.connectionLost, .connectionFailed].contains(error.code), "the code is \(error.code)")
        },
        ConformanceScenario(
            "errors/partial",
            "The error of content that was cut off keeps the head and what arrived.",
            needs: [.network, .partialResponses]
        ) { run in
            let answer = AnswerRow.ok + "Content-Length: 9\r\nX-A: b\r\n\r\nshort"
            let server = try run.server(.readRequest, .send(answer), .close)
            let error = try await run.transport().failure(of: .to(server.url))
            try ExpectedFailure(.connectionLost, [.content], .responded).check(error)
            try expect("the status", error.statusCode, is: 200)
            try expect("X-A", error.head?["X-A"], is: "b")
            try expect("the content", error.content.map { String(decoding: $0, as: UTF8.self) }, is: "short")
        },
        ConformanceScenario("errors/request", "An error names its request, without secrets.") { run in
            let server = try run.server(.readRequest, .close)
            let url = "\(server.url)/path?token=canary"
            let error = try await run.transport().failure(of: .to(url, headers: [.authorization: "Bearer canary"]))
            try expect("the method", error.request?.method, is: "GET")
            try expect(error.request?.url.contains("/path") == true, "the URL is \(error.request?.url ?? "absent")")
            try expect(!error.description.contains("canary"), "the description has a secret: \(error)")
            try expect(!error.description.contains { $0.isNewline }, "the description has several lines: \(error)")
        },
        ConformanceScenario("errors/server-words", "Words of the server cannot forge a description.") { run in
            let server = try run.server(.readRequest, .send("HTTP/1.1 2\u{1B}[31m\r\n\r\n"), .close)
            let error = try await run.transport().failure(of: .to(server.url))
            try expect(!error.description.contains { $0.isNewline || $0 == "\u{1B}" }, "it is \(error)")
        },
        ConformanceScenario(
            "errors/sent-state-unread",
            "A request that was not written completely may still have been processed.",
            needs: [.network, .sentState]
        ) { run in
            let server = try run.server(.readHead, .reset)
            let content = String(repeating: "a", count: 4_000_000)
            let error = try await run.transport().failure(of: .to(server.url, .post, content: content))
            try ExpectedFailure(.connectionLost, [], .maybeSent).check(error)
        },
        ConformanceScenario(
            "errors/metrics",
            "The metrics tell the peer, the bytes, and whether the connection was used before.",
            needs: [.network, .metrics]
        ) { run in
            let server = try run.server(
                .readRequest,
                .respond(content: "abc"),
                .readRequest,
                .respond(content: "d"),
                .stall
            )
            let transport = run.transport()
            let first = try await transport.load(.to(server.url, .post, content: "content")).metrics
            let second = try await transport.load(.to(server.url)).metrics
            try expect("the address", first.remoteAddress, is: "127.0.0.1")
            try expect("the port", first.remotePort, is: server.port)
            try expect("the bytes sent", first.requestContentBytes, is: 7)
            try expect("the bytes received", first.responseContentBytes, is: 3)
            try expect("the version", first.httpVersion, is: .http1_1)
            try expect("the first reuse", first.isConnectionReused, is: false)
            try expect("the second reuse", second.isConnectionReused, is: true)
            try expect(first.total >= first.firstByte && first.total > .zero, "the total time is \(first.total)")
        },
        ConformanceScenario(
            "errors/completeness",
            "Content that ends with the connection is not proven to be complete.",
            needs: [.network, .completenessProof]
        ) { run in
            for (answer, isProven) in [(AnswerRow.ok + "\r\nabc", false), (AnswerRow.short + "\r\nabc", true)] {
                let server = try run.server(.readRequest, .send(answer), .close)
                let metrics = try await run.transport().load(.to(server.url)).metrics
                try expect("the proof", metrics.isCompletenessProven, is: isProven)
            }
        },
    ]
}
