// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import Swifty

@Suite("A cache in a directory", .timeLimit(.minutes(15)))
struct CacheDirectoryTests {
    private let folder: TemporaryFolder
    private let clock = DateClock()

    init() throws {
        folder = try TemporaryFolder()
    }

    private var directory: String { folder.path("cache") }

    /// A cache over the directory without responses in memory, as a new process has it.
    private func cache(maximumBytes: Int = 1 << 20, memory: Int = 0) throws -> ResponseCache {
        try ResponseCache(
            directory: directory,
            maximumBytes: maximumBytes,
            maximumMemoryBytes: memory,
            now: clock.now
        )
    }

    private func api(_ cache: ResponseCache, _ fields: [(String, String)], text: String = "") -> (Swifty, StubTransport)
    {
        let count = Counter()
        let stub = StubTransport { _ in TransportResponse(200, fields, "\(count.increment())" + text) }
        return (Swifty(transport: stub) { $0.responseCache = cache }, stub)
    }

    private var files: [String] {
        (FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? [])
            .filter { $0.count > 2 * 65 + 64 }
    }

    @Test("answers the loads of another process, and of the same one")
    func survives() async throws {
        let fields = [
            ("Cache-Control", "max-age=60"), ("Vary", "Accept"), ("X-Text", "ä"), ("ETag", #"W/"1""#),
        ]
        let first = try cache()
        #expect(try await api(first, fields).0.api.get("x").load().string == "1")
        await first.flush()
        for kind in ["csv", "plain"] {
            let second = try cache()
            let (swifty, stub) = api(second, fields)
            let response = try await swifty.api.get("x").load()
            #expect(response.metrics.source == .cache)
            #expect(response.string == "1")
            #expect(response.head?["X-Text"] == "ä")
            #expect(response.head?["Age"] == "0")
            #expect(try await swifty.api.get("x").header("Accept", "text/\(kind)").load().metrics.source == .network)
            #expect(stub.requests.count == 1)
            await second.flush()
        }
        clock.advance(by: 61)
        let (swifty, stub) = api(try cache(), fields)
        _ = try await swifty.api.get("x").load()
        #expect(stub.requests[0].headers[.ifNoneMatch] == #"W/"1""#)
    }

    @Test("lets only its owner read it, and holds no request and no cookie")
    func secrets() async throws {
        let cache = try cache()
        let fields = [("Cache-Control", "public, max-age=60"), ("Set-Cookie", "canary-1"), ("Vary", "X-Kind")]
        let (swifty, _) = api(cache, fields)
        _ = try await swifty.api.get("x").query("key", "canary-2").header(.authorization, "Bearer canary-3")
            .header("X-Kind", "canary-4").load()
        let (secret, _) = api(cache, [("Cache-Control", "no-store, max-age=60")], text: "canary-5")
        _ = try await secret.api.get("y").load()
        await cache.flush()
        #expect(files.count == 1)
        for entry in try FileManager.default.subpathsOfDirectory(atPath: directory) {
            #expect(!entry.contains("canary"))
            let path = "\(directory)/\(entry)"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            guard let content = FileManager.default.contents(atPath: path), files.contains(entry) else {
                #expect(mode == 0o700)
                continue
            }
            #expect(mode == 0o600)
            #expect(!String(decoding: content, as: UTF8.self).contains("canary"))
        }
    }

    @Test("forgets on the disk what changes")
    func changes() async throws {
        let cache = try cache(memory: 1 << 20)
        let (swifty, _) = api(cache, [("Cache-Control", "max-age=60")])
        for user in ["a", "b"] { _ = try await swifty.api.get("x").header(.authorization, user).load() }
        await cache.flush()
        #expect(files.count == 2)
        _ = try await swifty.api.put("x").load()
        // Before the files are removed, too.
        #expect(try await swifty.api.get("x").header(.authorization, "a").load().string == "4")
        await cache.flush()
        #expect(files.count == 1)
        await cache.removeAll()
        #expect(files.isEmpty)
        #expect(try await swifty.api.get("x").header(.authorization, "a").load().string == "5")
    }

    @Test("has nothing left of what a request has changed when its load ends, even if the process is killed then")
    func killed() async throws {
        let before = try cache()
        let (swifty, _) = api(before, [("Cache-Control", "max-age=60"), ("Content-Location", "/y")])
        for round in 0..<20 {
            for name in ["x", "y"] { _ = try await swifty.api.get("\(name)").load() }
            await before.flush()
            for number in 0..<20 { _ = try await swifty.api.get("\(round)-\(number)").load() }
            _ = try await swifty.api.put("x").load()
            let after = try cache()
            let (next, stub) = api(after, [("Cache-Control", "max-age=60")])
            for name in ["x", "y"] { _ = try await next.api.get("\(name)").load() }
            #expect(stub.requests.count == 2)
            await after.flush()
        }
    }

    @Test("is not read where something could not be removed, until it can be")
    func unremovable() async throws {
        let cache = try cache()
        let (swifty, stub) = api(cache, [("Cache-Control", "max-age=600")])
        for user in ["a", "b"] { _ = try await swifty.api.get("x").header(.authorization, user).load() }
        await cache.flush()
        // The folder of one user cannot be listed any more.
        let place = "\(directory)/\(try #require(files.first).dropLast(65))"
        try FileManager.default.moveItem(atPath: place, toPath: folder.path("aside"))
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: place)
        _ = try await swifty.api.put("x").load()
        #expect(cache.statistics.writeFailures == 1)
        #expect(cache.statistics.latestFailure != nil)
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.moveItem(atPath: folder.path("aside"), toPath: place)
        func loadBoth() async throws -> Int {
            let count = stub.requests.count
            for user in ["a", "b"] { _ = try await swifty.api.get("x").header(.authorization, user).load() }
            await cache.flush()
            return stub.requests.count - count
        }
        for _ in 0..<2 { #expect(try await loadBoth() == 2) }
        clock.advance(by: 61)
        // The removal is tried again, and what is stored from now on is used.
        #expect(try await loadBoth() == 2)
        #expect(try await loadBoth() == 0)
        #expect(cache.statistics.writeFailures == 1)
    }

    @Test("is made again for its owner alone if it was removed")
    func madeAgain() async throws {
        let cache = try cache()
        let (swifty, _) = api(cache, [("Cache-Control", "max-age=60")])
        try FileManager.default.removeItem(atPath: directory)
        _ = try await swifty.api.get("x").load()
        await cache.flush()
        #expect(files.count == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: directory)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test("keeps a response that is larger than what may wait, if it is within the limit")
    func large() async throws {
        let cache = try cache(maximumBytes: 1 << 30)
        let text = String(repeating: "x", count: 33 << 20)
        let (swifty, stub) = api(cache, [("Cache-Control", "max-age=60")], text: text)
        for source in [LoadMetrics.Source.network, .cache] {
            #expect(try await swifty.api.get("x").load().metrics.source == source)
            await cache.flush()
        }
        #expect(stub.requests.count == 1)
    }

    @Test("keeps to its size while many users load one URL")
    func manyUsers() async throws {
        let cache = try cache(maximumBytes: 100_000)
        let (swifty, _) = api(cache, [("Cache-Control", "max-age=60")], text: String(repeating: "x", count: 1_000))
        for number in 0..<300 { _ = try await swifty.api.get("x").header(.authorization, "\(number)").load() }
        await cache.flush()
        #expect((50...90).contains(files.count))
    }

    @Test("is not filled again by loads that read while everything is removed")
    func removedMeanwhile() async throws {
        let cache = try cache()
        let fields = [("Cache-Control", "max-age=60")]
        let (swifty, _) = api(cache, fields)
        for round in 0..<30 {
            for number in 0..<5 { _ = try await swifty.api.get("\(number)").load() }
            await cache.flush()
            let reader = try ResponseCache(directory: directory, maximumBytes: 1 << 20, now: clock.now)
            let reading = Swifty(transport: StubTransport(content: "new")) { $0.responseCache = reader }
            async let removal: Void = reader.removeAll()
            await withTaskGroup { group in
                for number in 0..<5 { group.addTask { _ = try? await reading.api.get("\(number)").load() } }
            }
            await removal
            for number in 0..<5 {
                #expect(try await reading.api.get("\(number)").load().metrics.source == .network, "round \(round)")
            }
        }
    }

    @Test("never answers with a damaged file, whatever byte is damaged")
    func damaged() async throws {
        let cache = try cache()
        let fields = [("Cache-Control", "max-age=60"), ("Vary", "Accept")]
        _ = try await api(cache, fields).0.api.get("x").load()
        await cache.flush()
        let path = "\(directory)/\(try #require(files.first))"
        let whole = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        #expect(StoredResponse(encoded: whole) != nil)
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 1
            #expect(StoredResponse(encoded: damaged) == nil)
            #expect(StoredResponse(encoded: Array(whole[..<index])) == nil)
        }
        #expect(StoredResponse(encoded: whole + [0]) == nil)
        for count in ["-1", "\(Int.min)", "\(Int.max)", "99999999999999999999", "", "x"] {
            #expect(StoredResponse(encoded: try Self.file(whole, headBytes: count)) == nil)
        }
        #expect(StoredResponse(encoded: try Self.file(whole, headBytes: "0")) == nil)
        try Data(whole.dropLast()).write(to: URL(filePath: path))
        #expect(try await api(try self.cache(), fields).0.api.get("x").load().metrics.source == .network)
    }

    /// A file with another number of bytes of its head, and the checksum for it.
    private static func file(_ whole: [UInt8], headBytes: String) throws -> [UInt8] {
        let lines = whole.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        let facts = try #require(String(validating: lines[1], as: UTF8.self)).split(separator: " ").dropLast()
        let rest = Array((facts + [headBytes[...]]).joined(separator: " ").utf8) + Array("\n".utf8) + lines[2]
        return Array("swifty-cache 2 \(StoredResponse.checksum(of: rest[...]))\n".utf8) + rest
    }

    @Test("keeps to its size if several processes fill it, each of which counts what it writes")
    func sharedLimit() async throws {
        let caches = try (0..<4).map { _ in try cache(maximumBytes: 200_000) }
        for number in 0..<60 {
            for (index, cache) in caches.enumerated() {
                let text = String(repeating: "x", count: 10_000)
                _ = try await api(cache, [("Cache-Control", "max-age=60")], text: text).0.api.get("\(number)-\(index)")
                    .load()
                await cache.flush()
            }
        }
        let sizes = try files.map { name in
            try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")[.size] as? Int ?? 0
        }
        // Each may write a sixteenth, and one response, before it counts again.
        let maximum: Int = 200_000 + 4 * (200_000 / 16 + 11_000)
        #expect(sizes.reduce(0, +) <= maximum)
    }

    @Test("removes first what was used before everything else, by the clock of the cache")
    func order() async throws {
        let cache = try cache(maximumBytes: 100_000)
        let (swifty, _) = api(cache, [("Cache-Control", "max-age=9999")], text: String(repeating: "x", count: 10_000))
        for name in ["old", "used", "new"] {
            clock.advance(by: 1)
            _ = try await swifty.api.get("\(name)").load()
            await cache.flush()
        }
        clock.advance(by: 0.25)
        #expect(try await swifty.api.get("used").load().metrics.source == .cache)
        for number in 0..<7 {
            clock.advance(by: 1)
            _ = try await swifty.api.get("\(number)").load()
            await cache.flush()
        }
        #expect(try await swifty.api.get("used").cache(.onlyStored).load().metrics.source == .cache)
        await #expect(throws: SwiftyError.self) { try await swifty.api.get("old").cache(.onlyStored).load() }
    }

    @Test("leaves no folder of what was removed")
    func folders() async throws {
        let cache = try cache()
        let (swifty, _) = api(cache, [("Cache-Control", "max-age=60")])
        func places() throws -> Int { try FileManager.default.subpathsOfDirectory(atPath: directory).count }
        for number in 0..<20 { _ = try await swifty.api.get("\(number)").load() }
        for number in 0..<20 { _ = try await swifty.api.put("\(number)").load() }
        await cache.flush()
        // The folders by the first digits stay: they are at most 256.
        #expect(try places() <= 20)
        for number in 0..<20 { _ = try await swifty.api.get("\(number)").load() }
        await cache.removeAll()
        #expect(try places() <= 20)
    }

    @Test("calls its clock, which may ask it, without its lock", arguments: [false, true])
    func clockAsks(isOnDisk: Bool) async throws {
        final class Place: Sendable { let cache = Mutex<ResponseCache?>(nil) }
        let (place, clock) = (Place(), clock)
        let now: @Sendable () -> Date = {
            _ = place.cache.withLock { $0 }?.statistics
            return clock.now()
        }
        let cache = isOnDisk ? try ResponseCache(directory: directory, now: now) : ResponseCache(now: now)
        place.cache.withLock { $0 = cache }
        let (swifty, _) = api(cache, [("Cache-Control", "max-age=60")])
        for source in [LoadMetrics.Source.network, .cache] {
            #expect(try await swifty.api.get("x").load().metrics.source == source)
        }
        await cache.flush()
        await cache.removeAll()
        #expect(try await swifty.api.get("x").load().metrics.source == .network)
        place.cache.withLock { $0 = nil }
    }

    @Test("keeps to its size, and removes what was not used for the longest time and what is unfinished")
    func limit() async throws {
        let cache = try cache(maximumBytes: 200_000)
        let (swifty, _) = api(cache, [("Cache-Control", "max-age=60")], text: String(repeating: "x", count: 10_000))
        _ = try await swifty.api.get("first").load()
        await cache.flush()
        let unfinished = "\(directory)/\(try #require(files.first)).1.new"
        try Data().write(to: URL(filePath: unfinished))
        let old = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: unfinished)
        for number in 0..<40 { _ = try await swifty.api.get("\(number)").load() }
        await cache.flush()
        let sizes = try files.map { name in
            try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")[.size] as? Int ?? 0
        }
        let fresh = "\(directory)/\(try #require(files.first)).2.new"
        try Data().write(to: URL(filePath: fresh))
        let another = try self.cache(maximumBytes: 200_000)
        await another.removeAll()
        #expect(!FileManager.default.fileExists(atPath: fresh))
        #expect(sizes.reduce(0, +) <= 200_000)
        #expect(sizes.count > 10)
        #expect(!FileManager.default.fileExists(atPath: unfinished))
        // Larger than an eighth of the limit.
        let (large, stub) = api(cache, [("Cache-Control", "max-age=60")], text: String(repeating: "x", count: 30_000))
        for _ in 0..<2 { _ = try await large.api.get("large").load() }
        #expect(stub.requests.count == 2)
    }

