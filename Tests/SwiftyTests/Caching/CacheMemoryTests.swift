// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Swifty

@Suite("The responses in memory", .timeLimit(.minutes(15)))
struct CacheMemoryTests {
    private func request(_ name: String, language: Int = 0) throws -> NetworkRequest {
        let target = try TargetURI("https://example.com/\(name)")
        return NetworkRequest(target: target, headers: [.acceptLanguage: "\(language)"])
    }

    private func stored(_ request: NetworkRequest, bytes: Int) throws -> (StoredResponse, CacheKey) {
        let fields = [("Cache-Control", "max-age=60"), ("Vary", "Accept-Language")]
        let rule = StorageRule(request: request, policy: .standard, maximumBytes: .max)
        let response = TransportResponse(200, fields, String(repeating: "x", count: bytes))
        let times = CacheTimes(requested: 9e9, received: 9e9)
        return (try #require(rule.stored(response, times)), try #require(CacheKey(request, partition: nil)))
    }

    @Test("leave by the time since their last use when they exceed the limit")
    func leastRecentlyUsed() throws {
        var memory = CacheMemory(maximumBytes: 20_000)
        for number in 0..<10 {
            let (response, key) = try stored(try request("\(number)"), bytes: 1000)
            memory.store(response, key)
        }
        #expect(memory.count == 10)
        let first = try request("0")
        let key = try #require(CacheKey(first, partition: nil))
        #expect(memory.response(to: first, key) != nil)
        for number in 10..<15 {
            let (response, key) = try stored(try request("\(number)"), bytes: 1000)
            memory.store(response, key)
        }
        #expect(memory.bytes <= 20_000)
        #expect(memory.response(to: first, key) != nil)
        let second = try request("1")
        #expect(memory.response(to: second, try #require(CacheKey(second, partition: nil))) == nil)
    }

    @Test("have a limited number of variants, and none that is larger than all")
    func variants() throws {
        var memory = CacheMemory(maximumBytes: 100_000)
        for language in 0..<40 {
            let (response, key) = try stored(try request("a", language: language), bytes: 10)
            memory.store(response, key)
        }
        #expect(memory.count == 16)
        let latest = try request("a", language: 39)
        #expect(memory.response(to: latest, try #require(CacheKey(latest, partition: nil))) != nil)
        let (large, key) = try stored(try request("b"), bytes: 200_000)
        memory.store(large, key)
        #expect(memory.count == 16)
        var none = CacheMemory(maximumBytes: 0)
        none.store(large, key)
        #expect(none.count == 0)
    }

    @Test("are counted rightly after any sequence of changes")
    func counts() throws {
        var random = SplitMix(seed: 1)
        var memory = CacheMemory(maximumBytes: 30_000)
        for _ in 0..<3000 {
            let request = try request(
                "\(Int.random(in: 0..<12, using: &random))",
                language: .random(in: 0..<3, using: &random)
            )
            let (response, key) = try stored(request, bytes: .random(in: 1..<3000, using: &random))
            switch Int.random(in: 0..<10, using: &random) {
            case 0: memory.remove(key.resource)
            case 1: memory.remove(key, response.variant)
            case 2: _ = memory.response(to: request, key)
            default: memory.store(response, key)
            }
            #expect(memory.bytes <= 30_000)
            #expect((memory.count == 0) == (memory.bytes == 0))
        }
        for name in 0..<12 { memory.remove(CacheKey.resource(try request("\(name)").target)) }
        #expect(memory.count == 0)
        #expect(memory.bytes == 0)
    }
}

@Suite("The key of a stored response", .timeLimit(.minutes(15)))
struct CacheKeyTests {
    @Test("differs where the request goes to another server than that of its URL")
    func reroutes() throws {
        var request = NetworkRequest(target: try TargetURI("https://example.com/a"))
        let own = CacheKey(request, partition: nil)
        request.connectsTo = HostAndPort(host: "staging.example.com", port: 443)
        let other = CacheKey(request, partition: nil)
        #expect(own != other)
        #expect(own?.resource == other?.resource)
        #expect(CacheKey(request, partition: "a") != CacheKey(request, partition: "b"))
    }

    @Test("is made of whole texts: no two lists of texts run together")
    func digests() {
        #expect(CacheDigest(["ab", "c"]) != CacheDigest(["a", "bc"]))
        #expect(CacheDigest(["ab"]) != CacheDigest(["ab", ""]))
        #expect(CacheDigest(hexadecimal: CacheDigest(["x"]).hexadecimal) == CacheDigest(["x"]))
        #expect(CacheDigest(hexadecimal: "00") == nil)
        #expect(CacheDigest(hexadecimal: String(repeating: "g", count: 64)) == nil)
    }
}
