// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("A batch of loads", .timeLimit(.minutes(15)))
struct LoadBatchTests {
    struct Value: Codable, Sendable {}

    /// A stub that responds with the status in the path; the gate holds requests with the path `held`.
    private func stub(_ gate: Gate = Gate()) -> StubTransport {
        StubTransport { request in
            let path = request.target.path.dropFirst()
            if path == "held" { await untilCancelled() }
            if path == "late" { await gate.wait() }
            return TransportResponse(head: ResponseHead(statusCode: Int(path) ?? 200), content: Data(path.utf8))
        }
    }

    @Test("returns an outcome for each request, in their order, and continues after a failure")
    func order() async {
        let swifty = Swifty(transport: stub())
        let typed = swifty.api.get("201").decode(Value.self)
        let results = await swifty.batch([swifty.api.get("200"), swifty.api.get("404"), typed, swifty.api.get("500")])
        #expect(results.map { (try? $0.get())?.string } == ["200", nil, "201", nil])
        #expect(
            results.map { result in
                guard case .failure(let error) = result else { return nil }
                return error.statusCode
            } == [nil, 404, nil, 500]
        )
        #expect(await swifty.batch([]).isEmpty)
    }

    @Test("reports its progress, load by load")
    func progress() async {
        let swifty = Swifty(transport: stub())
        let told = Recording<[Int]>()
        _ = await swifty.batch((0..<5).map { _ in swifty.api.get("x") }) { completed, total in
            told.append([completed, total])
        }
        #expect(told.values == (1...5).map { [$0, 5] })
    }

    @Test("that stops on a failure ends the other loads, and names the failure in their errors")
    func stopsOnFailure() async {
        for _ in 0..<50 {
            let swifty = Swifty(transport: stub())
            let results = await swifty.batch(
                [swifty.api.get("held"), swifty.api.get("404"), swifty.api.get("held")],
                stopsOnFailure: true
            )
            let errors = results.map { result -> SwiftyError? in
                guard case .failure(let error) = result else { return nil }
                return error
            }
            #expect(errors.map { $0?.code } == [.cancelled, .unacceptableStatus, .cancelled])
            #expect((errors[0]?.underlying as? SwiftyError)?.statusCode == 404)
            #expect(errors[1]?.underlying == nil)
        }
    }

    @Test("is cancelled as a whole, with its task", arguments: [false, true])
    func cancellation(stopsOnFailure: Bool) async throws {
        let stub = stub()
        let swifty = Swifty(transport: stub)
        let batch = Task {
            await swifty.batch(["held", "held"].map { swifty.api.get($0) }, stopsOnFailure: stopsOnFailure)
        }
        try await until { stub.requests.count == 2 }
        batch.cancel()
        for result in await batch.value {
            let error = #expect(throws: SwiftyError.self) { try result.get() }
            #expect(error?.code == .cancelled)
            #expect(error?.underlying == nil, "no load has failed by itself")
        }
    }

    @Test("in its closure form calls back once, on the given queue, after all progress")
    func closures() async throws {
        let swifty = Swifty(transport: stub())
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "delivery", attributes: .concurrent)
        queue.setSpecific(key: key, value: true)
        let told = Counter()
        let resource = swifty.api.get("200")
        let results = await withCheckedContinuation { continuation in
            swifty.batch([resource, swifty.api.get("404")], deliverOn: queue) { _, _ in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                told.increment()
            } completion: { results in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                #expect(told.value == 2)
                continuation.resume(returning: results)
            }
            // Has no effect: the batch has its own copy.
            resource.header("X-Late", "1")
        }
        #expect(results.count == 2)
        #expect((try? results[0].get())?.request?.values(of: "X-Late") == [])
    }

    @Test("in its closure form can be cancelled")
    func cancelClosures() async throws {
        let stub = stub()
        let swifty = Swifty(transport: stub)
        let done = Gate()
        let errors = Recording<SwiftyError.Code>()
        let batch = swifty.batch([swifty.api.get("held"), swifty.api.get("200")]) { results in
            for case .failure(let error) in results { errors.append(error.code) }
            done.open()
        }
        try await until { stub.requests.count == 2 }
        batch.cancel()
        batch.cancel()
        try await until { done.isOpen }
        #expect(batch.isCancelled)
        #expect(errors.values.contains(.cancelled))
    }
}
