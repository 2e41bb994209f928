// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

@Suite("A load with a cache", .timeLimit(.minutes(15)))
struct CachedLoadTests {
    private let minute = [("Cache-Control", "max-age=60")]

    @Test("is answered without a request while the stored response is fresh")
    func fresh() async throws {
        let api = CachedAPI(fields: minute)
        #expect(try await api.get().load().metrics.source == .network)
        api.clock.advance(by: 59)
        let second = try await api.get().load()
        #expect(second.string == "1")
        #expect(second.metrics.source == .cache)
        #expect(second.metrics.attempts.isEmpty)
        #expect(second.head?["Age"] == "59")
        api.clock.advance(by: 1)
        #expect(try await api.number() == "2")
        #expect(api.stub.requests.count == 2)
        #expect(api.cache.statistics.hits == 1)
        #expect(api.cache.statistics.stores == 2)
        #expect(api.swifty.statistics.attempts == 2)
    }

    @Test("does not go back to a response that was requested earlier and has come later", arguments: [false, true])
    func overtaken(isOnDisk: Bool) async throws {
        let (gate, folder) = (Gate(), try TemporaryFolder())
        let api = CachedAPI { number, _ in
            if number == 1 { await gate.wait() }
            return TransportResponse(200, [("Cache-Control", "max-age=60")], "\(number)")
        }
        let cache =
            isOnDisk
            ? try ResponseCache(directory: folder.path, maximumMemoryBytes: 0, now: api.clock.now) : api.cache
        let swifty = Swifty(transport: api.stub) { $0.responseCache = cache }
        let slow = Task { try await swifty.api.get("x").load() }
        try await until { api.stub.requests.count == 1 }
        api.clock.advance(by: 1)
        #expect(try await swifty.api.get("x").load().string == "2")
        if isOnDisk { await cache.flush() }
        gate.open()
        #expect(try await slow.value.string == "1")
        let stored = try await swifty.api.get("x").load()
        #expect(stored.metrics.source == .cache)
        #expect(stored.string == "2")
    }

    @Test("stores one that was requested later, and comes after the clock was set back")
    func clock() async throws {
        let api = CachedAPI(fields: minute)
        #expect(try await api.number() == "1")
        api.clock.advance(by: -3600)
        #expect(try await api.get().cache(CachePolicy(.reload)).load().string == "2")
        #expect(try await api.number() == "2")
    }

