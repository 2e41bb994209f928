// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import Testing

@testable import Swifty

@Suite("The name of an instance", .timeLimit(.minutes(15)))
struct InstanceNameTests {
    @Test("is in its description")
    func description() {
        let named = Swifty(transport: StubTransport()) { $0.name = "billing" }
        #expect("\(named)" == "Swifty(\"billing\", 0 loads in flight)")
        #expect("\(Swifty(transport: StubTransport()))" == "Swifty(0 loads in flight)")
    }

    @Test("and the other settings of the shared instance can be changed until it is made")
    func configuration() {
        let configuration = SharedConfiguration()
        #expect(configuration.change { $0.name = "first" })
        #expect(configuration.change { $0.retry = .standard })
        let taken = configuration.take()
        #expect(taken.name == "first")
        #expect(taken.retry.maximumAttempts == 3)
        #expect(!configuration.change { $0.name = "late" })
        #expect(configuration.take().name == "first")
    }

    @Test("is not changed for the shared instance that is in use")
    func shared() {
        _ = Swifty.shared
        #expect(!Swifty.configureShared { $0.name = "late" })
        #expect(!"\(Swifty.shared)".contains("late"))
    }
}
