// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import WebServiceDSL

@Suite("The reconnection of an event stream", .timeLimit(.minutes(15)))
struct EventReconnectionTests {
    private static let now = Date(timeIntervalSince1970: 784_111_777)

    private func draft(_ method: String = "GET") -> RequestDraft {
        server().request(method, "events").draft
    }

    private func error(_ code: SwiftyError.Code, status: Int? = nil, retryAfter: String? = nil) -> SwiftyError {
        var error = SwiftyError(code, stage: .content)
        var headers = HTTPFields()
        headers[.retryAfter] = retryAfter
        error.head = status.map { ResponseHead(statusCode: $0, headers: headers) }
        return error
    }

    private func delay(
        _ reconnection: inout EventReconnection,
        after error: SwiftyError? = nil,
        time: Duration? = nil,
        fraction: Double = 0
    ) throws -> Duration? {
        try reconnection.delay(after: error, time: time, fraction: fraction, now: Self.now)
    }

    @Test("is for idempotent requests, unless the policy says otherwise")
    func methods() throws {
        let cases: [(RequestDraft, Bool?, Bool)] = [
            (draft(), nil, true), (draft(), false, false), (draft("POST"), nil, false), (draft("POST"), true, true),
            (draft("PUT"), nil, true), (server().post("a").idempotencyKey().draft, nil, true),
        ]
        for (draft, reconnects, expected) in cases {
            var reconnection = EventReconnection(EventPolicy(reconnects: reconnects), draft)
            #expect((try delay(&reconnection) != nil) == expected)
        }
        var ofOpenStream = EventReconnection(EventPolicy(reconnects: true), nil)
        #expect(try delay(&ofOpenStream) == nil)
    }

    @Test("follows failures of the connection and of the server, and no others")
    func errors() throws {
        let repeated = [
            error(.connectionLost), error(.connectionFailed), error(.nameResolutionFailed), error(.timedOut),
            error(.unacceptableStatus, status: 500), error(.unacceptableStatus, status: 503),
            error(.unacceptableStatus, status: 429), error(.unacceptableStatus, status: 408),
            error(.unacceptableStatus, status: 425), error(.circuitOpen), error(.proxyFailed),
        ]
        for error in repeated {
            var reconnection = EventReconnection(EventPolicy(), draft())
            #expect(try delay(&reconnection, after: error) == .seconds(3))
        }
        let final = [
            error(.unacceptableStatus, status: 404), error(.unacceptableStatus, status: 401), error(.cancelled),
            error(.unacceptableStatus, status: 501), error(.unacceptableStatus, status: 505),
            error(.malformedResponse, status: 200), error(.elementTooLarge), error(.certificateInvalid),
            error(.shutdown), error(.invalidURL),
        ]
        for error in final {
            var reconnection = EventReconnection(EventPolicy(), draft())
            let thrown = #expect(throws: SwiftyError.self) { try delay(&reconnection, after: error) }
            #expect(thrown?.code == error.code)
        }
    }

    @Test("does not follow the total time limit")
    func totalLimit() throws {
        for limit in SwiftyError.TimeLimit.allCases {
            var reconnection = EventReconnection(EventPolicy(), draft())
            var timeout = error(.timedOut)
            timeout.timeLimit = limit
            let pause = Result { try delay(&reconnection, after: timeout) }
            #expect((try? pause.get()) == ([.total, .deadline].contains(limit) ? nil : .seconds(3)), "\(limit)")
        }
    }

    @Test("waits for the server's time, then longer and at random, at most the maximum")
    func backoff() throws {
        let policy = EventPolicy(initialDelay: .seconds(2), multiplier: 3, maximumDelay: .seconds(40))
        let expected: [(Double, Double)] = [(2, 2), (2, 6), (2, 18), (2, 40), (2, 40)]
        var (least, most) = (EventReconnection(policy, draft()), EventReconnection(policy, draft()))
        for (low, high) in expected {
            #expect(try delay(&least) == .seconds(low))
            #expect(try delay(&most, fraction: 1) == .seconds(high))
        }
        most.receive()
        #expect(try delay(&most, fraction: 1) == .seconds(2))
        #expect(try delay(&most, time: .seconds(5), fraction: 1) == .seconds(5))
        #expect(try delay(&most, time: .seconds(5), fraction: 1) == .seconds(15))
        #expect(try delay(&most, time: .seconds(1_000_000), fraction: 1) == .seconds(40))
    }

    @Test("waits for half a second at least, whatever the server says, unless the policy has another minimum")
    func minimum() throws {
        let cases: [(EventPolicy, Duration?, Duration)] = [
            (EventPolicy(), .zero, .milliseconds(500)), (EventPolicy(), .milliseconds(499), .milliseconds(500)),
            (EventPolicy(), .milliseconds(501), .milliseconds(501)),
            (EventPolicy(minimumDelay: .seconds(2)), .seconds(1), .seconds(2)),
            (EventPolicy(minimumDelay: .zero), .zero, .zero), (EventPolicy(minimumDelay: .seconds(-1)), .zero, .zero),
            (EventPolicy(maximumDelay: .milliseconds(100)), .zero, .milliseconds(100)),
            (EventPolicy(initialDelay: .zero), nil, .zero),
        ]
        for (policy, time, expected) in cases {
            var reconnection = EventReconnection(policy, draft())
            reconnection.receive()
            #expect(try delay(&reconnection, time: time, fraction: 0.5) == expected)
        }
    }

    @Test("waits for Retry-After, at most the maximum")
    func retryAfter() throws {
        let values: [(String, Duration)] = [
            ("10", .seconds(10)), ("1", .seconds(3)), ("100000", .seconds(300)), ("soon", .seconds(3)),
            ("Sun, 06 Nov 1994 08:49:57 GMT", .seconds(20)),
        ]
        for (value, expected) in values {
            var reconnection = EventReconnection(EventPolicy(), draft())
            let error = error(.unacceptableStatus, status: 503, retryAfter: value)
            #expect(try delay(&reconnection, after: error) == expected)
        }
    }

    @Test("ends with the last error after too many connections without an event")
    func attempts() throws {
        var reconnection = EventReconnection(EventPolicy(maximumAttempts: 3), draft())
        #expect(try delay(&reconnection, after: error(.connectionFailed)) != nil)
        #expect(try delay(&reconnection) != nil)
        reconnection.receive()
        #expect(try delay(&reconnection) != nil)
        #expect(try delay(&reconnection) != nil)
        #expect(try delay(&reconnection) != nil)
        let silence = #expect(throws: SwiftyError.self) { try delay(&reconnection) }
        #expect(silence?.reason == "the event stream ended 3 times in sequence without an event")
        let failure = #expect(throws: SwiftyError.self) { try delay(&reconnection, after: error(.connectionFailed)) }
        #expect(failure?.code == .connectionFailed)
    }

    @Test("survives extreme settings")
    func extremes() throws {
        for multiplier in [0, -1, .nan, .infinity, 1e300] {
            for maximum in [Duration.zero, .seconds(-1), .seconds(Int64.max / 4)] {
                let policy = EventPolicy(multiplier: multiplier, maximumDelay: maximum, maximumAttempts: .max)
                var reconnection = EventReconnection(policy, draft())
                for _ in 0..<100 {
                    let delay = try #require(try delay(&reconnection, time: .milliseconds(Int64.max), fraction: 0.5))
                    #expect(delay <= .seconds(2_000_000_000))
                }
            }
        }
    }
}
