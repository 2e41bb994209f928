// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

extension RequestConfiguration {
    fileprivate static let report = RequestConfiguration {
        $0.timeout(.seconds(120)).retry(5).priority(.low).validate(status: [200, 204]).traced()
    }
}

extension ModifiableResource {
    /// A modifier of the user's own.
    @discardableResult
    fileprivate func traced() -> Self { header("X-Trace", "1") }
}

@Suite("The configuration of a request", .timeLimit(.minutes(15)))
struct RequestConfigurationTests {
    private let swifty = Swifty(transport: StubTransport(status: 204))

    @Test("is a list of modifiers, which keep the kind of the resource")
    func modifiers() async throws {
        let resource: NetworkResourceWithoutBody = swifty.api.get("x").configuration(.report)
        let draft = resource.draft
        #expect(draft.timeouts.total == .seconds(120))
        #expect(draft.retryPolicy?.maximumAttempts == 5)
        #expect(draft.priority == .low)
        #expect(draft.headers[.init("X-Trace") ?? .date] == "1")
        #expect(try await resource.load().statusCode == 204)
        let typed: TypedResource<Void> = swifty.api.get("x").decode(Void.self).configuration(.report)
        #expect(typed.draft.priority == .low)
    }

    @Test("counts where it stands: what follows it counts more")
    func place() {
        let after = swifty.api.get("x").configuration(.report).timeout(.seconds(1))
        #expect(after.draft.timeouts.total == .seconds(1))
        let before = swifty.api.get("x").timeout(.seconds(1)).configuration(.report)
        #expect(before.draft.timeouts.total == .seconds(120))
        let combined = RequestConfiguration.report.with { $0.priority(.high) }.with(.background)
        let draft = swifty.api.get("x").configuration(combined).draft
        #expect(draft.priority == .low)
        #expect(draft.timeouts.total == .seconds(600))
        #expect(draft.headers[.init("X-Trace") ?? .date] == "1")
    }

    @Test("has hooks, and presets for what a person waits for and what can wait")
    func presets() async throws {
        let seen = Counter()
        let hooked = RequestConfiguration {
            $0.use(
                RequestHook { resource in
                    seen.increment()
                    return resource
                }
            )
        }
        for _ in 0..<2 { try await swifty.api.get("x").validate(status: .any).configuration(hooked).load() }
        #expect(seen.value == 2)
        let interactive = swifty.api.get("x").configuration(.interactive).draft
        #expect(interactive.priority == .high)
        #expect(interactive.timeouts.attempt == .seconds(15))
        #expect(interactive.timeouts.total == .seconds(30))
        #expect(interactive.retryPolicy?.maximumAttempts == 2)
        #expect(swifty.api.get("x").configuration(.background).draft.retryPolicy?.maximumAttempts == 5)
    }
}
