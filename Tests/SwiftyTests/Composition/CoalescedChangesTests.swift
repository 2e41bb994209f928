// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import SwiftyTransport
import TestSupport
import Testing

@testable import Swifty

/// Loads that begin while an equal one is in flight, after something may have changed what they load.
@Suite("Coalescing and changes", .timeLimit(.minutes(15)))
struct CoalescedChangesTests {
    private let gate = Gate()

    /// A change by a PUT: its path, the fields of its response, its failure if it has one, and whether loads of `/x`
    /// before it and after it share a transfer.
    struct Change: Sendable, CustomTestStringConvertible {
        var path = "x"
        var fields: [(String, String)] = []
        var failure: SwiftyError.SentState?
        var isShared = false

        var testDescription: String { "\(path) \(fields) \(failure.map { "\($0)" } ?? "")" }
    }

    private static let changes = [
        Change(), Change(path: "y", fields: [("Location", "/x")]),
        Change(path: "y", fields: [("Content-Location", "x")]), Change(failure: .maybeSent),
        Change(path: "y", isShared: true), Change(path: "y", fields: [("Location", "//other.test/x")], isShared: true),
        Change(failure: .notSent, isShared: true),
    ]

    /// The responses of a server: those to GET wait for the gate.
    private func stub(_ change: Change = Change()) -> StubTransport {
        StubTransport { [gate] request in
            if request.method == .get {
                await gate.wait()
            } else if let sent = change.failure {
                throw SwiftyError(.connectionLost, stage: .firstByte, sent: sent)
            }
            return TransportResponse(200, request.method == .get ? [] : change.fields)
        }
    }

    private func getCount(_ stub: StubTransport) -> Int { stub.requests.count { $0.method == .get } }

    @Test("share no transfer if the server may have changed it in between", arguments: changes)
    func separation(_ change: Change) async throws {
        let stub = stub(change)
        let transport = CoalescingTransport(stub)
        let api = Swifty(transport: transport).api
        let early = Task { try await api.get("x").load() }
        try await until { getCount(stub) == 1 }
        _ = try? await api.put("\(change.path)").load()
        let late = Task { try await api.get("x").load() }
        try await until { transport.memberCount == 2 }
        try await until { getCount(stub) == (change.isShared ? 1 : 2) }
        #expect(transport.transferCount == 1)
        gate.open()
        _ = (try await early.value, try await late.value)
        #expect(getCount(stub) == (change.isShared ? 1 : 2))
        #expect((transport.transferCount, transport.memberCount) == (0, 0))
    }

    @Test("share none either if the change was streamed, or sent as the further request of a slow one")
    func otherWays() async throws {
        let stub = stub()
        let transport = CoalescingTransport(stub)
        let api = Swifty(transport: transport).api
        var loads = [Task { try await api.get("x").load() }]
        try await until { getCount(stub) == 1 }
        _ = try await api.put("x").discard()
        loads.append(Task { try await api.get("x").load() })
        try await until { getCount(stub) == 2 }
        let change = NetworkRequest(method: .put, target: try #require(stub.requests.first).target)
        _ = try await UnsharedTransport(transport: transport).send(change, cancellation: LoadCancellation())
        loads.append(Task { try await api.get("x").load() })
        try await until { getCount(stub) == 3 }
        gate.open()
        for load in loads { _ = try await load.value }
    }

    @Test("end with the transport, whether or not others may still join them")
    func shutdown() async throws {
        let stub = StubTransport { request in
            if request.method == .get { await untilCancelled() }
            return TransportResponse()
        }
        let transport = CoalescingTransport(stub)
        let api = Swifty(transport: transport).api
        let early = Task { try await api.get("x").load() }
        try await until { getCount(stub) == 1 }
        _ = try await api.put("x").load()
        let late = Task { try await api.get("x").load() }
        try await until { getCount(stub) == 2 }
        await transport.shutdown()
        for load in [early, late] {
            let error = await #expect(throws: SwiftyError.self) { try await load.value }
            #expect(error?.code == .shutdown)
        }
    }

    // MARK: With a cache

    /// An API whose first responses wait for the gate, and may be stored for ten seconds.
    private func cachedAPI() -> CachedAPI {
        CachedAPI {
            $0.coalesces = true
        } answer: { [gate] number, _ in
            await gate.wait()
            return TransportResponse(200, [("Cache-Control", "max-age=10")], "\(number)")
        }
    }

    @Test("share no transfer if the cache was told in between to forget it, and what is stored is the later one")
    func removal() async throws {
        let api = cachedAPI()
        let early = Task { try await api.number() }
        try await until { api.stub.requests.count == 1 }
        api.cache.remove(api.stub.requests[0].target)
        let late = Task { try await api.number() }
        try await until { api.stub.requests.count == 2 }
        gate.open()
        #expect(Set([try await early.value, try await late.value]) == ["1", "2"])
        #expect(try await api.number() == late.value)
        #expect(api.stub.requests.count == 2)
    }

    @Test("store a response that is as old as the request that their transfer began with")
    func age() async throws {
        let api = cachedAPI()
        let early = Task { try await api.number() }
        try await until { api.stub.requests.count == 1 }
        api.clock.advance(by: 4)
        let late = Task { try await api.number() }
        let transport = try #require(api.swifty.environment.transport as? CoalescingTransport)
        try await until { transport.memberCount == 2 }
        // So that only the later one stores the response.
        early.cancel()
        _ = await early.result
        gate.open()
        #expect(try await late.value == "1")
        api.clock.advance(by: 5)
        #expect(try await api.number() == "1")
        api.clock.advance(by: 2)
        #expect(try await api.number() == "2")
    }

    @Test("share no transfer if only one of them uses the cache")
    func bypass() async throws {
        let api = cachedAPI()
        let past = Task { try await api.get().cache(.none).load().string }
        try await until { api.stub.requests.count == 1 }
        let through = Task { try await api.number() }
        try await until { api.stub.requests.count == 2 }
        gate.open()
        #expect(try await [past.value, through.value] == ["1", "2"])
    }
}
