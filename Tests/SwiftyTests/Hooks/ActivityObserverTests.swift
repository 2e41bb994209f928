// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("An observer of activity", .timeLimit(.minutes(15)))
struct ActivityObserverTests {
    @Test("tells the first and the last of the loads of several instances, failed ones and mocks included")
    func changes() async throws {
        let changes = Recording<Bool>()
        let activity = ActivityObserver { changes.append($0) }
        let gate = Gate()
        let stub = StubTransport { request in
            if request.target.path == "/waits" { await gate.wait() }
            return TransportResponse(head: ResponseHead(statusCode: 404), content: Data())
        }
        let (one, other) = (Swifty(transport: stub) { $0.use(activity) }, Swifty(transport: stub) { $0.use(activity) })
        async let waiting = one.batch([one.api.get("waits")])
        try await until { activity.isActive }
        await #expect(throws: SwiftyError.self) { try await other.api.get("fails").load() }
        try await other.api.get("mock").mock(data: Data("m".utf8)).load()
        #expect(changes.values == [true])
        gate.open()
        _ = await waiting
        #expect(changes.values == [true, false])
        #expect(!activity.isActive)
    }
}
