// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Swifty
import SwiftyTesting
import TestSupport
import Testing

/// Hooks that end the load that they run for, and then return their normal result without waiting.
@Suite("A hook that ends its own load", .timeLimit(.minutes(15)))
struct EndingHookTests {
    enum Stage: CaseIterable {
        case requestInterceptor, redirectDecision, challenge, retryDecision, responseInterceptor

        var errorStage: SwiftyError.Stage {
            switch self {
            case .requestInterceptor: .requestInterceptor
            case .redirectDecision, .challenge, .retryDecision: .validation
            case .responseInterceptor: .responseInterceptor
            }
        }

        var requests: Int { self == .requestInterceptor ? 0 : 1 }

        /// The status of the server's response.
        var status: Int {
            switch self {
            case .redirectDecision: 302
            case .challenge: 401
            case .retryDecision: 503
            default: 200
            }
        }
    }

    enum End: CaseIterable {
        case cancellation, deadline

        var code: SwiftyError.Code { self == .cancellation ? .cancelled : .timedOut }
    }

    private static let limit = Duration.seconds(600)

    /// Ends the load of its `Swifty`.
    private final class Ender: AuthenticationChallenge.Handler {
        let end: End
        let clock = TestClock()
        let box = Box()

        init(_ end: End) {
            self.end = end
        }

        func endLoad() async {
            switch end {
            case .cancellation: box.swifty?.cancelLoads(withTag: "own")
            case .deadline: await clock.advance(by: EndingHookTests.limit)
            }
        }

        func respond(to challenge: AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition {
            await endLoad()
            return .use(.basic(user: "u", password: "p"))
        }
    }

    private func swifty(
        _ stage: Stage,
        _ ender: Ender,
        _ transport: StubTransport,
        _ observer: some Swifty.Observer
    ) -> Swifty {
        var configuration = Swifty.Configuration()
        configuration.use(observer)
        configuration.clock = ender.clock
        var requestInterceptors: [any RequestInterceptor] = []
        var responseInterceptors: [any ResponseInterceptor] = []
        switch stage {
        case .requestInterceptor:
            requestInterceptors = [
                RequestHook {
                    await ender.endLoad()
                    return $0
                }
            ]
        case .responseInterceptor:
            responseInterceptors = [
                ResponseHook {
                    await ender.endLoad()
                    return $0
                }
            ]
        case .challenge: configuration.use(ender)
        case .retryDecision:
            configuration.retry = RetryPolicy { _ in
                await ender.endLoad()
                return .retry(after: .zero)
            }
        case .redirectDecision:
            configuration.redirects.decide = { _ in
                await ender.endLoad()
                return .follow
            }
        }
        let swifty = Swifty(transport: transport) {
            $0 = configuration
            $0.use(requestInterceptors)
            $0.use(responseInterceptors)
        }
        ender.box.swifty = swifty
        return swifty
    }

    private static let cases = Stage.allCases.flatMap { stage in End.allCases.map { (stage, $0) } }

    @Test("has its result dropped: nothing follows from it, and nothing is reported", arguments: cases)
    func result(_ stage: Stage, _ end: End) async throws {
        let (ender, events) = (Ender(end), FollowingEvents())
        let transport = StubTransport { _ in
            let fields: HTTPFields = [.location: "/next", .wwwAuthenticate: "Basic realm=r"]
            return TransportResponse(head: ResponseHead(statusCode: stage.status, headers: fields), content: Data())
        }
        let base = swifty(stage, ender, transport, events).api
        let error = await #expect(throws: SwiftyError.self) {
            try await base.get("x").timeout(total: Self.limit).tag("own").load()
        }
        ender.box.swifty = nil
        #expect(error?.code == end.code, "\(String(describing: error))")
        #expect(error?.stage == stage.errorStage, "\(String(describing: error))")
        #expect(transport.requests.count == stage.requests)
        #expect(error?.attempts.allSatisfy { $0.redirects.isEmpty } == true)
        #expect(error?.attempts.allSatisfy { $0.challenges == 0 } == true)
        #expect(events.count == 0)
    }
}

/// Counts the events of decisions that follow a response.
private final class FollowingEvents: Swifty.Observer {
    private let state = Counter()
    var count: Int { state.value }

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        switch event {
        case .redirected, .retryScheduled: state.increment()
        default: break
        }
    }
}
