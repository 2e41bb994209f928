// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import WebServiceDSL

@Suite("Content that is produced while it is sent", .timeLimit(.minutes(15)))
struct StreamSourceTests {
    private struct Broken: Error, CustomStringConvertible {
        var description: String { "secret-canary" }
    }

    private static func chunks(_ texts: [String]) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
    }

    /// The same bodies as a sequence and as a writer.
    private static func resources(
        _ texts: [String],
        length: Int64? = nil,
        isReplayable: Bool = true,
        calls: Counter = Counter()
    ) -> [NetworkResource] {
        [
            server().put().stream(length: length, isReplayable: isReplayable) {
                calls.increment()
                return chunks(texts)
            },
            server().put().stream(length: length, isReplayable: isReplayable) { writer in
                calls.increment()
                for text in texts { try await writer.write(text) }
            },
        ]
    }

    @Test("begins with its first part, and again for every load, transfer and repetition")
    func replays() async throws {
        let calls = Counter()
        for resource in Self.resources(["abc", "", "def"], calls: calls) {
            let before = calls.value
            let first = try await source(of: resource)
            #expect(calls.value == before)
            #expect(first.length == nil)
            #expect(first.isRewindable)
            _ = try await first.next()
            try await first.rewind()
            #expect(try await first.rest() == Data("abcdef".utf8))
            #expect(try await first.next() == nil)
            first.cancel()
            #expect(try await first.replayed()?.rest() == Data("abcdef".utf8))
            #expect(try await content(of: resource) == "abcdef")
            #expect(calls.value == before + 4)
        }
    }

    @Test("has the length that was announced, and must keep to it")
    func length() async throws {
        for length: Int64 in [5, 7] {
            for resource in Self.resources(["abc", "def"], length: length) {
                #expect(try await source(of: resource).length == Int(length))
                #expect(await failure { _ = try await content(of: resource) }?.code == .contentUnreadable)
            }
        }
        for resource in Self.resources([], length: -1) {
            let error = await failure { _ = try await freeze(resource) }
            #expect(error?.code == .contentUnreadable)
            #expect(error?.stage == .building)
        }
    }

    @Test("contradicts a Content-Length of the caller's if the length is not known, or is another")
    func contentLength() async throws {
        for resource in Self.resources(["abc"], length: 3) {
            #expect(try await freeze(resource.header(.contentLength, "3")).headers[.contentLength] == nil)
            #expect(
                await failure { _ = try await freeze(resource.header(.contentLength, "4")) }?.code == .invalidHeader
            )
        }
        for resource in Self.resources(["abc"]) {
            let error = await failure { _ = try await freeze(resource.header(.contentLength, "3")) }
            #expect(error?.code == .invalidHeader)
            #expect(error?.reason.contains("not known") == true)
        }
    }

    @Test("that throws fails with the error as the cause, and without its text")
    func failures() async throws {
        let own = SwiftyError(.dependencyFailed, stage: .building, reason: "own")
        let resources = [
            server().put().stream { AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Broken()) } },
            server().put().stream { () throws -> AsyncStream<Data> in throw Broken() },
            server().put().stream { writer in
                try await writer.write("a")
                throw Broken()
            },
        ]
        for resource in resources {
            let error = await failure { _ = try await content(of: resource) }
            #expect(error?.code == .contentUnreadable)
            #expect(error?.underlying is Broken)
            #expect(error.map { "\($0)" }?.contains("canary") == false)
        }
        let error = await failure { _ = try await content(of: server().put().stream { _ in throw own }) }
        #expect(error?.code == .dependencyFailed)
    }

    @Test("can be sent only once if it says so, and the error says why")
    func once() async throws {
        for resource in Self.resources(["abc"], isReplayable: false) {
            // A load that ends before it reads does not count.
            let unused = try await source(of: resource)
            #expect(!unused.isRewindable)
            #expect(unused.replayed() != nil)
            let used = try await source(of: resource)
            #expect(try await used.rest() == Data("abc".utf8))
            #expect(used.replayed() == nil)
            let error = await failure { _ = try await freeze(resource) }
            #expect(error?.code == .contentNotReplayable)
            #expect(error?.reason.contains("read only once") == true)
            #expect(await failure { _ = try await unused.next() }?.code == .contentNotReplayable)
        }
    }

    @Test("is released at the end of its transfer, although the request is kept")
    func release() async throws {
        let terminated = Gate()
        let request = try await freeze(
            server().put().stream {
                AsyncStream<Data> { continuation in
                    continuation.onTermination = { _ in terminated.open() }
                    continuation.yield(Data([1]))
                }
            }
        )
        let source = try #require(request.content.source)
        _ = try await source.next()
        #expect(!terminated.isOpen)
        source.cancel()
        try await until { terminated.isOpen }
        #expect(request.content.source != nil)
    }
}
