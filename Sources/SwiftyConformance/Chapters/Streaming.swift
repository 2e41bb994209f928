// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport

import struct Foundation.Data

// Content that is read while it arrives, and sent while it is produced.

extension Conformance {
    private static let piece = String(repeating: "0123456789abcdef", count: 4_096)
    /// 64 MiB: more than sockets hold.
    private static let whole = large(announced: 1_024)
    /// The same, with content missing at its end.
    private static let endless = large(announced: 1_025)

    private static func large(announced count: Int) -> [ScriptedServer.Step] {
        let head = ScriptedServer.Step.send(AnswerRow.ok + "Content-Length: \(piece.utf8.count * count)\r\n\r\n")
        return [.readRequest, head] + Array(repeating: .send(piece), count: 1_024) + [.stall]
    }

    private static func scenario(
        _ name: String,
        _ sentence: String,
        _ needs: TransportCapabilities = .streamedResponses,
        _ body: @escaping ConformanceScenario.Body
    ) -> ConformanceScenario {
        ConformanceScenario(name, sentence, needs: needs.union(.network), body)
    }

    /// Streamed responses.
    static let streams = [
        scenario("streams/head-first", "The head is there before the content.") { run in
            let head = AnswerRow.ok + "Content-Length: 3\r\n\r\n"
            let server = try run.server(.readRequest, .send(head), .readRequest, .stall)
            let response = try await run.transport().open(.to(server.url))
            try expect("the status", response.head.statusCode, is: 200)
            response.content.cancel()
        },
        scenario("streams/parts", "A part is there before the next one.") { run in
            let server = try run.server(.readRequest, .send(AnswerRow.chunked + "3\r\nabc\r\n"), .stall)
            let content = try await run.transport().open(.to(server.url)).content
            try expect("the part", try await content.next(), is: Data("abc".utf8))
            content.cancel()
        },
        scenario(
            "streams/back-pressure",
            "A reader that pauses stops the server.",
            [.streamedResponses, .backPressure]
        ) { run in
            let (made, bytes) = (SharedCount(), Data(piece.utf8))
            let server = try run.server(pieces: 2_048) { _ in
                made.increment()
                return bytes
            }
            let content = try await run.transport().open(.to(server.url)).content
            var count = try await content.next()?.count ?? 0
            try await made.settle()
            try expect(made.value < 1_024, "the server has sent \(made.value) of 2,048 parts to a reader of one")
            while let part = try await content.next() { count += part.count }
            try expect("the number of bytes", count, is: 2_048 * bytes.count)
        },
        scenario("streams/whole", "All bytes arrive, in their order.") { run in
            let server = try run.server { _ in whole }
            let content = try await run.transport().open(.to(server.url)).content
            var (count, isRight) = (0, true)
            let pattern = Array("0123456789abcdef".utf8)
            while let part = try await content.next() {
                isRight = isRight && part.first == pattern[count % 16] && !part.isEmpty
                count += part.count
                isRight = isRight && part.last == pattern[(count - 1) % 16]
            }
            try expect("the number of bytes", count, is: piece.utf8.count * 1_024)
            try expect(isRight, "the bytes are not those that were sent")
        },
        scenario("streams/cut", "Content that is cut off ends in an error, which stays.", []) { run in
            let answer = AnswerRow.ok + "Content-Length: 9\r\n\r\nshort"
            let server = try run.server(.readRequest, .send(answer), .close)
            let error = try await run.transport().streamFailure(of: .to(server.url))
            try ExpectedFailure(.connectionLost, [.content], .responded).check(error)
        },
        scenario("streams/same-error", "Every further call has the same error.") { run in
            let answer = AnswerRow.ok + "Content-Length: 9\r\n\r\nshort"
            let server = try run.server(.readRequest, .send(answer), .pause(.milliseconds(100)), .close)
            let content = try await run.transport().open(.to(server.url)).content
            for _ in 0..<3 { try ExpectedFailure(.connectionLost).check(try await content.failure()) }
        },
        scenario("streams/malformed-chunk", "A malformed chunk ends in an error.", []) { run in
            let answer = AnswerRow.chunked + "3\r\nabc\r\nxyz\r\n"
            let server = try run.server(.readRequest, .send(answer), .close)
            let error = try await run.transport().streamFailure(of: .to(server.url))
            try ExpectedFailure(.malformedResponse, [.content], .responded).check(error)
        },
        scenario("streams/cancel", "Cancelling the content ends the transfer at the server, too.") { run in
            let server = try run.server { _ in endless }
            let content = try await run.transport().open(.to(server.url)).content
            _ = try await content.next()
            content.cancel()
            try ExpectedFailure(.cancelled).check(try await content.failure())
            try await eventually("the connection is closed") { server.openConnectionCount == 0 }
        },
        scenario("streams/release", "Releasing the content ends the transfer at the server, too.") { run in
            let server = try run.server { _ in endless }
            let transport = run.transport()
            var response: StreamedResponse? = try await transport.open(.to(server.url))
            _ = try await response?.content.next()
            response = nil
            try await eventually("the connection is closed") { server.openConnectionCount == 0 }
        },
        scenario("streams/load-cancelled", "The cancellation of the load ends its content, with the code.") { run in
            let server = try run.server { _ in endless }
            let cancellation = LoadCancellation()
            let response = try await run.transport().stream(.to(server.url), cancellation: cancellation)
            cancellation.cancel(with: .timedOut)
            try ExpectedFailure(.timedOut).check(try await response.content.failure())
        },
        scenario("streams/task-cancelled", "Cancelling the reading task ends the content.") { run in
            let server = try run.server(.readRequest, .send(AnswerRow.ok + "Content-Length: 9\r\n\r\n"), .stall)
            let content = try await run.transport().open(.to(server.url)).content
            let task = Task { try await content.failure() }
            try await Task.sleep(for: .milliseconds(20))
            task.cancel()
            try ExpectedFailure(.cancelled).check(try await task.value)
        },
        scenario("streams/second-reader", "A second reader is told so.") { run in
            let server = try run.server(.readRequest, .send(AnswerRow.ok + "Content-Length: 9\r\n\r\n"), .stall)
            let content = try await run.transport().open(.to(server.url)).content
            let codes = try await withThrowingTaskGroup(of: SwiftyError.self) { group in
                for _ in 0..<2 { group.addTask { try await content.failure() } }
                let first = try await group.next()?.code
                content.cancel()
                return [first, try await group.next()?.code]
            }
            try expect("the codes", codes, is: [.transportFailed, .cancelled])
        },
        scenario(
            "streams/pauses",
            "The reader's pauses are not the server's silence.",
            [.streamedResponses, .idleTimeout]
        ) { run in
            let server = try run.server { _ in whole }
            let timeouts = NetworkRequest.Timeouts(total: .seconds(50), idle: .seconds(2))
            let content = try await run.transport().open(.to(server.url, timeouts: timeouts)).content
            let first = try await content.next()?.count ?? 0
            try await Task.sleep(for: .milliseconds(2_600))
            let rest = try await content.collect().count
            try expect("the number of bytes", first + rest, is: piece.utf8.count * 1_024)
        },
        scenario("streams/shutdown", "A shutdown ends streamed content.") { run in
            let (server, transport) = (try run.server { _ in endless }, run.transport())
            let content = try await transport.open(.to(server.url)).content
            await transport.shutdown()
            try ExpectedFailure(.shutdown).check(try await content.failure())
        },
        scenario(
            "streams/reuse",
            "Content that was read leaves its connection.",
            [.streamedResponses, .connectionReuse]
        ) { run in
            let server = try run.server(
                .readRequest,
                .respond(content: "a"),
                .readRequest,
                .respond(content: "b"),
                .stall
            )
            let transport = run.transport()
            for text in ["a", "b"] {
                let content = try await transport.open(.to(server.url)).content
                try expect("the content", try await content.collect(), is: Data(text.utf8))
            }
            try expect("the number of connections", server.connectionCount, is: 1)
        },
    ]