    @Test("stores nothing without a cache")
    func none() async throws {
        let stub = StubTransport { _ in TransportResponse(200, [("Cache-Control", "max-age=60")]) }
        let swifty = Swifty(transport: stub)
        for _ in 0..<2 { #expect(try await swifty.api.get("x").load().metrics.source == .network) }
        #expect(stub.requests.count == 2)
    }

    @Test("asks the server whether a stale response is current, and uses it after a 304")
    func confirmed() async throws {
        let api = CachedAPI { number, request in
            if number == 1 {
                return TransportResponse(
                    200,
                    [
                        ("ETag", #""1""#), ("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT"), ("X-Old", "1"),
                        ("X-New", "1"),
                    ]
                )
            }
            #expect(request.headers[.ifNoneMatch] == #""1""#)
            #expect(request.headers[.ifModifiedSince] == "Thu, 01 Jan 2026 00:00:00 GMT")
            return TransportResponse(
                304,
                [("Cache-Control", "max-age=60"), ("X-New", "2"), ("Content-Length", "9")],
                ""
            )
        }
        _ = try await api.get().load()
        let second = try await api.get().load()
        #expect(second.statusCode == 200)
        #expect(second.string == "x")
        #expect(second.metrics.source == .revalidatedCache)
        #expect(second.metrics.attempts.count == 1)
        #expect(second.head?["X-Old"] == "1")
        #expect(second.head?["X-New"] == "2")
        #expect(second.head?["Content-Length"] == "1")
        // The 304 has made it fresh.
        let third = try await api.get().load()
        #expect(third.metrics.source == .cache)
        #expect(third.head?["X-New"] == "2")
        #expect(api.cache.statistics.revalidations == 1)
    }

    @Test("replaces a stored response that has changed, and removes one whose successor may not be stored")
    func changed() async throws {
        let api = CachedAPI { number, _ in
            TransportResponse(
                200,
                number == 3 ? [("Cache-Control", "no-store")] : [("ETag", "\"\(number)\"")],
                "\(number)"
            )
        }
        for number in 1...3 { #expect(try await api.number() == "\(number)") }
        #expect(api.stub.requests[1].headers[.ifNoneMatch] == #""1""#)
        #expect(api.stub.requests[2].headers[.ifNoneMatch] == #""2""#)
        #expect(api.cache.statistics.responsesInMemory == 0)
        #expect(try await api.number() == "4")
        #expect(api.stub.requests[3].headers[.ifNoneMatch] == nil)
    }

    @Test("asks once more without a condition if the server confirms another response")
    func otherTag() async throws {
        let api = CachedAPI { number, request in
            number == 2
                ? TransportResponse(304, [("ETag", #""other""#)], "")
                : TransportResponse(200, [("ETag", "\"\(number)\"")], "\(number)")
        }
        _ = try await api.number()
        #expect(try await api.number() == "3")
        #expect(api.stub.requests.map { $0.headers[.ifNoneMatch] } == [nil, #""1""#, nil])
    }

    @Test("over a socket gets the content of a 304 from memory or from a file, decoded", arguments: [true, false])
    func endToEnd(isOnDisk: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("cache")
        let cache = isOnDisk ? try ResponseCache(directory: path, maximumMemoryBytes: 0) : ResponseCache()
        let server = try LoopbackServer()
        let text = String(repeating: "text ", count: 400)
        server.route("GET", "/x") { request in
            if request["If-None-Match"] == #""1""# { return .status(304, headers: [("ETag", #""1""#)]) }
            return .text(text).header("ETag", #""1""#).header("Cache-Control", "no-cache")
        }
        let swifty = Swifty { $0.responseCache = cache }
        let base = BaseResource(server.url, networkInterface: swifty)
        #expect(try await base.get("x").load().string == text)
        await cache.flush()
        let second = try await base.get("x").load()
        #expect(second.string == text)
        #expect(second.statusCode == 200)
        #expect(second.metrics.source == .revalidatedCache)
        #expect(second.metrics.transfer?.responseContentBytes == 0)
        #expect(server.log.count == 2)
        await server.stop()
        #expect(try await base.get("x").cache(.onlyStored).load().string == text)
        await swifty.shutdown()
    }

    @Test("obeys what a 304 says about storing and variants")
    func changedRules() async throws {
        let api = CachedAPI { number, request in
            if request.headers[.ifNoneMatch] == nil {
                return TransportResponse(200, [("ETag", #""1""#), ("Cache-Control", "max-age=0")], "\(number)")
            }
            let isForbidden = request.target.path == "/forbidden"
            return TransportResponse(
                304,
                [("Cache-Control", isForbidden ? "no-store" : "max-age=60"), ("Vary", isForbidden ? "" : "Accept")],
                ""
            )
        }
        for path in ["forbidden", "varied"] { _ = try await api.number(path) }
        #expect(try await api.get("forbidden").load().metrics.source == .revalidatedCache)
        #expect(try await api.get("forbidden").load().metrics.source == .network)
        #expect(try await api.get("varied").load().metrics.source == .revalidatedCache)
        #expect(try await api.get("varied").load().metrics.source == .cache)
        #expect(try await api.get("varied").header(.accept, "text/csv").load().metrics.source == .network)
    }

    @Test("gets coded content only with the codings that it was stored for")
    func codings() async throws {
        let api = CachedAPI(fields: minute + [("Content-Encoding", "x-unknown")])
        #expect(try await api.get().header(.acceptEncoding, "x-unknown").load().string == "1")
        #expect(try await api.get().header(.acceptEncoding, "identity").load().string == "2")
        #expect(try await api.get().header(.acceptEncoding, "x-unknown").load().string == "1")
    }

    @Test("is held to the limit of its own request")
    func contentLimit() async throws {
        let api = CachedAPI { _, _ in
            TransportResponse(200, [("Cache-Control", "max-age=60")], String(repeating: "x", count: 1000))
        }
        _ = try await api.get().load()
        let error = await #expect(throws: SwiftyError.self) { try await api.get().contentLimit(999).load() }
        #expect(error?.code == .responseTooLarge)
        #expect(try await api.get().contentLimit(1000).load().metrics.source == .cache)
        #expect(api.stub.requests.count == 1)
    }

    @Test("gets the variant of its own fields", arguments: ["Accept-Language", "accept-language, X-Other"])
    func variants(vary: String) async throws {
        let api = CachedAPI(fields: minute + [("Vary", vary)])
        func number(_ language: String?) async throws -> String? {
            try await api.get().header(.acceptLanguage, language).load().string
        }
        #expect(try await number("de") == "1")
        #expect(try await number("en,  fr") == "2")
        #expect(try await number(nil) == "3")
        #expect(try await number("de") == "1")
        #expect(try await number("en,fr") == "2")
        #expect(try await number(nil) == "3")
        #expect(try await number("") == "4")
        #expect(api.cache.statistics.responsesInMemory == 4)
    }

    @Test("for HEAD is answered by the response to GET, and confirms or removes it")
    func head() async throws {
        let api = CachedAPI { number, request in
            let tag = number == 3 ? "b" : "a"
            return TransportResponse(
                200,
                [("ETag", "\"\(tag)\""), ("Cache-Control", "max-age=60"), ("X-Number", "\(number)")],
                request.method == .head ? "" : "content"
            )
        }
        _ = try await api.get().load()
        let head = try await api.swifty.api.head("x").load()
        #expect(head.metrics.source == .cache)
        #expect(head.data?.isEmpty ?? true)
        #expect(try await api.get().load().string == "content")
        api.clock.advance(by: 61)
        _ = try await api.swifty.api.head("x").load()
        let confirmed = try await api.get().load()
        #expect(confirmed.metrics.source == .cache)
        #expect(confirmed.head?["X-Number"] == "2")
        api.clock.advance(by: 61)
        _ = try await api.swifty.api.head("x").load()
        #expect(try await api.get().load().metrics.source == .network)
    }

    @Test("of the same path with another query or on another host has its own response")
    func keys() async throws {
        let api = CachedAPI(fields: minute)
        let other = BaseResource("https://other.example.com", networkInterface: api.swifty)
        #expect(try await api.number() == "1")
        #expect(try await api.get().query("a", 1).load().string == "2")
        #expect(try await api.get().query("a", 2).load().string == "3")
        #expect(try await other.get("x").load().string == "4")
        #expect(try await api.get().query("a", 1).load().string == "2")
    }

    @Test(
        "passes the cache if it asks for a part, has a condition or content of its own, or is a stream",
        arguments: ["Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Range"]
    )
    func bypass(field: String) async throws {
        let api = CachedAPI(fields: minute)
        #expect(try await api.number() == "1")
        #expect(try await api.get().header(field, "x").load().string == "2")
        #expect(try await api.number() == "1")
        #expect(try await String(decoding: api.get().stream().collect(limit: 9), as: UTF8.self) == "3")
        #expect(try await api.number() == "1")
    }

    @Test("that follows a stored redirect sends only what is not stored")
    func redirects() async throws {
        let api = CachedAPI { number, request in
            request.target.path == "/x"
                ? TransportResponse(301, [("Location", "/y"), ("Cache-Control", "max-age=60")])
                : TransportResponse(200, [("Cache-Control", "max-age=9")], "\(number)")
        }
        #expect(try await api.number() == "2")
        let again = try await api.get().load()
        #expect(again.string == "2")
        #expect(again.request?.target.path == "/y")
        #expect(again.metrics.source == .cache)
        #expect(again.metrics.attempts.isEmpty)
        api.clock.advance(by: 10)
        let third = try await api.get().load()
        #expect(third.string == "3")
        #expect(third.metrics.source == .network)
        #expect(third.metrics.redirects.map(\.statusCode) == [301])
    }

    @Test("is decoded as if it came from the server, and passes the same hooks")
    func pipeline() async throws {
        let events = EventNames { event, _ in
            switch event {
            case .answered(let source): "answered \(source)"
            case .attemptEnded: "attemptEnded"
            case .finished: "finished"
            default: nil
            }
        }
        let intercepted = Counter()
        let api = CachedAPI {
            $0.use(events)
            $0.use(
                ResponseHook {
                    _ = intercepted.increment()
                    return $0
                }
            )
        } answer: { _, _ in
            TransportResponse(200, [("Cache-Control", "max-age=60"), ("Content-Type", "application/json")], "[1,2]")
        }
        for _ in 0..<2 { #expect(try await api.get().decode([Int].self).load() == [1, 2]) }
        #expect(intercepted.value == 2)
        #expect(events.all == ["attemptEnded", "finished", "answered cache", "finished"])
    }
}
