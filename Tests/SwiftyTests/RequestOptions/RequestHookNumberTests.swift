// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("The number of an attempt", .timeLimit(.minutes(15)))
struct RequestHookNumberTests {
    @Test("is known to interceptors, observers and the response")
    func attempts() async throws {
        let count = Counter()
        let stub = StubTransport { _ in
            TransportResponse(head: ResponseHead(statusCode: count.increment() < 3 ? 503 : 200), content: Data())
        }
        let (seen, observed) = (Recording<Int>(), Recording<Int>())
        let names = EventNames { event, load in
            if case .attemptEnded = event { observed.append(load.draft.attempt) }
            return nil
        }
        let swifty = Swifty(transport: stub) {
            $0.use(
                RequestHook { resource in
                    seen.append(resource.draft.attempt)
                    return resource
                },
                names
            )
            $0.retry = RetryPolicy(maximumAttempts: 3, backoff: .none)
        }
        let resource = swifty.api.get("x")
        let response = try await resource.load()
        #expect(seen.values == [1, 2, 3])
        #expect(observed.values == [1, 2, 3])
        #expect(response.draft?.attempt == 3)
        #expect(resource.draft.attempt == 0)
        #expect(try await resource.copy().mock(data: Data("m".utf8)).load().draft?.attempt == 1)
    }
}
