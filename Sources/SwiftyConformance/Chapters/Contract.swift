// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

import struct Foundation.Data

// What every transport does, even one without a network: it sends requests unchanged, and returns what it received.

extension Conformance {
    /// The promises that need no capability.
    static let contract = answers + content + endings

    private static func scenario(
        _ name: String,
        _ sentence: String,
        _ body: @escaping @Sendable (any Transport, String) async throws -> Void
    ) -> ConformanceScenario {
        ConformanceScenario("contract/\(name)", sentence, needs: []) { run in
            let url = try run.origin()
            try await body(run.transport(), url)
        }
    }

    private static let answers = [
        scenario("error-status", "A status of 400 or more is a response.") { transport, url in
            for status in [400, 404, 429, 500, 503] {
                let response = try await transport.load(.to("\(url)/status/\(status)"))
                try expect("the status", response.head.statusCode, is: status)
            }
        },
        scenario("redirect", "No redirect is followed.") { transport, url in
            for status in [301, 302, 303, 307, 308] {
                let response = try await transport.load(.to("\(url)/status/\(status)"))
                try expect("the status", response.head.statusCode, is: status)
                try expect("the Location", response.head["Location"], is: "/echo")
            }
        },
        scenario("challenge", "No challenge is answered.") { transport, url in
            let response = try await transport.load(.to("\(url)/status/401"))
            try expect("the status", response.head.statusCode, is: 401)
            try expect("the challenge", response.head["WWW-Authenticate"], is: #"Basic realm="test""#)
        },
        scenario("content-coding", "No content coding is decoded.") { transport, url in
            let response = try await transport.load(.to("\(url)/coded"))
            try expect("the coding", response.head["Content-Encoding"], is: "x-own")
            try expect("the content", response.content, is: ConformanceOrigin.coded)
        },
        scenario("cookies", "No cookie is kept.") { transport, url in
            for _ in 0..<2 {
                let response = try await transport.load(.to("\(url)/cookie"))
                try expect("the cookie of the request", response.head["X-Cookie"], is: "none")
                try expect("the cookie of the response", response.head["Set-Cookie"], is: "a=b")
            }
        },
        scenario("simultaneous", "Simultaneous loads get their own responses.") { transport, url in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let response = try await transport.load(.to("\(url)/echo", .post, content: "\(number)"))
                        try expect("the content", response.text, is: "\(number)")
                    }
                }
                try await group.waitForAll()
            }
        },
    ]

    private static let content = [
        scenario("content", "Content in memory arrives, with any method.") { transport, url in
            for method in [HTTPRequest.Method.post, .put, .patch, .delete] {
                let response = try await transport.load(.to("\(url)/echo", method, content: "content"))
                try expect("the content", response.text, is: "content")
                try expect("the method", response.head["X-Method"], is: method.rawValue)
            }
        },
        scenario("source", "Content of a source arrives, with a length and without.") { transport, url in
            for length in [nil, 9] {
                let source = ListedSource(["con", "", "tent", "s\n"], length: length)
                let response = try await transport.load(.to("\(url)/echo", .post).from(source))
                try expect("the content", response.text, is: "contents\n")
            }
        },
        scenario("source-fails", "The error of a source is the cause of the failure.") { transport, url in
            let source = ListedSource(["con"], error: ListedSource.Failure())
            let error = try await transport.failure(of: .to("\(url)/echo", .post).from(source))
            try ExpectedFailure(.contentUnreadable).check(error)
            try expect(error.underlying is ListedSource.Failure, "the underlying error is \(error.underlying as Any)")
        },
        scenario("source-stalls", "A source that never goes on does not hold a load that is cancelled.") {
            transport,
            url in
            let (source, cancellation) = (HeldSource("a", "b"), LoadCancellation())
            let request = try NetworkRequest.to("\(url)/echo", .post).from(source)
            async let error = transport.failure(of: request, cancellation: cancellation)
            try await eventually("the source is read") { source.isWaiting }
            cancellation.cancel()
            try ExpectedFailure(.cancelled).check(try await error)
            try await eventually("the source is released") { source.isReleased }
        },
        scenario("source-length", "A source with another length than announced fails the load.") { transport, url in
            for length in [2, 4] {
                let source = ListedSource(["abc"], length: length)
                let error = try await transport.failure(of: .to("\(url)/echo", .post).from(source))
                try ExpectedFailure(.contentUnreadable).check(error)
            }
        },
        scenario("stream", "A streamed response has the same content, and then ends.") { transport, url in
            let content = try await transport.open(.to("\(url)/echo", .post, content: "content")).content
            try expect("the content", try await content.collect(), is: Data("content".utf8))
            try expect("what follows", try await content.next(), is: nil)
        },
    ]

    private static let endings = [
        scenario("cancelled-before", "A load that was cancelled before fails with the code.") { transport, url in
            let cancellation = LoadCancellation()
            cancellation.cancel(with: .timedOut)
            let error = try await transport.failure(of: .to("\(url)/hang"), cancellation: cancellation)
            try ExpectedFailure(.timedOut).check(error)
        },
        scenario("cancelled", "A load that is cancelled ends soon, with the code.") { transport, url in
            for code in [SwiftyError.Code.cancelled, .timedOut, .shutdown] {
                let cancellation = LoadCancellation()
                async let failure = transport.failure(of: .to("\(url)/hang"), cancellation: cancellation)
                try await Task.sleep(for: .milliseconds(20))
                cancellation.cancel(with: code)
                try ExpectedFailure(code).check(try await failure)
            }
        },
        scenario("shut-down", "After a shutdown every load fails, and a second shutdown returns.") { transport, url in
            _ = try await transport.load(.to("\(url)/echo"))
            await transport.shutdown()
            await transport.shutdown()
            try ExpectedFailure(.shutdown, [], .notSent).check(try await transport.failure(of: .to("\(url)/echo")))
        },
        scenario("shutdown-race", "A load beside a shutdown has its response, or fails with the code.") {
            transport,
            url in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        let request = try NetworkRequest.to("\(url)/echo", .post, content: "\(number)")
                        switch await transport.result(of: request) {
                        case .success(let response): try expect("the content", response.text, is: "\(number)")
                        case .failure(let error): try ExpectedFailure(.shutdown).check(error)
                        }
                    }
                    if number == 30 { group.addTask { await transport.shutdown() } }
                }
                try await group.waitForAll()
            }
        },
    ]
}
