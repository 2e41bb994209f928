// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import SwiftyTransport
import TestSupport
import Testing

@testable import Swifty

@Suite("A coalescing policy", .timeLimit(.minutes(15)))
struct CoalescingPolicyTests {
    private func held(_ gate: Gate) -> StubTransport {
        StubTransport { _ in
            await gate.wait()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
    }

    /// Gives a field another value in each request.
    private static func numbering(_ name: String, _ values: Counter) -> RequestHook {
        RequestHook { $0.header(name, "value-\(values.increment())").header("X", "1") }
    }

    /// The requests that reach the server for ten loads that are equal but for one field.
    private func requests(
        differingIn name: String,
        _ policy: CoalescingPolicy = CoalescingPolicy()
    ) async throws -> [NetworkRequest] {
        let (gate, values) = (Gate(), Counter())
        let stub = held(gate)
        let transport = CoalescingTransport(stub, policy: policy)
        let swifty = Swifty(transport: transport) { $0.use(Self.numbering(name, values)) }
        let loads = Loads(10) { try await swifty.api.get("x").load().text() }
        try await until { transport.memberCount == 10 }
        gate.open()
        for result in await loads.results { _ = try result.get() }
        return stub.requests
    }

    @Test(
        "lets requests share a transfer that differ in a field of the call, which has the value of the first",
        arguments: CoalescingPolicy.callerFields.map(\.rawName).sorted() + ["TRACEPARENT", "x-request-id"]
    )
    func callerFields(_ name: String) async throws {
        let requests = try await requests(differingIn: name)
        #expect(requests.count == 1)
        #expect(requests.first?.values(of: name).count == 1)
        #expect(requests.first?.values(of: "X") == ["1"])
    }

    @Test(
        "separates requests that differ in a field on which the response may depend",
        arguments: ["Authorization", "Cookie", "Accept-Language", "X-API-Key", "X-Tenant", "baggage", "Range"]
    )
    func comparedFields(_ name: String) async throws {
        #expect(try await requests(differingIn: name).count == 10)
    }

    @Test("can ignore other fields, or none")
    func ownFields() async throws {
        var policy = CoalescingPolicy()
        policy.ignoredFields.insert(try #require(HTTPField.Name("X-Call")))
        #expect(try await requests(differingIn: "x-call", policy).count == 1)
        #expect(try await requests(differingIn: "traceparent", policy).count == 1)
        policy.ignoredFields = []
        #expect(try await requests(differingIn: "traceparent", policy).count == 10)
    }

    @Test("is that of the configuration")
    func configuration() async throws {
        let (gate, values) = (Gate(), Counter())
        let stub = held(gate)
        let swifty = Swifty(transport: stub) {
            $0.coalesces = true
            $0.coalescing.ignoredFields = []
            $0.use(Self.numbering("traceparent", values))
        }
        let loads = Loads(10) { try await swifty.api.get("x").load().text() }
        try await until { stub.requests.count == 10 }
        gate.open()
        for result in await loads.results { _ = try result.get() }
    }
}
