// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Testing

@Suite("What is worth another try", .timeLimit(.minutes(15)))
struct TransienceTests {
    @Test("is a failure of the network, of the proxy or of the system's limits")
    func failures() {
        let transient: [SwiftyError.Code] = [
            .nameResolutionFailed, .connectionFailed, .connectionLost, .proxyFailed, .tooManyOpenFiles, .timedOut,
        ]
        for code in transient { #expect(SwiftyError(code, stage: .firstByte).isTransient, "\(code)") }
        let lasting: [SwiftyError.Code] = [
            .certificateInvalid, .tlsFailed, .malformedResponse, .responseTooLarge, .cancelled, .shutdown, .circuitOpen,
            .invalidHeader, .invalidURL, .interceptorFailed, .transportFailed, .decodingFailed, .diskFull,
            .unacceptableStatus,
        ]
        for code in lasting { #expect(!SwiftyError(code, stage: .firstByte).isTransient, "\(code)") }
    }

    @Test("is a time limit of a phase or of an attempt, but no total limit and no wait")
    func timeLimits() {
        for limit in SwiftyError.TimeLimit.allCases {
            var error = SwiftyError(.timedOut, stage: .firstByte)
            error.timeLimit = limit
            #expect(error.isTransient == ![.total, .deadline].contains(limit), "\(limit)")
        }
        #expect(!SwiftyError(.timedOut, stage: .queue).isTransient)
        #expect(!SwiftyError(.timedOut, stage: .constraint).isTransient)
    }

    @Test("is a status of a server that is overloaded or not ready")
    func statuses() {
        for status in 100...599 {
            var error = SwiftyError(.unacceptableStatus, stage: .head)
            error.head = ResponseHead(statusCode: status)
            let expected = [408, 421, 425, 429, 500, 502, 503, 504].contains(status)
            #expect(error.isTransient == expected && !error.isTransientFailure, "\(status)")
        }
    }

    @Test("waits for Retry-After with 429 and 503 only", arguments: [429, 503, 500, 425, 301, 200])
    func retryAfter(status: Int) {
        let now = Date(timeIntervalSince1970: 784_111_777)
        let cases: [(String?, Duration?)] = [
            ("10", .seconds(10)), ("Sun, 06 Nov 1994 08:49:57 GMT", .seconds(20)), ("soon", nil), (nil, nil),
        ]
        for (value, expected) in cases {
            var headers = HTTPFields()
            headers[.retryAfter] = value
            let head = ResponseHead(statusCode: status, headers: headers)
            #expect(head.retryAfter(now: now) == ([429, 503].contains(status) ? expected : nil))
        }
    }
}
