// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("Changes of the network quality", .timeLimit(.minutes(15)))
struct QualityChangeTests {
    /// A transport whose transfers have measured connects of these times in turn, and the last one for all others.
    private func stub(connects: [Duration]) -> StubTransport {
        let count = Counter()
        return StubTransport { _ in
            var metrics = TransferMetrics()
            metrics.connect = connects[min(count.increment(), connects.count) - 1]
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data(), metrics: metrics)
        }
    }

    @Test("reach a reader, the current one first, and each only once")
    func changes() async throws {
        let swifty = Swifty(transport: stub(connects: [.milliseconds(10)])) { $0.clock = TestClock() }
        var changes = swifty.networkQualityChanges.makeAsyncIterator()
        #expect(await changes.next() == .unknown)
        for _ in 0..<3 { try await swifty.api.get("x").load() }
        #expect(await changes.next() == .excellent)
        // Another reader gets what is known; the first one does not get it again.
        var others = swifty.networkQualityChanges.makeAsyncIterator()
        #expect(await others.next() == .excellent)
        swifty.overrideNetworkQuality(.poor)
        #expect(await changes.next() == .poor)
        #expect(await others.next() == .poor)
        swifty.overrideNetworkQuality(nil)
        #expect(await changes.next() == .excellent)
    }

    @Test("end with the Swifty, for every reader")
    func end() async throws {
        var swifty: Swifty? = Swifty(transport: stub(connects: [.milliseconds(10)]))
        let streams = (0..<3).compactMap { _ in swifty?.networkQualityChanges }
        #expect(streams.count == 3)
        swifty = nil
        for stream in streams { #expect(await stream.reduce(into: []) { $0.append($1) } == [.unknown]) }
    }

    @Test("include the time after which there is no recent measurement")
    func stale() async throws {
        let clock = TestClock()
        let swifty = Swifty(transport: stub(connects: [.milliseconds(500), .milliseconds(500)])) { $0.clock = clock }
        var changes = swifty.networkQualityChanges.makeAsyncIterator()
        #expect(await changes.next() == .unknown)
        try await swifty.api.get("x").load()
        #expect(await changes.next() == .fair)
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(100))
        try await swifty.api.get("x").load()
        await clock.advance(by: .seconds(100))
        // The second measurement is recent.
        #expect(swifty.networkQuality == .fair)
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(30))
        #expect(await changes.next() == .unknown)
        #expect(swifty.networkQuality == .unknown)
        // A quality that was set does not expire, and the measured one that follows it does.
        try await swifty.api.get("x").load()
        #expect(await changes.next() == .fair)
        swifty.overrideNetworkQuality(.poor)
        #expect(await changes.next() == .poor)
        await clock.advance(by: .seconds(100))
        swifty.overrideNetworkQuality(nil)
        #expect(await changes.next() == .fair)
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(21))
        #expect(await changes.next() == .unknown)
    }

    @Test("leave no timer and no stream behind a reader that has left")
    func left() async throws {
        let clock = TestClock()
        let swifty = Swifty(transport: stub(connects: [.milliseconds(10)])) { $0.clock = clock }
        let task = Task {
            for await quality in swifty.networkQualityChanges where quality == .excellent {}
        }
        try await until {
            _ = try? await swifty.api.get("x").load()
            return clock.sleeperCount == 1
        }
        task.cancel()
        await task.value
        try await until { clock.sleeperCount == 0 }
    }

    @Test("are in the metrics of each load")
    func metrics() async throws {
        let swifty = Swifty(transport: stub(connects: [.milliseconds(10), .zero])) { $0.clock = TestClock() }
        #expect(try await swifty.api.get("x").load().metrics.networkQuality == .excellent)
        swifty.overrideNetworkQuality(.poor)
        #expect(try await swifty.api.get("x").load().metrics.networkQuality == .poor)
        let quiet = Swifty(transport: stub(connects: [.zero]))
        #expect(try await quiet.api.get("x").load().metrics.networkQuality == .unknown)
    }
}
