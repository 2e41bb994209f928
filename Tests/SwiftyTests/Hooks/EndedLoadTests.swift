// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

/// Loads that end between their response and their response interceptors.
@Suite("A load that has ended when its response interceptors begin", .timeLimit(.minutes(15)))
struct EndedLoadTests {
    /// Ends each load in the moment in which its response is complete.
    private struct EndingTransport: Transport {
        let end: @Sendable (LoadCancellation) async -> Void

        func send(
            _ request: NetworkRequest,
            cancellation: LoadCancellation
        ) async throws(SwiftyError) -> TransportResponse {
            await end(cancellation)
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data("whole".utf8))
        }

        func stream(
            _ request: NetworkRequest,
            cancellation: LoadCancellation
        ) async throws(SwiftyError) -> StreamedResponse {
            let response = try await send(request, cancellation: cancellation)
            return StreamedResponse(head: response.head, content: BufferedContent(response.content))
        }

        func shutdown() async {}
    }

    private func outcome(
        _ limit: Duration,
        isStreamed: Bool,
        end: @escaping @Sendable (LoadCancellation, TestClock) async -> Void
    ) async -> (error: SwiftyError?, seen: [SwiftyError.Code?]) {
        let (clock, seen) = (TestClock(), Recording<SwiftyError.Code?>())
        let swifty = Swifty(transport: EndingTransport { await end($0, clock) }) {
            $0.clock = clock
            $0.use(
                ResponseHook { response in
                    seen.append(response.error?.code)
                    return response
                }
            )
        }
        let resource = swifty.api.get("x").timeout(limit)
        do throws(SwiftyError) {
            if isStreamed { _ = try await resource.stream() } else { _ = try await resource.load() }
            return (nil, seen.values)
        } catch {
            return (error, seen.values)
        }
    }

    @Test("was cancelled, and is no success", arguments: [false, true])
    func cancellation(isStreamed: Bool) async {
        let (error, seen) = await outcome(.seconds(600), isStreamed: isStreamed) { cancellation, _ in
            cancellation.cancel()
        }
        #expect(error?.code == .cancelled)
        #expect(error?.sent == .responded)
        #expect(error?.statusCode == 200)
        #expect(seen == [.cancelled])
    }

    @Test("has reached its limit, and is no late success", arguments: [false, true])
    func limit(isStreamed: Bool) async {
        let (error, seen) = await outcome(.seconds(600), isStreamed: isStreamed) { _, clock in
            await clock.advance(by: .seconds(600))
        }
        #expect(error?.code == .timedOut)
        #expect(error?.timeLimit == .total)
        #expect(error?.sent == .responded)
        #expect(seen == [.timedOut])
    }
}
