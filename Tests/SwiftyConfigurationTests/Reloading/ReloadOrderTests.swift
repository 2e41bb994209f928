// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
import Configuration
import Dispatch
import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import Testing

@testable import SwiftyConfiguration

@Suite("The order of reloads, loads and shutdowns", .timeLimit(.minutes(15)))
struct ReloadOrderTests {
    @Test("lets a load finish with the settings with which it began")
    func during() async throws {
        let transport = HeldTransport()
        let reloading = try Reloading(over: transport)
        async let response = reloading.get().load()
        await transport.arrivals(1)
        let first = reloading.swifty.current
        reloading.change(to: 2)
        async let second = reloading.get().load()
        await transport.arrivals(2)
        #expect((first.statistics.inFlight, reloading.swifty.current.statistics.inFlight) == (1, 1))
        transport.open()
        _ = try await (response, second)
        #expect(transport.requests.map(\.version) == ["1", "2"])
        #expect(transport.shutdowns == 0)
        await reloading.swifty.shutdown()
        #expect(transport.shutdowns == 1)
    }

    @Test("ends what does not finish in time with the code shutdown, and nothing else")
    func late() async throws {
        let transport = HeldTransport()
        let clock = TestClock()
        let reloading = try Reloading(over: transport) {
            $0.gracePeriod = .seconds(5)
            $0.clock = clock
            $0.timeouts = NetworkRequest.Timeouts()
        }
        let load = Task { await reloading.loadFailure() }
        await transport.arrivals(1)
        reloading.change(to: 2)
        let later = Task { try await reloading.get().load() }
        await transport.arrivals(2)
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(5))
        #expect(await load.value == .shutdown)
        transport.open()
        #expect(try await later.value.statusCode == 200)
        await reloading.swifty.shutdown()
    }

    @Test("lets loads of several earlier instances finish, each with its settings")
    func twice() async throws {
        let transport = HeldTransport()
        let reloading = try Reloading(over: transport)
        let loads = Mutex<[Task<Int?, any Error>]>([])
        for version in 1...3 {
            if version > 1 { reloading.change(to: version) }
            loads.withLock { $0.append(Task { try await reloading.get().load().statusCode }) }
            await transport.arrivals(version)
        }
        transport.open()
        for load in loads.withLock(\.self) { #expect(try await load.value == 200) }
        #expect(transport.requests.map(\.version) == ["1", "2", "3"])
        await reloading.swifty.shutdown()
        #expect(transport.shutdowns == 1)
    }

    @Test("reads nothing after the shutdown, and refuses loads")
    func after() async throws {
        let transport = HeldTransport()
        let reloading = try Reloading(over: transport)
        let first = reloading.swifty.current
        await reloading.swifty.shutdown()
        await reloading.swifty.shutdown()
        #expect("\(reloading.change(to: 2))" == "shutDown")
        #expect(reloading.swifty.current === first)
        let result = await reloading.loadFailure()
        #expect(result == .shutdown)
        #expect((transport.requests.count, transport.shutdowns) == (0, 1))
        // Its task has nothing to follow.
        try await reloading.swifty.run()
    }

    @Test("discards the settings that are being read at the shutdown")
    func shutdownDuringReload() async throws {
        let transport = HeldTransport()
        let (readings, reading) = AsyncStream<Void>.makeStream()
        let isHeld = Mutex(false)
        let release = DispatchSemaphore(value: 0)
        let listing = Swifty.KeyListing.keys {
            if isHeld.withLock(\.self) {
                reading.yield()
                release.wait()
            }
            return []
        }
        let reloading = try Reloading(over: transport, unknownKeys: .refused(in: listing))
        isHeld.withLock { $0 = true }
        let outcome = Task {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: "\(reloading.change(to: 2))") }
            }
        }
        for await _ in readings { break }
        await reloading.swifty.shutdown()
        release.signal()
        #expect(await outcome.value == "shutDown")
        #expect(await reloading.loadFailure() == .shutdown)
    }

    @Test("cancels a load of an earlier instance once, with the code cancelled")
    func cancellation() async throws {
        let transport = HeldTransport()
        let reloading = try Reloading(over: transport)
        let first = reloading.swifty.current
        let load = Task { await reloading.loadFailure() }
        await transport.arrivals(1)
        reloading.change(to: 2)
        load.cancel()
        #expect(await load.value == .cancelled)
        await reloading.swifty.shutdown()
        #expect(first.statistics.cancelled == 1)
        #expect(transport.shutdowns == 1)
    }

    @Test("ends the loads of all instances at the shutdown, and then the transport, once")
    func shutdown() async throws {
        let transport = HeldTransport()
        let reloading = try Reloading(over: transport)
        let loads = Mutex<[Task<SwiftyError.Code?, Never>]>([])
        for version in 1...3 {
            if version > 1 { reloading.change(to: version) }
            loads.withLock { $0.append(Task { await reloading.loadFailure() }) }
            await transport.arrivals(version)
        }
        await reloading.swifty.shutdown()
        #expect(transport.shutdowns == 1)
        for load in loads.withLock(\.self) { #expect(await load.value == .shutdown) }
    }

    @Test("lets streams of earlier instances go on for the time of other loads, and not longer")
    func streams() async throws {
        let transport = HeldTransport()
        let clock = TestClock()
        let reloading = try Reloading(over: transport) {
            $0.gracePeriod = .seconds(5)
            $0.clock = clock
            $0.timeouts = NetworkRequest.Timeouts()
        }
        let stream = try await reloading.get().stream()
        var parts = stream.makeAsyncIterator()
        transport.content.send("one")
        #expect(try await parts.next() == Data("one".utf8))
        reloading.change(to: 2)
        transport.content.send("two")
        #expect(try await parts.next() == Data("two".utf8))
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(5))
        do {
            _ = try await parts.next()
            Issue.record("the stream goes on")
        } catch {
            #expect(error.code == .shutdown)
        }
        await reloading.swifty.shutdown()
        #expect(transport.shutdowns == 1)
    }

    @Test("lets streams of events go on as well, which a shutdown would end at once")
    func events() async throws {
        let transport = HeldTransport(type: "text/event-stream")
        let clock = TestClock()
        let reloading = try Reloading(over: transport) {
            $0.gracePeriod = .seconds(5)
            $0.clock = clock
            $0.timeouts = NetworkRequest.Timeouts()
        }
        var events = reloading.get().events().makeAsyncIterator()
        transport.content.send("data: 1\n\n")
        #expect(try await events.next()?.data == "1")
        reloading.change(to: 2)
        await clock.waitForSleepers(1)
        transport.content.send("data: 2\n\n")
        #expect(try await events.next()?.data == "2")
        await clock.advance(by: .seconds(5))
        do {
            _ = try await events.next()
            Issue.record("the events go on")
        } catch {
            #expect(error.code == .shutdown)
        }
        #expect(transport.requests.count == 1)
        await reloading.swifty.shutdown()
    }

    @Test("lets hooks of a load of an earlier instance load what they need through it")
    func hooks() async throws {
        let transport = HeldTransport()
        let token = TokenFetching()
        let reloading = try Reloading(over: transport) { $0.use(token) }
        token.swifty.withLock { $0 = reloading.swifty.current }
        let load = Task { await reloading.loadFailure() }
        for await _ in token.calls { break }
        reloading.change(to: 2)
        transport.open()
        token.mayGoOn.finish()
        #expect(await load.value == nil)
        #expect(transport.requests.map(\.target.path) == ["/token", "/item"])
        await reloading.swifty.shutdown()
    }

    @Test("lets a stream of an earlier instance end by itself")
    func finishedStream() async throws {
        let transport = HeldTransport()
        let reloading = try Reloading(over: transport)
        let stream = try await reloading.get().stream()
        reloading.change(to: 2)
        transport.content.send("all")
        transport.content.finish()
        var content = Data()
        for try await part in stream { content += part }
        #expect(content == Data("all".utf8))
        await reloading.swifty.shutdown(graceful: .seconds(60))
        #expect(transport.shutdowns == 1)
    }
}

/// Loads a token before each request, when a test lets it.
private final class TokenFetching: RequestInterceptor {
    let swifty = Mutex<Swifty?>(nil)
    let (calls, called) = AsyncStream<Void>.makeStream()
    let (going, mayGoOn) = AsyncStream<Never>.makeStream()

    func intercept(resource: NetworkResource) async throws -> NetworkResource {
        guard let swifty = swifty.withLock(\.self) else { return resource }
        called.yield()
        for await _ in going {}
        _ = try await BaseResource("https://token.example.com", networkInterface: swifty).get("token").load()
        return resource
    }
}
#endif
