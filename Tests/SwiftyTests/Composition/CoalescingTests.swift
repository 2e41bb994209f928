// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTesting
import SwiftyTransport
import TestSupport
import Testing

@testable import Swifty

@Suite("Coalescing", .timeLimit(.minutes(15)))
struct CoalescingTests {
    struct Broken: Error {}

    private func held(_ gate: Gate, status: Int = 200) -> StubTransport {
        StubTransport { request in
            await gate.wait()
            return TransportResponse(head: ResponseHead(statusCode: status), content: Data(request.target.path.utf8))
        }
    }

    @Test("shares one transfer among equal requests in flight, and starts another one for later requests")
    func sharing() async throws {
        let gate = Gate()
        let stub = held(gate)
        let transport = CoalescingTransport(stub)
        let api = Swifty(transport: transport).api
        let loads = Loads(100) { try await api.get("x").load().text() }
        try await until { transport.memberCount == 100 }
        gate.open()
        for result in await loads.results { #expect(try result.get() == "/x") }
        #expect(stub.requests.count == 1)
        _ = try await api.get("x").load()
        #expect(stub.requests.count == 2)
        #expect(transport.transferCount == 0)
    }

    @Test("separates requests with content, and those that differ in method, target, header fields or timeouts")
    func keeping() async throws {
        let gate = Gate()
        let stub = held(gate)
        let api = Swifty(transport: CoalescingTransport(stub)).api
        let resources: [NetworkResource] = [
            api.get("x"), api.get("x").query(["a": 1]), api.head("x"), api.get("x").bearer("a"),
            api.get("x").bearer("b"),
            api.get("x").timeout(idle: .seconds(7)), api.post("x"), api.post("x"), api.options("x"), api.options("x"),
        ]
        let loads = resources.map { resource in Task { try await resource.load() } }
        try await until { stub.requests.count == resources.count }
        gate.open()
        for load in loads { _ = try await load.value }
    }

    @Test("shares errors too")
    func errors() async throws {
        let gate = Gate()
        let stub = StubTransport { _ in
            await gate.wait()
            throw Broken()
        }
        let transport = CoalescingTransport(stub)
        let api = Swifty(transport: transport).api
        let loads = Loads(20) { try await api.get("x").load().text() }
        try await until { transport.memberCount == 20 }
        gate.open()
        for result in await loads.results {
            let error = #expect(throws: SwiftyError.self) { try result.get() }
            #expect(error?.underlying is Broken)
        }
    }

    @Test("ends a cancelled or timed-out request alone, and the transfer with the last one")
    func leaving() async throws {
        for _ in 0..<50 {
            let ended = Counter()
            let stub = StubTransport { _ in
                await untilCancelled()
                ended.increment()
                return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
            }
            let transport = CoalescingTransport(stub)
            let cancellations = (0..<3).map { _ in LoadCancellation() }
            var request = NetworkRequest(target: try TargetURI("https://api.example.com/x"))
            let loads = cancellations.map { cancellation in
                Task { [request] in try await transport.send(request, cancellation: cancellation) }
            }
            try await until { stub.requests.count == 1 }
            request.timeouts.total = .milliseconds(5)
            let inHurry = request
            let hurried = await #expect(throws: SwiftyError.self) {
                try await transport.send(inHurry, cancellation: LoadCancellation())
            }
            #expect(hurried?.code == .timedOut)
            #expect(ended.value == 0)
            cancellations[0].cancel()
            cancellations[1].cancel(with: .shutdown)
            _ = (await loads[0].result, await loads[1].result)
            cancellations[2].cancel()
            var codes: [SwiftyError.Code?] = []
            for load in loads {
                let error = await #expect(throws: SwiftyError.self) { try await load.value }
                codes.append(error?.code)
            }
            #expect(codes == [.cancelled, .shutdown, .cancelled])
        }
    }

