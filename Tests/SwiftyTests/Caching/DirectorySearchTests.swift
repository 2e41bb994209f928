// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import TestSupport
import Testing

@testable import Swifty

@Suite("A search in the directory of a cache", .timeLimit(.minutes(15)))
struct DirectorySearchTests {
    private let folder: TemporaryFolder
    private let clock = DateClock()

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The request of a response that is in the directory.
    private func store() async throws -> NetworkRequest {
        let stub = StubTransport { _ in TransportResponse(200, [("Cache-Control", "max-age=60")]) }
        let cache = try ResponseCache(directory: folder.path("cache"), now: clock.now)
        let swifty = Swifty(transport: stub) { $0.responseCache = cache }
        _ = try await swifty.api.get("x").load()
        await cache.flush()
        return stub.requests[0]
    }

    @Test("does not bring back what is removed while its file is read", arguments: [false, true])
    func removal(isRemoved: Bool) async throws {
        let request = try await store()
        let key = try #require(CacheKey(request, partition: nil))
        let (isRead, goesOn) = (Gate(), Gate())
        let cache = try ResponseCache(directory: folder.path("cache")) { [clock] in
            // A search asks for the time once it has read the file, to note it as that of the last use.
            isRead.open()
            goesOn.block()
            return clock.now()
        }
        let search = Task { await cache.responseOnDisk(to: request, key) }
        try await until { isRead.isOpen }
        if isRemoved { cache.remove(request.target) }
        goesOn.open()
        let found = await search.value
        #expect((found == nil) == isRemoved)
        #expect((cache.responseInMemory(to: request, key) == nil) == isRemoved)
    }

    /// Each response varies by another field. The first one cannot answer the second request, so it stays stored, and
    /// the third request may be answered by both.
    @Test(
        "finds the newest of the responses that may answer a request",
        arguments: [["Accept", "Accept-Language"], ["Accept-Language", "Accept"]]
    )
    func newest(fields: [String]) async throws {
        let count = Counter()
        let stub = StubTransport { _ in
            let number = count.increment()
            let headers = [("Cache-Control", "max-age=60"), ("Vary", fields[number - 1])]
            return TransportResponse(200, headers, "\(number)")
        }
        func load(_ headers: [String: String] = [:]) async throws -> String? {
            let cache = try ResponseCache(directory: folder.path("cache"), now: clock.now)
            let swifty = Swifty(transport: stub) { $0.responseCache = cache }
            let text = try await swifty.api.get("x").headers(headers).load().string
            await cache.flush()
            return text
        }
        #expect(try await load() == "1")
        clock.advance(by: 1)
        #expect(try await load([fields[0]: "text/csv"]) == "2")
        #expect(try await load() == "2")
    }
}
