// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("A stale response", .timeLimit(.minutes(15)))
struct StaleResponseTests {
    @Test("is used while one load asks for a newer one")
    func whileRevalidating() async throws {
        let asked = Gate()
        let api = CachedAPI { number, request in
            if number == 2 { await asked.wait() }
            return TransportResponse(200, [("Cache-Control", "max-age=10, stale-while-revalidate=60")], "\(number)")
        }
        #expect(try await api.number() == "1")
        api.clock.advance(by: 20)
        for _ in 0..<5 {
            let response = try await api.get().load()
            #expect(response.string == "1")
            #expect(response.metrics.source == .staleCache)
        }
        try await until { api.stub.requests.count == 2 }
        #expect(api.stub.requests[1].headers[.cacheControl] == "max-age=0")
        #expect(api.swifty.statistics.inFlight == 1)
        asked.open()
        try await until { api.swifty.statistics.inFlight == 0 }
        #expect(try await api.number() == "2")
        // The next one is refreshed, too.
        api.clock.advance(by: 20)
        #expect(try await api.number() == "2")
        try await until { api.stub.requests.count == 3 && api.swifty.statistics.inFlight == 0 }
        #expect(try await api.number() == "3")
    }

    @Test("is refreshed without the progress and the observers of the load that found it")
    func quietRefresh() async throws {
        let (progress, monitor) = (Counter(), LoadMonitor())
        let api = CachedAPI(fields: [("Cache-Control", "max-age=10, stale-while-revalidate=60")])
        _ = try await api.number()
        api.clock.advance(by: 20)
        let response = try await api.get().use(monitor).onProgress { _ in _ = progress.increment() }.load()
        #expect(response.metrics.source == .staleCache)
        let seen = progress.value
        try await until { api.stub.requests.count == 2 && api.swifty.statistics.inFlight == 0 }
        #expect(progress.value == seen)
        #expect(monitor.metrics?.source == .staleCache)
        #expect(try await api.number() == "2")
    }

