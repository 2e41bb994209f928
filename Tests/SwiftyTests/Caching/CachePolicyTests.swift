// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("The cache policy of a request", .timeLimit(.minutes(15)))
struct CachePolicyTests {
    private let minute = [("Cache-Control", "max-age=60")]

    @Test("sends a request past all caches, and stores the response")
    func reload() async throws {
        let api = CachedAPI(fields: minute + [("ETag", #""1""#)])
        #expect(try await api.number() == "1")
        #expect(try await api.get().cache(.reload).load().string == "2")
        #expect(try await api.number() == "2")
        #expect(api.stub.requests[1].headers[.cacheControl] == "no-cache")
        #expect(api.stub.requests[1].headers[.ifNoneMatch] == nil)
    }

    @Test("asks the server about a fresh response, too")
    func revalidate() async throws {
        let api = CachedAPI { number, _ in
            number == 1
                ? TransportResponse(200, [("ETag", #""1""#), ("Cache-Control", "max-age=60")])
                : TransportResponse(304, [], "")
        }
        _ = try await api.get().load()
        #expect(try await api.get().cache(.revalidate).load().metrics.source == .revalidatedCache)
        #expect(api.stub.requests[1].headers[.cacheControl] == "max-age=0")
        #expect(api.stub.requests[1].headers[.ifNoneMatch] == #""1""#)
    }

    @Test("uses a stale response, or fails in place of sending")
    func stored() async throws {
        let api = CachedAPI(fields: minute)
        let missing = await #expect(throws: SwiftyError.self) { try await api.get().cache(.onlyStored).load() }
        #expect(missing?.code == .notStored)
        #expect(missing?.sent == .notSent)
        #expect(api.stub.requests.isEmpty)
        #expect(try await api.get().cache(.preferStored).load().string == "1")
        api.clock.advance(by: 3600)
        let stale = try await api.get().cache(.preferStored).load()
        #expect(stale.string == "1")
        #expect(stale.metrics.source == .staleCache)
        #expect(stale.head?["Age"] == "3600")
        #expect(try await api.get().cache(.onlyStored).load().string == "1")
        #expect(api.stub.requests.count == 1)
    }

    @Test("leaves what other users have, and what a response says nothing about", arguments: [401, 407, 408, 425, 429])
    func silent(status: Int) async throws {
        let api = CachedAPI { number, request in
            let isRefused = request.headers[.cacheControl] != nil && number > 2
            return TransportResponse(isRefused ? status : 200, minute, "\(number)")
        }
        for user in ["a", "b"] { _ = try await api.get().header(.authorization, user).load() }
        let refused = try await api.get().header(.authorization, "b").cache(.reload).load()
        #expect(refused.statusCode == status)
        #expect(try await api.get().header(.authorization, "a").load().string == "1")
        // With 401, the server refuses this credential.
        let next = try await api.get().header(.authorization, "b").load()
        #expect(next.string == (status == 401 ? "4" : "2"))
    }

    @Test("sends no change if nothing may be sent")
    func storedOnly() async throws {
        let api = CachedAPI {
            $0.cache = .onlyStored
        } answer: { _, _ in
            TransportResponse(200)
        }
        let error = await #expect(throws: SwiftyError.self) { try await api.swifty.api.post("x").load() }
        #expect(error?.code == .notStored)
        #expect(api.stub.requests.isEmpty)
    }

    @Test("removes what a reload has replaced with a response that may not be stored")
    func reloadUnstored() async throws {
        let api = CachedAPI { number, _ in
            TransportResponse(200, [("Cache-Control", number == 2 ? "no-store" : "max-age=60")], "\(number)")
        }
        #expect(try await api.number() == "1")
        #expect(try await api.get().cache(.reload).load().string == "2")
        #expect(try await api.number() == "3")
    }

    @Test("holds for requests that no cache can answer, and without a cache")
    func withoutCache() async throws {
        let api = CachedAPI(fields: minute)
        let range = await #expect(throws: SwiftyError.self) {
            try await api.get().header("Range", "bytes=0-1").cache(.onlyStored).load()
        }
        #expect(range?.code == .notStored)
        let stub = StubTransport(content: "x")
        let swifty = Swifty(transport: stub)
        let none = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").cache(.onlyStored).load() }
        #expect(none?.code == .notStored)
        #expect(try await swifty.api.get("x").cache(.reload).load().string == "x")
        #expect(try await swifty.api.get("x").cache(.none).load().string == "x")
        #expect(stub.requests.map { $0.headers[.cacheControl] } == ["no-cache", nil])
        #expect(api.stub.requests.isEmpty)
    }

    @Test("neither reads nor writes with .none, nor if the request says no-store")
    func off() async throws {
        let api = CachedAPI(fields: minute)
        #expect(try await api.number() == "1")
        #expect(try await api.get().cache(.none).load().string == "2")
        #expect(try await api.get().header(.cacheControl, "no-store").load().string == "3")
        #expect(try await api.number() == "1")
        let quiet = CachedAPI {
            $0.cache = .none
        } answer: { number, _ in
            TransportResponse(200, [("Cache-Control", "max-age=60")], "\(number)")
        }
        #expect(try await quiet.number() == "1")
        #expect(try await quiet.number() == "2")
        #expect(try await quiet.get().cache(.standard).load().string == "3")
        #expect(try await quiet.get().cache(.standard).load().string == "3")
    }

    @Test("does not replace the request's own field")
    func ownField() async throws {
        let api = CachedAPI(fields: minute)
        _ = try await api.get().header(.cacheControl, "no-transform").cache(.reload).load()
        #expect(api.stub.requests[0].headers[.cacheControl] == "no-transform")
    }

    @Test("decides about each response, as it was sent and received")
    func decision() async throws {
        let api = CachedAPI(fields: [])
        let policy = CachePolicy { context in
            #expect(context.head.statusCode == 200)
            return context.request.target.path == "/x" ? .keep(for: .seconds(10)) : .discard
        }
        for _ in 0..<2 { #expect(try await api.get("x").cache(policy).load().string == "1") }
        #expect(try await api.get("y").cache(policy).load().string == "2")
        #expect(try await api.get("y").cache(policy).load().string == "3")
        api.clock.advance(by: 10)
        #expect(try await api.get("x").cache(policy).load().string == "4")
    }

    @Test("is explained")
    func explained() async throws {
        let api = CachedAPI(fields: [])
        #expect(try await api.get().cache(.reload).explain().description.contains("cache: reload"))
        #expect(try await !Swifty(transport: api.stub).api.get("x").explain().description.contains("cache"))
    }
}
