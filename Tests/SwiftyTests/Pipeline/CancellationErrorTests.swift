// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

@Suite("A cancellation with an error", .timeLimit(.minutes(15)))
struct CancellationErrorTests {
    private struct LoggedOut: Error, CustomStringConvertible {
        var description: String { "the user has logged out" }
    }

    @Test("gives it to the load, by its task or by a tag", arguments: [true, false])
    func causes(isByTask: Bool) async throws {
        let began = Gate()
        let stub = StubTransport { _ in
            began.open()
            await untilCancelled()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let swifty = Swifty(transport: stub)
        let errors = Recording<SwiftyError>()
        let task = swifty.api.get("x").tag("account").load { (response: NetworkResponse) in
            if let error = response.error { errors.append(error) }
        }
        await began.wait()
        if isByTask {
            task.cancel(with: LoggedOut())
        } else {
            #expect(swifty.cancelLoads(withTag: "other", error: LoggedOut()) == 0)
            #expect(swifty.cancelLoads(withTag: "account", error: LoggedOut()) == 1)
        }
        try await until { errors.values.count == 1 }
        let error = try #require(errors.values.first)
        #expect(error.code == .cancelled)
        #expect(error.underlying is LoggedOut)
        #expect(error.reason == "the user has logged out")
    }

    @Test("gives no load an error that was not cancelled with it")
    func others() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        let resource = base.get("delay/30").timeout(.milliseconds(50))
        let errors = Recording<SwiftyError>()
        let task = resource.load { (response: NetworkResponse) in
            if let error = response.error { errors.append(error) }
        }
        try await until { errors.values.count == 1 }
        task.cancel(with: LoggedOut())
        #expect(errors.values.map(\.code) == [.timedOut])
        #expect(errors.values.first?.underlying == nil)
    }
}