    /// Streamed requests.
    static let uploads = [
        scenario("uploads/chunked", "Content of unknown length is chunked.", .streamedRequests) { run in
            let server = try run.server(.readRequest, .respond(), .stall)
            let source = ListedSource(["abc", "def"])
            _ = try await run.transport().load(.to(server.url, .post).from(source))
            try expect("Transfer-Encoding", server.log.last?["Transfer-Encoding"], is: "chunked")
            try expect("Content-Length", server.log.last?["Content-Length"], is: nil)
            try expect("the content", server.log.last?.text, is: "abcdef")
            try await eventually("the source is released") { source.isCancelled }
        },
        scenario("uploads/length", "Content of known length has it.", .streamedRequests) { run in
            let server = try run.server(.readRequest, .respond(), .stall)
            _ = try await run.transport().load(.to(server.url, .post).from(ListedSource(["abc", "def"], length: 6)))
            try expect("Content-Length", server.log.last?["Content-Length"], is: "6")
            try expect("the content", server.log.last?.text, is: "abcdef")
        },
        scenario(
            "uploads/back-pressure",
            "A server that does not read stops the source.",
            [.streamedRequests, .backPressure]
        ) { run in
            let server = try run.server(.readHead, .stall)
            let taken = SharedCount()
            let source = ListedSource(Array(repeating: piece, count: 1_024)) { taken.increment() }
            let (transport, cancellation) = (run.transport(), LoadCancellation())
            async let failure = transport.failure(of: .to(server.url, .post).from(source), cancellation: cancellation)
            try await eventually("the request arrives") { server.log.count == 1 }
            try await taken.settle()
            cancellation.cancel()
            try ExpectedFailure(.cancelled).check(try await failure)
            try expect(taken.value < 1_024, "the source was read to its end, and the server has read nothing")
        },
        scenario("uploads/large", "Large content arrives whole.", .streamedRequests) { run in
            let server = try run.server(.readRequest, .respond(), .stall)
            let source = ListedSource(Array(repeating: piece, count: 128))
            _ = try await run.transport().load(.to(server.url, .post).from(source))
            try expect("the number of bytes", server.log.last?.content.count, is: 128 * piece.utf8.count)
            try expect(server.log.last?.text == String(repeating: piece, count: 128), "the bytes are others")
        },
        scenario(
            "uploads/source-fails",
            "An error of the source ends the request, and its connection.",
            .streamedRequests
        ) { run in
            let server = try run.server(.readRequest, .respond(), .stall)
            let source = ListedSource(["abc"], error: ListedSource.Failure())
            let error = try await run.transport().failure(of: .to(server.url, .post).from(source))
            try ExpectedFailure(.contentUnreadable, [.send]).check(error)
            try await eventually("the connection is closed") { server.openConnectionCount == 0 }
        },
        scenario(
            "uploads/source-error",
            "The error of a source keeps its code; where the source's own transfer ended says nothing of this one.",
            .streamedRequests
        ) { run in
            let server = try run.server(.readRequest, .respond(), .stall)
            let error = SwiftyError(.connectionLost, stage: .connect, sent: .notSent, reason: "the source has lost it")
            let source = ListedSource(["abc"], error: error)
            let failure = try await run.transport().failure(of: .to(server.url, .post).from(source))
            try ExpectedFailure(.connectionLost, [.send], .maybeSent).check(failure)
            try expect(server.connectionCount <= 1, "the request was sent again")
        },
        scenario(
            "uploads/early-response",
            "A refusal may come before the end of the content, which is then not sent.",
            .streamedRequests
        ) { run in
            let server = try run.server(.readHead, .respond(413, content: "no"), .close)
            let source = ListedSource(Array(repeating: piece, count: 2_000))
            let response = try await run.transport().load(.to(server.url, .post).from(source))
            try expect("the status", response.head.statusCode, is: 413)
            try expect("the content", response.text, is: "no")
            try expect(source.position < 2_000, "all of the content was sent")
        },
        scenario(
            "uploads/full-duplex",
            "The head of a response may come before the end of the content, and both continue.",
            [.streamedRequests, .streamedResponses, .fullDuplex]
        ) { run in
            let head = AnswerRow.ok + "Content-Length: 8\r\n\r\n"
            let server = try run.server(.readHead, .send(head), .readContent, .send("received"), .stall)
            let source = HeldSource("first ", "second")
            let response = try await run.transport().open(.to(server.url, .post).from(source))
            try expect("the status", response.head.statusCode, is: 200)
            source.letGo()
            try expect("the content", try await response.content.collect(), is: Data("received".utf8))
            try expect("the content of the request", server.log.last?.text, is: "first second")
        },
        scenario("uploads/cancelled", "The cancellation of a load releases its source.", .streamedRequests) { run in
            let server = try run.server(.readHead, .stall)
            let (source, cancellation) = (ListedSource(Array(repeating: piece, count: 512)), LoadCancellation())
            let transport = run.transport()
            async let failure = transport.failure(
                of: .to(server.url, .post).from(source),
                cancellation: cancellation
            )
            try await eventually("the request arrives") { server.log.count == 1 }
            cancellation.cancel()
            try ExpectedFailure(.cancelled, [], .maybeSent).check(try await failure)
            try await eventually("the source is released") { source.isCancelled }
        },
        scenario("uploads/consent", "Large content waits for the server's consent.", .expectContinue) { run in
            let server = try run.server(
                .readHead,
                .send("HTTP/1.1 100 Continue\r\n\r\n"),
                .readContent,
                .respond(),
                .stall
            )
            let transport = run.transport { $0.connections.expectContinueThreshold = 1_000 }
            _ = try await transport.load(.to(server.url, .post, content: piece))
            try expect("Expect", server.log.last?["Expect"], is: "100-continue")
            try expect("the content", server.log.last?.text, is: piece)
        },
    ]
}
