// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("A cache that serves many users", .timeLimit(.minutes(15)))
struct CacheUserTests {
    private let minute = [("Cache-Control", "max-age=60")]

    @Test(
        "keeps the responses of different credentials apart",
        arguments: ["Authorization", "Cookie", "X-API-Key", "Proxy-Authorization", "X-Auth-Token", "x-session-key"]
    )
    func credentials(field: String) async throws {
        let api = CachedAPI(fields: minute + [("Cache-Control", "public")])
        func number(_ value: String?) async throws -> String? { try await api.get().header(field, value).load().string }
        #expect(try await number("a") == "1")
        #expect(try await number("b") == "2")
        #expect(try await number(nil) == "3")
        #expect(try await number("a") == "1")
        #expect(try await number("b") == "2")
        #expect(try await number(nil) == "3")
    }

    @Test("regards a declared secret as a credential, in a field of any name")
    func ownValues() async throws {
        let api = CachedAPI(fields: minute)
        func number(_ value: String) async throws -> String? {
            try await api.get().header("X-Client", value).secret(value).load().string
        }
        #expect(try await number("key-of-a") == "1")
        #expect(try await number("key-of-b") == "2")
        #expect(try await number("key-of-a") == "1")
        let cache = api.cache
        for (key, expected) in [("first-key", "3"), ("second-key", "4"), ("first-key", "3")] {
            let swifty = Swifty(transport: api.stub) {
                $0.responseCache = cache
                $0.use(APIKey(key, in: .header("X-Client"), for: "https://api.example.com"))
            }
            #expect(try await swifty.api.get("x").load().string == expected)
        }
    }

    @Test("regards the secret names of a service as credentials")
    func ownNames() async throws {
        final class Shop: WebService {
            static let serverURL = "https://shop.example.com"
            static let secretNames = SecretNames(["X-Customer"])
            static let networkInterface: any NetworkInterface = CachedAPI(fields: [("Cache-Control", "max-age=60")])
                .swifty
            static func cart(_ customer: String) -> NetworkResource {
                server.get("cart").header("X-Customer", customer)
            }
        }
        #expect(try await Shop.cart("a").load().string == "1")
        #expect(try await Shop.cart("b").load().string == "2")
        #expect(try await Shop.cart("a").load().string == "1")
    }

    @Test("gives a private response only to requests with equal fields, apart from those that identify a call")
    func privateResponse() async throws {
        let api = CachedAPI(fields: [("Cache-Control", "private, max-age=60")])
        func number(_ user: String, _ id: String = "1") async throws -> String? {
            try await api.get().header("X-User", user).header("X-Request-ID", id).load().string
        }
        #expect(try await number("a") == "1")
        #expect(try await number("b") == "2")
        #expect(try await number("a", "2") == "1")
        #expect(try await number("b", "3") == "2")
    }

    @Test("does not store what sets a cookie for a user whom the request did not name")
    func cookies() async throws {
        let jar = CookieJar()
        let api = CachedAPI {
            $0.cookies = jar
        } answer: { number, _ in
            TransportResponse(200, [("Cache-Control", "max-age=60"), ("Set-Cookie", "id=\(number)")], "\(number)")
        }
        #expect(try await api.get().cookies(nil).load().string == "1")
        #expect(try await api.get().cookies(nil).load().string == "2")
        // A named user's response is stored, without its cookie, which is not set again.
        let named = CachePolicy(partition: "ada")
        #expect(try await api.get().cache(named).load().string == "3")
        #expect(jar.allCookies.map(\.value) == ["3"])
        jar.removeAll()
        let again = try await api.get().cache(named).load()
        #expect(again.string == "3")
        #expect(again.head?["Set-Cookie"] == nil)
        #expect(jar.allCookies.isEmpty)
    }

    @Test("keeps named users apart, and a response when a token is renewed")
    func partitions() async throws {
        let api = CachedAPI(fields: minute)
        func number(_ user: String, _ token: String) async throws -> String? {
            try await api.get().header(.authorization, "Bearer \(token)").cache(CachePolicy(partition: user)).load()
                .string
        }
        #expect(try await number("ada", "1") == "1")
        #expect(try await number("ada", "2") == "1")
        #expect(try await number("bob", "2") == "2")
        // A name is no credential of that text.
        #expect(try await api.get().header(.authorization, "Bearer 2").load().string == "3")
    }

    @Test("does not store responses to requests that are signed one by one")
    func signed() async throws {
        struct Signature: RequestSigner {
            func fields(signing request: NetworkRequest) -> HTTPFields { [.literal("X-Signature"): "s"] }
        }
        let api = CachedAPI(fields: minute)
        for number in 1...2 { #expect(try await api.get().use(Signature()).load().string == "\(number)") }
        let named = CachePolicy(partition: "ada")
        for _ in 1...2 { #expect(try await api.get().use(Signature()).cache(named).load().string == "3") }
        for (number, scheme) in zip(4..., ["Digest username=\"a\"", "AWS4-HMAC-SHA256 x", "Negotiate x"]) {
            let load = { try await api.get("y").header(.authorization, scheme).load().string }
            #expect(try await load() == "\(number * 2 - 4)")
            #expect(try await load() == "\(number * 2 - 3)")
        }
    }

    @Test("never gives a user's response to another one, in a thousand interleaved loads")
    func interleaved() async throws {
        let api = CachedAPI { number, request in
            if number.isMultiple(of: 3) { await Task.yield() }
            let user =
                request.headers[.authorization] ?? request.headers[.cookie] ?? request.headers[.literal("X-User")]
            let kind = ["public, max-age=1", "private, max-age=60", "max-age=0, stale-while-revalidate=60"][number % 3]
            return TransportResponse(
                200,
                [("Cache-Control", kind), ("ETag", "\"\(number)\""), ("Vary", "X-User")],
                user ?? ""
            )
        }
        for round in 0..<20 {
            try await withThrowingTaskGroup { group in
                for number in round * 50..<round * 50 + 50 {
                    group.addTask {
                        let user = "user-\(number * 7 % 20)"
                        let field = ["Authorization", "Cookie", "X-User"][number % 3]
                        let response = try await api.get().header(field, user).load()
                        #expect(response.string == user)
                    }
                }
                try await group.waitForAll()
            }
            api.clock.advance(by: 1)
        }
        #expect(api.cache.statistics.hits > 100)
        try await until { api.swifty.statistics.inFlight == 0 }
    }
}
