// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("A batch that grows", .timeLimit(.minutes(15)))
struct LoadBatchAdditionTests {
    private func swifty(_ gates: [String: Gate] = [:]) -> Swifty {
        Swifty(
            transport: StubTransport { request in
                await gates[request.target.path]?.wait()
                let status = request.target.path == "/fails" ? 500 : 200
                let content = Data(request.target.path.utf8)
                return TransportResponse(head: ResponseHead(statusCode: status), content: content)
            }
        )
    }

    @Test("calls for each load as it ends, and returns all in the order of their addition")
    func items() async throws {
        let gates = ["/0": Gate(), "/1": Gate()]
        let swifty = swifty(gates)
        let ended = Recording<Int>()
        let batch = LoadBatch(of: swifty) { number, _ in ended.append(number) }
        for path in ["0", "1", "2"] { batch.add(swifty.api.get("\(path)")) }
        try await until { ended.values == [2] }
        async let results = batch.results()
        #expect(batch.add(swifty.api.get("3").decode(String.self)) == 3)
        try await until { ended.values == [2, 3] }
        gates["/1"]?.open()
        try await until { ended.values == [2, 3, 1] }
        gates["/0"]?.open()
        let texts = try await results.map { try $0.get().text() }
        #expect(texts == ["/0", "/1", "/2", "/3"])
        #expect(ended.values == [2, 3, 1, 0])
        #expect(await batch.results().count == 4)
    }

    @Test("is empty without loads, and starts again after its end")
    func empty() async throws {
        let swifty = swifty()
        let batch = LoadBatch(of: swifty)
        #expect(await batch.results().isEmpty)
        batch.add(swifty.api.get("a"))
        #expect(await batch.results().count == 1)
        batch.add(swifty.api.get("b"))
        #expect(await batch.results().count == 2)
    }

    @Test("ends the other loads, and those that are added later, after the first failure")
    func stopping() async throws {
        let swifty = swifty(["/waits": Gate()])
        let batch = LoadBatch(of: swifty, stopsOnFailure: true)
        batch.add(swifty.api.get("waits"))
        batch.add(swifty.api.get("fails"))
        let results = await batch.results()
        let late = batch.add(swifty.api.get("late"))
        for result in [results[0], await batch.results()[late]] {
            guard case .failure(let error) = result else { return #expect(Bool(false), "the load succeeded") }
            #expect(error.code == .cancelled)
            #expect((error.underlying as? SwiftyError)?.code == .unacceptableStatus)
            #expect(error.reason == "another load of the batch failed")
        }
    }

    @Test("is cancelled by itself or with the task that waits for it", arguments: [true, false])
    func cancellation(isByTask: Bool) async throws {
        let swifty = swifty(["/waits": Gate()])
        let batch = LoadBatch(of: swifty)
        batch.add(swifty.api.get("waits"))
        let task = Task { await batch.results() }
        if isByTask { task.cancel() } else { batch.cancel() }
        let results = await task.value
        guard case .failure(let error) = results[0] else { return #expect(Bool(false), "the load succeeded") }
        #expect(error.code == .cancelled)
        #expect(error.underlying == nil)
    }
}
