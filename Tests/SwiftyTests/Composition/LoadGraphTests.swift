// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("A graph of loads", .timeLimit(.minutes(15)))
struct LoadGraphTests {
    private func stub(_ gate: Gate = Gate()) -> StubTransport {
        StubTransport { request in
            let path = request.target.path.dropFirst()
            if path == "held" { await untilCancelled() }
            if path == "late" { await gate.wait() }
            return TransportResponse(head: ResponseHead(statusCode: Int(path) ?? 200), content: Data(path.utf8))
        }
    }

    @Test("copies a request when it is added: later changes do not affect its load")
    func freezing() async throws {
        let gate = Gate()
        let stub = stub(gate)
        let api = Swifty(transport: stub).api
        let graph = LoadGraph()
        let late = graph.add(api.get("late"))
        let (plain, typed, first) = (api.get("1"), api.get("2").decode(Int.self), api.get("3"))
        graph.add(plain, after: [late])
        graph.add(typed, after: [late])
        graph.add(first.then { _ in api.get("4") }, after: [late])
        plain.query(["late": 1])
        typed.query(["late": 1])
        first.query(["late": 1])
        gate.open()
        await graph.waitForAll()
        #expect(stub.requests.count >= 4)
        #expect(stub.requests.compactMap(\.target.query).isEmpty)
        #expect(plain.draft.summary.description.contains("late"), "the resource itself can still change")
    }

    @Test("starts a load when all of its dependencies have succeeded")
    func order() async throws {
        for _ in 0..<50 {
            let gate = Gate()
            let stub = stub(gate)
            let api = Swifty(transport: stub).api
            let graph = LoadGraph()
            let critical = graph.add(api.get("late"))
            let free = graph.add(api.get("free"))
            let both = graph.add(api.get("both"), after: [critical, free])
            let made = graph.add(after: both) { api.get("made-of-{it}", ["it": $0.string ?? ""]) }
            _ = try await free.value
            #expect(Set(stub.requests.map(\.target.path)).isSubset(of: ["/late", "/free"]))
            gate.open()
            #expect(try await made.value.string == "made-of-both")
            await graph.waitForAll()
            #expect(stub.requests.suffix(2).map(\.target.path) == ["/both", "/made-of-both"])
        }
    }

    @Test("fails the dependents of a failed load, with the cause, without starting them")
    func failure() async throws {
        for _ in 0..<50 {
            let gate = Gate()
            let stub = stub(gate)
            let api = Swifty(transport: stub).api
            let graph = LoadGraph()
            let late = graph.add(api.get("late"))
            let failing = graph.add(api.get("404"))
            let dependant = graph.add(api.get("x"), after: [late, failing])
            let second = graph.add(after: dependant) { _ in api.get("y") }
            // The failure ends the wait, although another dependency is still in flight.
            for error in [await dependant.failure, await second.failure] {
                #expect(error?.code == .dependencyFailed)
                #expect((error?.underlying as? SwiftyError)?.statusCode == 404)
                #expect(error?.sent == .notSent)
            }
            gate.open()
            #expect(await late.failure == nil)
            #expect(Set(stub.requests.map(\.target.path)) == ["/late", "/404"])
        }
    }

    @Test("is cancelled as a whole, or load by load")
    func cancellation() async throws {
        for _ in 0..<50 {
            let stub = stub()
            let api = Swifty(transport: stub).api
            let graph = LoadGraph()
            let first = graph.add(api.get("held"))
            let second = graph.add(api.get("x"), after: [first])
            let third = graph.add(after: second) { _ in api.get("y") }
            try await until { stub.requests.count == 1 }
            graph.cancel()
            await graph.waitForAll()
            for node in [first, second, third] { #expect(await node.failure?.code == .cancelled) }
            let alone = graph.add(api.get("held"))
            let dependant = graph.add(api.get("x"), after: [alone])
            alone.cancel()
            #expect(await dependant.failure?.code == .dependencyFailed)
            #expect((await dependant.failure?.underlying as? SwiftyError)?.code == .cancelled)
        }
    }

    @Test("is cancelled as a whole while a closure makes a load")
    func cancelledClosure() async throws {
        let stub = stub()
        let api = Swifty(transport: stub).api
        let isWaiting = Gate()
        let graph = LoadGraph()
        let first = graph.add(api.get("a"))
        let made = graph.add(after: first) { _ -> NetworkResource in
            isWaiting.open()
            try await hang()
            return api.get("b")
        }
        let last = graph.add(api.get("c"), after: [made])
        try await until { isWaiting.isOpen }
        graph.cancel()
        #expect(await made.failure?.code == .cancelled)
        #expect(await last.failure?.code == .cancelled)
        #expect(await first.failure == nil)
        #expect(stub.requests.map(\.target.path) == ["/a"])
    }

    @Test("is awaited as a whole by a cancelled task, too")
    func waitInCancelledTask() async throws {
        let gate = Gate()
        let api = Swifty(transport: stub(gate)).api
        let graph = LoadGraph()
        let late = graph.add(api.get("late"))
        let hasReturned = Gate()
        let wait = Task {
            await untilCancelled()
            await graph.waitForAll()
            hasReturned.open()
        }
        wait.cancel()
        try await untilStable { hasReturned.isOpen }
        #expect(!hasReturned.isOpen)
        gate.open()
        await wait.value
        #expect(await late.failure == nil)
    }

    @Test("ends a wait with its task, but not the load")
    func cancelledWait() async throws {
        let gate = Gate()
        let api = Swifty(transport: stub(gate)).api
        let node = LoadGraph().add(api.get("late"))
        let wait = Task { try await node.value }
        wait.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await wait.value }
        #expect(error?.code == .cancelled)
        gate.open()
        #expect(try await node.value.string == "late")
    }
}
