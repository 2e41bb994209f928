// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("A cache and requests that change what is stored", .timeLimit(.minutes(15)))
struct CacheChangeTests {
    private let minute = [("Cache-Control", "max-age=60")]

    @Test("forgets what an unsafe request may have changed", arguments: ["POST", "PUT", "PATCH", "DELETE", "PURGE"])
    func unsafe(method: String) async throws {
        let api = CachedAPI(fields: minute)
        #expect(try await api.number() == "1")
        #expect(try await api.get().header(.authorization, "Bearer 1").load().string == "2")
        _ = try await api.swifty.api.request(method, "x").load()
        #expect(try await api.number() == "4")
        #expect(try await api.get().header(.authorization, "Bearer 1").load().string == "5")
    }

    @Test("keeps it after a safe request, and after a failure that says that nothing has changed")
    func unchanged() async throws {
        let api = CachedAPI { number, request in
            if request.method == .post { return TransportResponse(403, [], "") }
            if request.method == .delete { throw SwiftyError(.connectionFailed, stage: .connect) }
            return TransportResponse(200, [("Cache-Control", "max-age=60")], "\(number)")
        }
        #expect(try await api.number() == "1")
        _ = try await api.swifty.api.options("x").load()
        _ = try await api.swifty.api.post("x").validate(status: .any).load()
        await #expect(throws: SwiftyError.self) { try await api.swifty.api.delete("x").load() }
        #expect(try await api.number() == "1")
    }

    @Test("forgets it if nobody can say whether the request was processed")
    func maybeSent() async throws {
        let api = CachedAPI { number, request in
            if request.method == .put { throw SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent) }
            return TransportResponse(200, [("Cache-Control", "max-age=60")], "\(number)")
        }
        #expect(try await api.number() == "1")
        await #expect(throws: SwiftyError.self) { try await api.swifty.api.put("x").load() }
        #expect(try await api.number() == "3")
    }

    @Test("forgets it if an earlier attempt may have been processed, and its repetition was not sent")
    func earlierAttempt() async throws {
        let (waiting, release) = (Gate(), Gate())
        let api = CachedAPI {
            $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .none)
            $0.use(
                RequestHook { resource in
                    if resource.draft.method == .put, resource.draft.attempt == 2 {
                        waiting.open()
                        await release.wait()
                    }
                    return resource
                }
            )
        } answer: { number, request in
            if request.method == .put { throw SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent) }
            return TransportResponse(200, [("Cache-Control", "max-age=60")], "\(number)")
        }
        let change = Task { try await api.swifty.api.put("x").load() }
        try await until { waiting.isOpen }
        #expect(try await api.number() == "2")
        change.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await change.value }
        #expect(error?.sent == .maybeSent)
        release.open()
        #expect(try await api.number() == "3")
    }

    @Test("forgets it if the response to a change is cut")
    func cutResponse() async throws {
        let api = CachedAPI { number, request in
            if request.method == .put {
                throw SwiftyError(.connectionLost, stage: .content, sent: .responded)
            }
            return TransportResponse(200, [("Cache-Control", "max-age=60")], "\(number)")
        }
        #expect(try await api.number() == "1")
        await #expect(throws: SwiftyError.self) { try await api.swifty.api.put("x").load() }
        #expect(try await api.number() == "3")
    }

    @Test("keeps it if the server says that the change has failed", arguments: [403, 409, 500, 503])
    func refusals(status: Int) async throws {
        let api = CachedAPI { number, request in
            request.method == .put
                ? TransportResponse(status, [], "")
                : TransportResponse(200, [("Cache-Control", "max-age=60")], "\(number)")
        }
        #expect(try await api.number() == "1")
        await #expect(throws: SwiftyError.self) { try await api.swifty.api.put("x").load() }
        #expect(try await api.number() == "1")
    }

    @Test("forgets it after a gateway's failure, and after a refusal that follows an uncertain attempt")
    func uncertainRefusals() async throws {
        let api = CachedAPI {
            $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .none)
        } answer: { number, request in
            if request.method == .post { return TransportResponse(504, [], "") }
            if request.method == .put, number == 4 {
                throw SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent)
            }
            if request.method == .put { return TransportResponse(409, [], "") }
            return TransportResponse(200, [("Cache-Control", "max-age=60")], "\(number)")
        }
        #expect(try await api.number() == "1")
        await #expect(throws: SwiftyError.self) { try await api.swifty.api.post("x").load() }
        #expect(try await api.number() == "3")
        await #expect(throws: SwiftyError.self) { try await api.swifty.api.put("x").load() }
        #expect(try await api.number() == "6")
    }

    @Test("forgets the URLs that the response names, on the same origin")
    func named() async throws {
        let api = CachedAPI { number, request in
            request.method == .post
                ? TransportResponse(201, [("Location", "/x"), ("Content-Location", "https://other.example.com/y")], "")
                : TransportResponse(200, [("Cache-Control", "max-age=60")], "\(number)")
        }
        let other = BaseResource("https://other.example.com", networkInterface: api.swifty)
        #expect(try await api.number() == "1")
        #expect(try await other.get("y").load().string == "2")
        _ = try await api.swifty.api.post("list").load()
        #expect(try await api.number() == "4")
        #expect(try await other.get("y").load().string == "2")
    }

    @Test("does not store a response that was on its way when the resource changed")
    func race() async throws {
        let (arrived, change) = (Gate(), Gate())
        let api = CachedAPI { number, request in
            if number == 1 {
                arrived.open()
                await change.wait()
            }
            return TransportResponse(200, [("Cache-Control", "max-age=60")], "\(number)")
        }
        async let old = api.number()
        try await until { arrived.isOpen }
        _ = try await api.swifty.api.put("x").load()
        change.open()
        #expect(try await old == "1")
        #expect(try await api.number() == "3")
    }

    @Test("does not confirm a response that was forgotten meanwhile")
    func confirmedLate() async throws {
        let (arrived, change) = (Gate(), Gate())
        let api = CachedAPI { number, request in
            guard number == 2 else { return TransportResponse(200, [("ETag", "\"\(number)\"")], "\(number)") }
            arrived.open()
            await change.wait()
            return TransportResponse(304, [("Cache-Control", "max-age=60")], "")
        }
        _ = try await api.number()
        async let confirmed = api.get().load()
        try await until { arrived.isOpen }
        api.cache.remove(try TargetURI("https://api.example.com/x"))
        change.open()
        #expect(try await confirmed.metrics.source == .revalidatedCache)
        #expect(try await api.number() == "3")
    }

    @Test("is emptied by the program")
    func emptied() async throws {
        let api = CachedAPI(fields: minute)
        #expect(try await api.number("a") == "1")
        #expect(try await api.number("b") == "2")
        api.cache.remove(try TargetURI("https://api.example.com/a"))
        #expect(try await api.number("a") == "3")
        #expect(try await api.number("b") == "2")
        await api.cache.removeAll()
        #expect(try await api.number("b") == "4")
        #expect(api.cache.statistics.responsesInMemory == 1)
    }

    @Test("forgets more resources than it remembers the changes of")
    func many() async throws {
        let api = CachedAPI(fields: minute)
        #expect(try await api.number() == "1")
        for number in 0..<2100 { api.cache.remove(try TargetURI("https://api.example.com/\(number)")) }
        #expect(try await api.number() == "1")
        #expect(try await api.number("new") == "2")
        #expect(try await api.number("new") == "2")
    }
}