    @Test("keeps a limited number of variants, which a search has to read")
    func variants() async throws {
        let cache = try cache()
        let (swifty, _) = api(cache, [("Cache-Control", "max-age=60"), ("Vary", "Accept")])
        for number in 0..<40 { _ = try await swifty.api.get("x").header("Accept", "text/\(number)").load() }
        await cache.flush()
        #expect(files.count == 16)
    }

    @Test("leaves the files alone that others have put there")
    func foreign() async throws {
        let cache = try cache(maximumBytes: 16_000)
        let (swifty, _) = api(cache, [("Cache-Control", "max-age=60")], text: String(repeating: "x", count: 300))
        _ = try await swifty.api.get("x").load()
        await cache.flush()
        let own = "\(directory)/\(try #require(files.first))"
        let places = [
            "\(directory)/notes", "\(directory)/ab/notes/file", own + "-old", "\(own.prefix(own.count - 129))notes",
            "\(own.dropLast(64))notes",
        ]
        for place in places {
            let folder = URL(filePath: place).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(count: 9000).write(to: URL(filePath: place))
        }
        for number in 0..<60 { _ = try await swifty.api.get("\(number)").load() }
        _ = try await swifty.api.put("x").load()
        await cache.removeAll()
        #expect(!FileManager.default.fileExists(atPath: own))
        for place in places { #expect(FileManager.default.fileExists(atPath: place)) }
    }

    @Test("is not used if other users could write to it, or if it is no directory")
    func refused() throws {
        let open = try TemporaryFolder(permissions: 0o777)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open.path)
        let writable = #expect(throws: ResponseCache.DirectoryError.self) { try ResponseCache(directory: open.path) }
        #expect(writable?.description == "\(open.path) cannot hold a cache: other users may write to it")
        let file = try folder.file("file").path
        #expect(throws: ResponseCache.DirectoryError.self) { try ResponseCache(directory: file) }
        #expect(throws: ResponseCache.DirectoryError.self) { try ResponseCache(directory: file + "/below") }
        #expect(throws: ResponseCache.DirectoryError.self) { try ResponseCache(directory: "/proc/none/cache") }
    }