    @Test("limits the time of each load on the clock of its Swifty")
    func clock() async throws {
        let (clock, gate) = (TestClock(), Gate())
        let swifty = Swifty(transport: held(gate)) {
            $0.clock = clock
            $0.coalesces = true
        }
        let patient = Task { try await swifty.api.get("x").load() }
        try await until { swifty.statistics.inFlight == 1 }
        let hurried = Task { try await swifty.api.get("x").timeout(.seconds(600)).load() }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(600))
        let error = await #expect(throws: SwiftyError.self) { try await hurried.value }
        #expect(error?.code == .timedOut)
        #expect(error?.timeLimit == .total)
        gate.open()
        _ = try await patient.value
    }

    @Test("passes the events of the transfer to each request since it joined")
    func events() async throws {
        let (isBegun, hasJoined) = (Gate(), Gate())
        let stub = StubTransport { request in
            request.onEvent?(.connected(nameLookup: .zero, connect: .zero, tls: .zero, isReused: true))
            isBegun.open()
            await hasJoined.wait()
            request.onEvent?(.requestSent)
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let transport = CoalescingTransport(stub)
        let told = Recording<(number: Int, event: TransferEvent)>()
        func start(_ number: Int) throws -> Task<TransportResponse, any Error> {
            var request = NetworkRequest(target: try TargetURI("https://api.example.com/x"))
            request.onEvent = { event in told.append((number, event)) }
            return Task { [request] in try await transport.send(request, cancellation: LoadCancellation()) }
        }
        let first = try start(1)
        try await until { isBegun.isOpen }
        let second = try start(2)
        try await until { transport.memberCount == 2 }
        hasJoined.open()
        _ = (try await first.value, try await second.value)
        #expect(stub.requests.count == 1)
        #expect(transport.memberCount == 0)
        let events = { number in told.values.filter { $0.number == number }.map(\.event) }
        #expect(events(1).count == 2)
        #expect(events(1).last == .requestSent)
        #expect(events(2) == [.requestSent])
    }

    @Test("ends with its shutdown, and does not shut down a shared transport")
    func shutdown() async throws {
        let stub = StubTransport { _ in
            await untilCancelled()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let transport = CoalescingTransport(stub)
        let request = NetworkRequest(target: try TargetURI("https://api.example.com/x"))
        let load = Task { try await transport.send(request, cancellation: LoadCancellation()) }
        try await until { stub.requests.count == 1 }
        await transport.shutdown()
        await transport.shutdown()
        let cut = await #expect(throws: SwiftyError.self) { try await load.value }
        let refused = await #expect(throws: SwiftyError.self) {
            try await transport.send(request, cancellation: LoadCancellation())
        }
        #expect(cut?.code == .shutdown)
        #expect(refused?.code == .shutdown)
        #expect(stub.requests.count == 1)
        let free = StubTransport()
        await CoalescingTransport(free).shutdown()
        _ = try await free.send(request, cancellation: LoadCancellation())
        await CoalescingTransport(free, shutsDownTransport: true).shutdown()
        await #expect(throws: SwiftyError.self) { try await free.send(request, cancellation: LoadCancellation()) }
    }

    @Test("over sockets sends one request for many, survives cancellations, and does not mix up responses")
    func overSockets() async throws {
        let server = try LoopbackServer()
        let gate = Gate()
        server.route("GET", "/slow") { request in
            await gate.wait()
            return .text(request.query("n") ?? "")
        }
        let transport = CoalescingTransport(CurlTransport(), shutsDownTransport: true)
        let swifty = Swifty(transport: transport)
        let base = BaseResource(server.url, networkInterface: swifty)
        let start = { (index: Int) in
            Task { try await base.get("slow").query(["n": index % 3]).load().text() }
        }
        let loads = (0..<200).map(start)
        try await until { transport.memberCount == 200 }
        let impatient = (0..<100).map(start)
        for load in impatient { load.cancel() }
        for load in impatient { _ = await load.result }
        // The cancelled requests have not ended the transfer of the others.
        try await until { server.log.count(path: "/slow") == 3 }
        #expect(transport.memberCount == 200)
        gate.open()
        for (index, load) in loads.enumerated() { #expect(try await load.value == "\(index % 3)") }
        #expect(server.log.count(path: "/slow") == 3)
        await swifty.shutdown()
    }
}
