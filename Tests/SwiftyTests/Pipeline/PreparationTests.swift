// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

/// The closure of an `async` `map` is part of its load.
@Suite("A closure that makes the value of a load and waits", .timeLimit(.minutes(15)))
struct PreparationTests {
    private func swifty(_ clock: TestClock = TestClock(), hook: ResponseHook? = nil) -> Swifty {
        Swifty {
            $0.clock = clock
            if let hook { $0.use(hook) }
        }
    }

    private func number(_ swifty: Swifty, status: Int = 200) -> TypedResource<Int> {
        swifty.api.get("x").mock(data: Data("7".utf8), status: status).decode(Int.self)
    }

    @Test("runs after the response interceptors, once, and its value is that of the load")
    func order() async throws {
        let events = Recording<String>()
        let hook = ResponseHook { response in
            events.append("interceptor")
            response.succeed(data: Data("8".utf8))
            return response
        }
        let value = try await number(swifty(hook: hook)).map { number async in
            events.append("map \(number)")
            return number + 1
        }.load()
        #expect(value == 9)
        #expect(events.values == ["interceptor", "map 8"])
    }

    @Test("that never returns ends with the time limit of its load")
    func limit() async throws {
        let (clock, begun) = (TestClock(), Gate())
        let load = Task {
            try await number(swifty(clock)).timeout(.seconds(5)).map { number async in
                begun.open()
                await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
                return number
            }.load()
        }
        try await until { begun.isOpen }
        await clock.advance(by: .seconds(5))
        let error = await #expect(throws: SwiftyError.self) { try await load.value }
        #expect(error?.code == .timedOut)
        #expect(error?.timeLimit == .total)
        #expect(error?.stage == .decoding)
        #expect(error?.statusCode == 200)
    }

    @Test("is not limited by the time of an attempt, which has ended")
    func attemptLimit() async throws {
        let clock = TestClock()
        let swifty = Swifty(transport: StubTransport(content: "7")) { $0.clock = clock }
        let resource = swifty.api.get("x").timeout(attempt: .seconds(5)).decode(Int.self).map { number async in
            await clock.advance(by: .seconds(60))
            return number
        }
        #expect(try await resource.load() == 7)
    }

    @Test("is cancelled with its load")
    func cancellation() async throws {
        let (begun, ended) = (Gate(), Recording<Bool>())
        let load = Task {
            try await number(swifty()).map { number async in
                begun.open()
                try? await Task.sleep(for: .seconds(600))
                ended.append(Task.isCancelled)
                return number
            }.load()
        }
        try await until { begun.isOpen }
        load.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await load.value }
        #expect(error?.code == .cancelled)
        try await until { !ended.values.isEmpty }
        #expect(ended.values == [true])
    }

    @Test("is not called for a failed load, and its error is that of the load for observers, too")
    func failures() async throws {
        let outcomes = Recording<String>()
        let names = EventNames { event, _ in
            guard case .finished(let response) = event else { return nil }
            return response.error?.code.rawValue ?? "success"
        }
        let swifty = Swifty { $0.use(names) }
        await #expect(throws: SwiftyError.self) {
            try await number(swifty, status: 500).map { number async in outcomes.append("\(number)") }.load()
        }
        await #expect(throws: SwiftyError.self) {
            try await number(swifty).map { number async throws in throw CancellationError() }.load()
        }
        #expect(outcomes.values == [])
        #expect(names.all == ["unacceptableStatus", "cancelled"])
    }

    @Test("works with another network interface, and with one that hands its loads to a Swifty")
    func otherInterfaces() async throws {
        struct Other: NetworkInterface {
            func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
                NetworkResponse(head: ResponseHead(statusCode: 200), data: Data("7".utf8))
            }
        }
        struct Handing: NetworkInterface {
            let swifty = Swifty()
            func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
                await swifty.load(draft, cancellation: cancellation)
            }
        }
        let calls = Recording<Int>()
        for interface in [Other(), Handing()] as [any NetworkInterface] {
            let base = BaseResource("https://a", networkInterface: interface)
            let resource = base.get("x").mock(data: Data("7".utf8)).decode(Int.self).map { number async in
                calls.append(number)
                return number
            }
            #expect(try await resource.load() == 7)
        }
        #expect(calls.values == [7, 7])
    }
}
