// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@Suite("An idempotency key", .timeLimit(.minutes(15)))
struct IdempotencyKeyTests {
    private static let field = "Idempotency-Key"

    /// A transport that loses each connection when the request may have been sent, until the third one.
    private func losing() -> StubTransport {
        let calls = Counter()
        return StubTransport { _ in
            if calls.increment() < 3 { throw SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent) }
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
    }

    @Test("that is empty lets neither the transport nor a policy repeat a POST", arguments: ["", " ", "\"\""])
    func empty(_ key: String) async throws {
        for isKept in [true, false] {
            let server = try LoopbackServer { $0.route("POST", "/orders") { _ in .text("ordered") } }
            let swifty = onOneLoop { $0.retry = RetryPolicy(maximumAttempts: 3, backoff: .none) }
            let base = BaseResource(server.url, networkInterface: swifty)
            if isKept { _ = try await base.get("get").load() }
            server.failNext(.response(.close), path: "/orders")
            let resource = base.post("orders").text("1 book").header(Self.field, key)
            #expect(await loadFailure(resource)?.code == .connectionLost)
            #expect(server.log.requests(path: "/orders").count == 1)
        }
    }

    @Test("that an interceptor makes for each attempt is that of the first one")
    func changing() async throws {
        let stub = losing()
        let swifty = Swifty(transport: stub) {
            $0.retry = RetryPolicy(maximumAttempts: 3, backoff: .none)
            $0.use(RequestHook { $0.header(Self.field, UUID().uuidString) })
        }
        _ = try await swifty.api.post("x").load()
        let keys = stub.requests.map { $0.values(of: Self.field) }
        #expect(keys.count == 3 && Set(keys).count == 1 && keys.first?.count == 1)
    }

    @Test("that an interceptor sets for the first attempt alone is sent by all")
    func missing() async throws {
        let (stub, calls) = (losing(), Counter())
        let swifty = Swifty(transport: stub) {
            $0.retry = RetryPolicy(maximumAttempts: 3, backoff: .none)
            $0.use(
                RequestHook { calls.increment() == 1 ? $0.header(Self.field, "k") : $0 }
            )
        }
        _ = try await swifty.api.post("x").load()
        #expect(stub.requests.map { $0.values(of: Self.field) } == [["k"], ["k"], ["k"]])
    }

    @Test("that the policy replaces stays the first one")
    func replaced() async throws {
        let stub = losing()
        let policy = RetryPolicy(maximumAttempts: 3, backoff: .none) { _ in
            .retry(after: .zero) { _ = $0.header(Self.field, UUID().uuidString) }
        }
        let resource = Swifty(transport: stub).api.post("x").header(Self.field, "first")
        _ = try await resource.retry(policy).load()
        #expect(stub.requests.map { $0.values(of: Self.field) } == [["first"], ["first"], ["first"]])
    }

    @Test("of another load is another one")
    func loads() async throws {
        let stub = StubTransport()
        let resource = Swifty(transport: stub).api.post("x").idempotencyKey()
        for _ in 0..<2 { _ = try await resource.load() }
        #expect(Set(stub.requests.map { $0.values(of: Self.field) }).count == 2)
    }

    @Test("that is removed is not sent")
    func removed() async throws {
        for key in [nil, "k"] {
            let stub = StubTransport()
            let resource = Swifty(transport: stub).api.post("x")
            if let key { resource.idempotencyKey(key) } else { resource.idempotencyKey() }
            _ = try await resource.idempotencyKey(nil).load()
            #expect(stub.requests.map { $0.values(of: Self.field) } == [[]])
        }
    }

    /// The requests of an event stream that ends twice, and then for good.
    private func events(_ change: (NetworkResourceWithBody) -> Void) async throws -> [RecordedRequest] {
        let calls = Counter()
        let server = try LoopbackServer { server in
            server.route("POST", "/events") { _ in
                calls.increment() < 3
                    ? .chunks([Data("retry: 1\ndata: a\n\n".utf8)], type: "text/event-stream") : .status(204)
            }
        }
        let resource = BaseResource(server.url, networkInterface: Swifty()).post("events")
        change(resource)
        for try await _ in resource.events() {}
        return server.log.requests
    }

    @Test("of an event stream is the same for all its connections")
    func stream() async throws {
        for change: (NetworkResourceWithBody) -> Void in [
            { $0.idempotencyKey() }, { $0.idempotencyKey("k") }, { $0.header(Self.field, "k") },
        ] {
            let keys = try await events(change).map { $0[Self.field] }
            #expect(keys.count == 3 && Set(keys).count == 1 && keys.first != .some(nil))
        }
    }

    @Test("that is empty does not let an event stream connect again", arguments: ["", "  "])
    func emptyOfStream(_ key: String) async throws {
        #expect(try await events { $0.header(Self.field, key) }.count == 1)
    }
}
