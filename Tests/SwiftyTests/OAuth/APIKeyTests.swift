// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("An API key", .timeLimit(.minutes(15)))
struct APIKeyTests {
    struct NoVault: Error {}

    private let api = "https://api.example.com"

    @Test("is added to a header field or a query parameter of requests to its origin only")
    func placement() async throws {
        for placement in [APIKey.Placement.header("X-Key"), .query("api_key")] {
            let key = APIKey("k 1&", in: placement, for: api)
            let stub = StubTransport()
            let swifty = Swifty(transport: stub) {
                $0.use(key)
            }
            _ = try await swifty.api.get("x").query([("a", "b")]).load()
            _ = try await swifty.api.get("free").constraints(.none).load()
            _ = try await BaseResource("http://api.example.com", networkInterface: swifty).get("x").load()
            let name = try #require(HTTPField.Name("X-Key"))
            #expect(
                stub.requests.map { $0.headers[name] }
                    == (placement == .header("X-Key") ? ["k 1&", nil, nil] : [nil, nil, nil])
            )
            #expect(stub.requests[0].target.query == (placement == .query("api_key") ? "a=b&api_key=k%201%26" : "a=b"))
            #expect(stub.requests.dropFirst().allSatisfy { $0.target.query == nil })
            #expect(!"\(key)".contains("k 1"))
            #expect(!stub.requests[0].target.description.contains("k%201"))
        }
    }

    @Test("does not replace a key that the request has already")
    func ownKey() async throws {
        let header = APIKey("shared", for: api)
        let query = APIKey("shared", in: .query("k"), for: api)
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) { $0.use(header.interceptor, query.interceptor) }
        _ = try await swifty.api.get("x").header("x-api-key", "own").query([("k", "own")]).load()
        #expect(stub.requests[0].headers.contains { $0.value == "own" })
        #expect(stub.requests[0].target.query == "k=own")
    }

    @Test(
        "that no request can carry is refused when it was fetched, and fetched again",
        arguments: ["", " ", "a\nb", "\0"]
    )
    func unusable(text: String) async throws {
        let fetches = Counter()
        let key = APIKey(for: api) { fetches.increment() == 1 ? text : "good" }
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) {
            $0.use(key)
        }
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        #expect(error?.code == .constraintFailed)
        _ = try await swifty.api.get("x").load()
        #expect(stub.requests.map { $0.headers.contains { $0.value == "good" } } == [true])
    }

    @Test("that comes late does not replace one that was fetched meanwhile")
    func late() async throws {
        let (fetches, gate) = (Counter(), Gate())
        let key = APIKey(in: .header("X-Key"), for: api) {
            let number = fetches.increment()
            if number == 1 { await gate.wait() }
            return "key-\(number)"
        }
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) { $0.use(key) }
        // As after the limit of a flight, which does not end a fetch that ignores its cancellation.
        let first = Task { try await key.constraint.satisfy(for: swifty.api.get("x")) }
        try await until { fetches.value == 1 }
        try await key.constraint.satisfy(for: swifty.api.get("x"))
        gate.open()
        try await first.value
        _ = try await swifty.api.get("x").load()
        #expect(stub.requests.first?.headers.contains { $0.value == "key-2" } == true)
    }

    @Test("that comes late is replaced by one whose fetch began later")
    func overtaken() async throws {
        let (fetches, gates) = (Counter(), [Gate(), Gate()])
        let key = APIKey(in: .header("X-Key"), for: api) {
            let number = fetches.increment()
            await gates[number - 1].wait()
            return "key-\(number)"
        }
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) { $0.use(key) }
        let first = Task { try await key.constraint.satisfy(for: swifty.api.get("x")) }
        try await until { fetches.value == 1 }
        let second = Task { try await key.constraint.satisfy(for: swifty.api.get("x")) }
        try await until { fetches.value == 2 }
        for (gate, fetch) in zip(gates, [first, second]) {
            gate.open()
            try await fetch.value
        }
        _ = try await swifty.api.get("x").load()
        #expect(stub.requests.first?.headers.contains { $0.value == "key-2" } == true)
    }

    @Test("is fetched once, and again after a server has refused it")
    func fetching() async throws {
        for placement in [APIKey.Placement.header("X-Key"), .query("k")] {
            let fetches = Counter()
            let key = APIKey(in: placement, for: api) { "key +\(fetches.increment())" }
            let stub = StubTransport()
            let swifty = Swifty(transport: stub) {
                $0.use(key)
            }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<50 { group.addTask { _ = try? await swifty.api.get("x").load() } }
            }
            #expect(fetches.value == 1)
            #expect(stub.requests.count == 50)
            let refused = NetworkResponse(head: ResponseHead(statusCode: 401), data: nil, request: stub.requests[0])
            #expect(await key.constraint.invalidate(after: refused))
            #expect(await key.constraint.invalidate(after: refused))
            _ = try await swifty.api.get("x").load()
            #expect(fetches.value == 2)
            #expect(await key.constraint.invalidate(after: refused))
            _ = try await swifty.api.get("x").load()
            #expect(fetches.value == 2)
        }
    }

    @Test("is hidden under any name")
    func names() async throws {
        for placement in [APIKey.Placement.query("q7"), .header("X-Plain"), .query("api_key")] {
            let key = APIKey("hush-0123", in: placement, for: api)
            let swifty = Swifty(transport: StubTransport(status: 500)) { $0.use(key.interceptor) }
            let response = await swifty.load(swifty.api.get("x").draft, cancellation: LoadCancellation())
            let texts = "\(response) \(response.request as Any) \(try await swifty.api.get("x").explain())"
            #expect(!texts.contains("hush") && texts.contains("REDACTED"), "\(texts)")
        }
    }

    @Test("that cannot be fetched fails the waiting loads; a known one is not dropped by a 401")
    func failures() async throws {
        let missing = APIKey(for: api) { throw NoVault() }
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) {
            $0.use(missing)
        }
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        #expect(error?.code == .constraintFailed)
        #expect(error?.underlying is NoVault)
        #expect(stub.requests.isEmpty)
        let known = APIKey("k", for: api)
        _ = try await Swifty(transport: stub) { $0.use(known.interceptor) }.api.get("x").load()
        let refused = NetworkResponse(head: ResponseHead(statusCode: 401), data: nil, request: stub.requests[0])
        #expect(await !known.constraint.invalidate(after: refused))
    }
}
