// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import WebServiceDSL

@Suite("The writer of content", .timeLimit(.minutes(15)))
struct ContentWriterTests {
    private func source(
        _ write: @escaping @Sendable (ContentWriter) async throws -> Void
    ) async throws -> any ContentSource {
        try #require(try await freeze(server().put().stream(write)).content.source)
    }

    @Test("is at most 256 KiB ahead of the reader")
    func backPressure() async throws {
        let written = Counter()
        let source = try await source { writer in
            for _ in 0..<1000 {
                try await writer.write(Data(count: 10_000))
                written.increment()
            }
        }
        _ = try await source.next()
        // One more may wait for room.
        try await until { written.value >= 26 }
        try await untilStable { written.value }
        #expect(written.value <= 54)
        var rest = 0
        while let part = try await source.next() {
            #expect(part.count <= 256 << 10)
            rest += part.count
        }
        #expect(written.value == 1000)
        #expect(rest > 9_000_000)
    }

    @Test("takes data of any size, whose bytes arrive in order")
    func sizes() async throws {
        let data = pattern(3_000_001)
        let source = try await source { writer in
            var rest = data
            for size in [0, 1, 262_143, 262_144, 262_145, 1_000_000] {
                try await writer.write(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            try await writer.write(rest)
        }
        #expect(try await source.rest() == data)
    }

    @Test("takes what several tasks write")
    func concurrent() async throws {
        let source = try await source { writer in
            await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask { for _ in 0..<100 { try await writer.write(Data(count: 1_000)) } }
                }
            }
        }
        #expect(try await source.rest().count == 2_000_000)
    }

    @Test("fails once the transfer has ended, so that the closure ends", arguments: [true, false])
    func cancelled(whileWaiting: Bool) async throws {
        let (begun, end) = (Gate(), Recording<SwiftyError>())
        let source = try await source { writer in
            do throws(SwiftyError) {
                try await writer.write("a")
                begun.open()
                while true {
                    if !whileWaiting { await Task.yield() }
                    try await writer.write(Data(count: whileWaiting ? 300_000 : 0))
                }
            } catch {
                end.append(error)
            }
        }
        _ = try await source.next()
        await begun.wait()
        source.cancel()
        try await until { end.count == 1 }
        #expect(end.values.first?.code == .cancelled)
        await #expect(throws: CancellationError.self) { _ = try await source.next() }
    }

    @Test("that outlives its closure, or its cancelled task, fails")
    func late() async throws {
        let kept = Recording<ContentWriter>()
        let source = try await source { writer in
            kept.append(writer)
            try await writer.write("a")
        }
        #expect(try await source.rest() == Data("a".utf8))
        let writer = try #require(kept.values.first)
        #expect(await failure { try await writer.write("b") }?.code == .cancelled)
        let cancelled = try await self.source { writer in
            let task = Task { try await writer.write(Data(count: 1_000_000)) }
            task.cancel()
            #expect(await failure { try await task.value }?.code == .cancelled)
        }
        _ = try await cancelled.rest()
    }

    @Test("whose closure ignores the end does not hold up the transfer")
    func stubborn() async throws {
        let gate = Gate()
        let source = try await source { writer in
            try await writer.write("a")
            await gate.wait()
            try? await writer.write("b")
        }
        _ = try await source.next()
        let reading = Task { try await source.next() }
        source.cancel()
        await #expect(throws: CancellationError.self) { _ = try await reading.value }
        gate.open()
    }

    @Test("is waited for by a reader whose cancellation ends the wait")
    func cancelledReader() async throws {
        let source = try await source { _ in await untilCancelled() }
        let reading = Task { try await source.next() }
        reading.cancel()
        await #expect(throws: CancellationError.self) { _ = try await reading.value }
        source.cancel()
    }
}