    @Test("is refreshed with the hooks of the request that change it, even if they also observe")
    func refreshHooks() async throws {
        struct Token: RequestInterceptor, Swifty.Observer {
            let observed: Counter
            func intercept(resource: NetworkResource) -> NetworkResource { resource.header(.authorization, "Bearer 1") }
            func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
                if case .finished = event { observed.increment() }
            }
        }
        let api = CachedAPI(fields: [("Cache-Control", "max-age=10, stale-while-revalidate=60")])
        let token = Token(observed: Counter())
        let policy = CachePolicy(partition: "ada")
        for _ in 0..<2 {
            _ = try await api.get().use(token).cache(policy).load()
            api.clock.advance(by: 20)
        }
        try await until { api.stub.requests.count == 2 && api.swifty.statistics.inFlight == 0 }
        #expect(api.stub.requests.allSatisfy { $0.headers[.authorization] == "Bearer 1" })
        #expect(token.observed.value == 2)
    }

    @Test("is refreshed again after a refresh that failed, or that a shutdown ended")
    func failedRefresh() async throws {
        let api = CachedAPI { number, _ in
            if number == 2 { throw SwiftyError(.connectionFailed, stage: .connect) }
            if number == 3 { await untilCancelled() }
            return TransportResponse(200, [("Cache-Control", "max-age=10, stale-while-revalidate=60")], "\(number)")
        }
        _ = try await api.number()
        api.clock.advance(by: 20)
        #expect(try await api.number() == "1")
        try await until { api.stub.requests.count == 2 && api.swifty.statistics.inFlight == 0 }
        #expect(try await api.number() == "1")
        try await until { api.stub.requests.count == 3 }
        await api.swifty.shutdown()
        #expect(api.swifty.statistics.inFlight == 0)
        let error = await #expect(throws: SwiftyError.self) { try await api.number() }
        #expect(error?.code == .shutdown)
    }

    @Test(
        "is used if the server fails and has allowed it",
        arguments: [("stale-if-error=60", true), ("stale-if-error=60, must-revalidate", false), ("x", false)]
    )
    func ifError(directive: String, isUsed: Bool) async throws {
        let api = CachedAPI { number, _ in
            switch number {
            case 1:
                return TransportResponse(200, [("Cache-Control", "max-age=10, \(directive)"), ("ETag", #""1""#)], "1")
            case 2: return TransportResponse(503, [], "unavailable")
            default: throw SwiftyError(.connectionFailed, stage: .connect)
            }
        }
        _ = try await api.number()
        api.clock.advance(by: 20)
        #expect(try await api.number() == (isUsed ? "1" : "unavailable"))
        if isUsed {
            let response = try await api.get().load()
            #expect(response.metrics.source == .staleCache)
            // The failed request was one, and is in the measurements.
            #expect(response.metrics.attempts.map(\.errorCode) == [.connectionFailed])
            api.clock.advance(by: 60)
        }
        await #expect(throws: SwiftyError.self) { try await api.number() }
    }

    @Test("is used if the request allows it")
    func ofRequest() async throws {
        let api = CachedAPI { number, _ in
            if number > 1 { throw SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent) }
            return TransportResponse(200, [("Cache-Control", "max-age=10")], "1")
        }
        _ = try await api.number()
        api.clock.advance(by: 20)
        let allowed = api.get().header(.cacheControl, "stale-if-error=30")
        #expect(try await allowed.load().string == "1")
        #expect(try await api.get().header(.cacheControl, "max-stale=30").load().string == "1")
        await #expect(throws: SwiftyError.self) { try await api.number() }
    }

    @Test("is not used after a cancellation, and a cancelled load sends nothing")
    func cancelled() async throws {
        let api = CachedAPI { number, _ in
            if number > 1 { await untilCancelled() }
            return TransportResponse(200, [("Cache-Control", "max-age=10, stale-if-error=60")], "1")
        }
        _ = try await api.number()
        api.clock.advance(by: 20)
        let task = Task { try await api.number() }
        try await until { api.stub.requests.count == 2 }
        task.cancel()
        await #expect(throws: SwiftyError.self) { try await task.value }
    }

    @Test("is not used after a failure if it was removed meanwhile", arguments: [true, false])
    func removedMeanwhile(fails: Bool) async throws {
        let (arrived, gate) = (Gate(), Gate())
        let api = CachedAPI { number, _ in
            if number == 1 { return TransportResponse(200, [("Cache-Control", "max-age=1, stale-if-error=600")], "1") }
            arrived.open()
            await gate.wait()
            if fails { throw SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent) }
            return TransportResponse(503, [], "")
        }
        _ = try await api.number()
        api.clock.advance(by: 20)
        let load = Task { try await api.swifty.api.get("x").load() }
        await arrived.wait()
        await api.cache.removeAll()
        gate.open()
        await #expect(throws: SwiftyError.self) { try await load.value }
    }

    @Test("is not what a retry gets: it asks the server")
    func retry() async throws {
        let api = CachedAPI {
            $0.retry = RetryPolicy(maximumAttempts: 3, backoff: .none)
        } answer: { number, _ in
            TransportResponse(number < 3 ? 503 : 200, [("Cache-Control", "max-age=60")], "\(number)")
        }
        let base = api.swifty.api
        #expect(try await base.get("x").load().string == "3")
        #expect(try await base.get("x").load().metrics.source == .cache)
        #expect(api.stub.requests.count == 3)
    }

    @Test("is not what a retry gets that prefers stored responses: the failure of before is not one")
    func preferringRetry() async throws {
        let api = CachedAPI {
            $0.retry = RetryPolicy(maximumAttempts: 3, backoff: .none)
            $0.cache = .preferStored
        } answer: { number, _ in
            // The failure itself is stored.
            TransportResponse(number < 3 ? 503 : 200, [("Cache-Control", "max-age=60")], "\(number)")
        }
        #expect(try await api.swifty.api.get("x").load().string == "3")
        #expect(api.stub.requests.count == 3)
    }
}