    @Test("that fails costs nothing but the stored responses, and is tried again after a minute")
    func failing() async throws {
        let cache = try cache()
        let (swifty, _) = api(cache, [("Cache-Control", "max-age=60")])
        try FileManager.default.removeItem(atPath: directory)
        try Data().write(to: URL(filePath: directory))
        for number in 1...3 {
            #expect(try await swifty.api.get("x").load().string == "\(number)")
            await cache.flush()
        }
        // Not tried again.
        #expect(cache.statistics.writeFailures == 1)
        #expect(cache.statistics.latestFailure != nil)
        try FileManager.default.removeItem(atPath: directory)
        clock.advance(by: 61)
        #expect(try await swifty.api.get("x").load().string == "4")
        await cache.flush()
        #expect(try await swifty.api.get("x").load().string == "4")
        #expect(cache.statistics.writeFailures == 1)
    }

    @Test("is shared by many caches, of which none gets another response than its own")
    func shared() async throws {
        let caches = try (0..<16).map { _ in try cache(maximumBytes: 60_000) }
        try await withThrowingTaskGroup { group in
            for (index, cache) in caches.enumerated() {
                group.addTask {
                    let stub = StubTransport { request in
                        let content = request.target.path + String(repeating: "x", count: 500)
                        return TransportResponse(200, [("Cache-Control", "max-age=60")], content)
                    }
                    let swifty = Swifty(transport: stub) { $0.responseCache = cache }
                    for number in 0..<60 {
                        let name = "\((number * 7 + index) % 20)"
                        let response = try await swifty.api.get("\(name)").load()
                        #expect(response.string == "/" + name + String(repeating: "x", count: 500))
                        if number.isMultiple(of: 9) { cache.remove(try TargetURI("https://api.example.com/\(name)")) }
                        if number.isMultiple(of: 13) { await cache.flush() }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(caches.reduce(0) { $0 + $1.statistics.hits } > 0)
    }

    @Test("does not outlast the time limit of a load, nor its cancellation")
    func cancelled() async throws {
        let (swifty, stub) = api(try cache(), [("Cache-Control", "max-age=60")])
        let task = Task { try await swifty.api.get("x").load() }
        task.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(stub.requests.isEmpty)
    }
}
