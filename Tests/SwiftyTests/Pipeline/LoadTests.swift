// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("The pipeline", .timeLimit(.minutes(15)))
struct LoadTests {
    @Test("reports an unaccepted status with head, body and attempts")
    func validation() async throws {
        let swifty = Swifty(
            transport: StubTransport(status: 404, headers: [.contentType: "text/plain"], content: "no such thing")
        )
        let error = await #expect(throws: SwiftyError.self) {
            try await swifty.api.get("x").query(["token": "canary"]).load()
        }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.stage == .validation)
        #expect(error?.sent == .responded)
        #expect(error?.statusCode == 404)
        #expect(error?.content == Data("no such thing".utf8))
        #expect(error?.attempts.map(\.statusCode) == [404])
        #expect(error?.description.contains("404") == true)
        #expect(error?.description.contains("canary") == false)
        #expect(error.map { ($0 as NSError).code } == 404)
        #expect(try await swifty.api.get("x").validate(status: .any).load().statusCode == 404)
        #expect(try await swifty.api.get("x").validate(status: [404]).load().string == "no such thing")
    }

    @Test(
        "responds to a mock without network or request interceptors, but with constraints and response interceptors"
    )
    func mocks() async throws {
        let stub = StubTransport()
        let constraint = TestConstraint { constraint in
            constraint.isSatisfied = true
            constraint.finish()
        }
        let swifty = Swifty(transport: stub) {
            $0.use(constraint)
            $0.use(RequestHook { _ in throw CancellationError() })
            $0.use(
                ResponseHook {
                    $0.succeed(data: Data((($0.string ?? "") + "!").utf8))
                    return $0
                }
            )
        }
        #expect(try await swifty.api.get("x").mock(data: Data("m".utf8)).load().string == "m!")
        let file = try await swifty.api.get("x").mock(file: "ip.json").load()
        #expect(file.string?.contains("origin") == true)
        #expect(file.metrics.isMocked)
        #expect(file.metrics.attempts.isEmpty)
        #expect(constraint.flights == 1)
        #expect(stub.requests.isEmpty)
    }

    @Test("never goes to the network when the mock is missing, fails or has an unaccepted status")
    func failingMocks() async throws {
        let stub = StubTransport()
        let swifty = Swifty(transport: stub)
        let missing = await #expect(throws: SwiftyError.self) {
            try await swifty.api.get("x").mock(file: "no-such.json").load()
        }
        #expect(missing?.code == .mockUnavailable)
        let failing = await #expect(throws: SwiftyError.self) {
            try await swifty.api.get("x").mock(error: SwiftyError(.timedOut, stage: .connect)).load()
        }
        #expect(failing?.code == .timedOut)
        let other = await #expect(throws: SwiftyError.self) {
            try await swifty.api.get("x").mock(error: CocoaError(.fileNoSuchFile)).load()
        }
        #expect(other?.underlying is CocoaError)
        let status = await #expect(throws: SwiftyError.self) {
            try await swifty.api.get("x").mock(data: Data(), status: 503).load()
        }
        #expect(status?.statusCode == 503)
        #expect(stub.requests.isEmpty)
    }

    @Test("completes once, with the error, when there is no response")
    func noAnswer() async throws {
        let swifty = Swifty(
            transport: StubTransport { _ in throw SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent) }
        )
        let calls = Counter()
        let error = await withCheckedContinuation { continuation in
            swifty.api.get("x").load { (response: NetworkResponse) in
                calls.increment()
                continuation.resume(returning: response.error)
            }
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.sent == .maybeSent)
        #expect(error?.attempts.map(\.errorCode) == [.connectionLost])
        #expect(calls.value == 1)
    }

    @Test("gives add's failure block every failed outcome")
    func add() async throws {
        let swifty = Swifty(
            transport: StubTransport {
                TransportResponse(head: ResponseHead(statusCode: $0.template == "a" ? 200 : 404), content: Data())
            }
        )
        for (path, expected) in [("a", "success"), ("b", "failure")] {
            let block = await withCheckedContinuation { continuation in
                swifty.add(
                    swifty.api.get(path),
                    successBlock: { _ in continuation.resume(returning: "success") },
                    failureBlock: { _ in continuation.resume(returning: "failure") }
                )
            }
            #expect(block == expected)
        }
    }

    @Test(
        "delivers closures on a concurrent queue by default, so that a blocked main thread does not matter"
    )
    func defaultQueue() async throws {
        let swifty = Swifty(transport: StubTransport())
        let isMain = await withCheckedContinuation { continuation in
            swifty.api.get("x").load { (_: NetworkResponse) in continuation.resume(returning: Thread.isMainThread) }
        }
        #if os(Linux)
        #expect(!isMain)
        #endif
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "mine")
        queue.setSpecific(key: key, value: true)
        let configured = Swifty(transport: StubTransport()) { $0.deliveryQueue = queue }
        let isMine = await withCheckedContinuation { continuation in
            configured.api.get("x").load { (_: NetworkResponse) in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) ?? false)
            }
        }
        #expect(isMine)
    }

    @Test("runs the interceptors of different loads simultaneously")
    func concurrentInterceptors() async throws {
        let meeting = Counter()
        let both = Gate()
        let hook = ResponseHook { response in
            if meeting.increment() == 2 { both.open() }
            await both.wait()
            return response
        }
        let swifty = Swifty(transport: StubTransport()) { $0.use(hook) }
        async let first = swifty.api.get("a").load()
        async let second = swifty.api.get("b").load()
        _ = try await (first, second)
    }

    @Test("ends a cancelled load once, wherever it is")
    func cancellation() async throws {
        let started = Gate()
        let swifty = Swifty(
            transport: StubTransport { _ in
                started.open()
                try await hang()
                return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
            }
        )
        let calls = Counter()
        let error: SwiftyError? = await withCheckedContinuation { continuation in
            let load = swifty.api.get("x").load { (response: NetworkResponse) in
                calls.increment()
                continuation.resume(returning: response.error)
            }
            Task {
                await started.wait()
                load.cancel()
                load.cancel()
            }
        }
        #expect(error?.code == .cancelled)
        #expect(error?.isCancelled == true)
        #expect(calls.value == 1)
        let early = Task { try await swifty.api.get("x").load() }
        early.cancel()
        let second = await #expect(throws: SwiftyError.self) { try await early.value }
        #expect(second?.code == .cancelled)
    }

    @Test("that is shut down ends its loads and takes no more, while others continue")
    func shutdown() async throws {
        let started = Counter()
        let swifty = Swifty(
            transport: StubTransport { _ in
                started.increment()
                try await hang()
                return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
            }
        )
        let other = Swifty(transport: StubTransport())
        let loads = (0..<50).map { _ in Task { try await swifty.api.get("x").load() } }
        try await until { started.value == 50 }
        await swifty.shutdown()
        for load in loads {
            let error = await #expect(throws: SwiftyError.self) { try await load.value }
            #expect(error?.code == .shutdown)
        }
        let late = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        #expect(late?.code == .shutdown)
        #expect(late?.sent == .notSent)
        await swifty.shutdown()
        _ = try await other.api.get("x").load()
    }

    @Test("measures each load, and counts its attempts")
    func metrics() async throws {
        let swifty = Swifty(transport: StubTransport())
        let response = try await swifty.api.get("x").load()
        #expect(response.metrics.total > .zero)
        #expect(response.metrics.attempts.count == 1)
        #expect(response.request?.target.string == "https://api.example.com/x")
    }
}
