// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@testable import Swifty

@Suite("A cache and a server that proves who it is", .timeLimit(.minutes(15)))
struct CachedAuthenticationTests {
    private let server: LoopbackServer
    private let cache = ResponseCache()

    init() throws {
        server = try LoopbackServer()
    }

    /// A resource with Digest whose responses can be stored, and are confirmed by a 304.
    private func resource(lifetime: Int, rules: DigestProtection.Rules = DigestProtection.Rules()) -> NetworkResource {
        let protection = DigestProtection(user: "ada", password: "secret", rules: rules)
        server.route("GET", "/safe") { request in
            var response = protection.respond(to: request)
            if response.status == 200, request["If-None-Match"] == #""1""# {
                response = LoopbackResponse(status: 304, headers: response.headers.filter { $0.name != "Content-Type" })
            }
            return response.header("Cache-Control", "max-age=\(lifetime)").header("ETag", #""1""#)
        }
        let (cache, url) = (cache, server.url)
        let swifty = Swifty {
            $0.responseCache = cache
            $0.cache = CachePolicy(partition: "ada")
        }
        return BaseResource(url, networkInterface: swifty).get("safe").authentication(
            .digest(user: "ada", password: "secret")
        )
    }

    @Test("by Digest: a named user's responses are stored, and used without a proof")
    func hit() async throws {
        let resource = resource(lifetime: 60)
        for source in [LoadMetrics.Source.network, .cache, .cache] {
            let response = try await resource.load()
            #expect(response.metrics.source == source)
            #expect(response.string == "{\"authenticated\": true}\n")
        }
        #expect(server.log.count(path: "/safe") == 2)
    }

    @Test("by Digest: a 304 has its proof checked, and its next nonce used", arguments: [false, true])
    func confirmation(givesNextNonce: Bool) async throws {
        var rules = DigestProtection.Rules()
        rules.givesNextNonce = givesNextNonce
        rules.usesOfNonce = givesNextNonce ? 1 : .max
        let resource = resource(lifetime: 0, rules: rules)
        for source in [LoadMetrics.Source.network, .revalidatedCache, .revalidatedCache] {
            let response = try await resource.load()
            #expect(response.metrics.source == source)
            #expect(response.string == "{\"authenticated\": true}\n")
        }
        // The first request got the only challenge.
        #expect(server.log.count(path: "/safe") == 4)
    }

    @Test("by Digest: an impostor's response is neither used nor stored, and confirms nothing")
    func impostor() async throws {
        var rules = DigestProtection.Rules()
        rules.isImpostor = true
        let wrong = resource(lifetime: 60, rules: rules)
        for _ in 0..<2 {
            let error = await #expect(throws: SwiftyError.self) { try await wrong.load() }
            #expect(error?.code == .serverNotAuthenticated)
            #expect(error?.statusCode == 200)
        }
        #expect(cache.statistics.stores == 0)
        let right = resource(lifetime: 60)
        #expect(try await right.load().metrics.source == .network)
        // From here on, the impostor answers at this address.
        let asked = resource(lifetime: 60, rules: rules).cache(CachePolicy(.revalidate, partition: "ada"))
        let error = await #expect(throws: SwiftyError.self) { try await asked.load() }
        #expect(error?.code == .serverNotAuthenticated)
        #expect(error?.statusCode == 304)
        #expect(try await right.load().metrics.source == .cache)
    }
}
