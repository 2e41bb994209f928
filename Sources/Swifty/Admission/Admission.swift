// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Date

/// The permission to send one request, until ``AdmissionQueue/release(_:_:)``.
struct Admission: Sendable {
    /// The number of a counted admission; 0 if it was not counted.
    var number = 0
    let origin: String
    /// The time of admission, since the queue was made; zero if it was not counted.
    var time: Duration = .zero
    /// The generation of the circuit breaker at that time.
    var generation: Int32 = 0
    /// The number of requests to the origin that were counted until then, with this one.
    var count: UInt32 = 0
}

/// The outcome of an admitted request.
enum AdmissionOutcome: Sendable {
    /// A response with any status.
    case responded(TransportResponse)
    /// An error of the transport.
    case failed(SwiftyError)
    /// The load ended before the request was sent.
    case notSent
}

/// The facts that admission extracts from an outcome, before taking the lock.
struct AdmissionFeedback {
    var verdict = CircuitBreakerState.Verdict.neutral
    /// Whether the origin responded with neither a server error (5xx) nor 429.
    var isSuccess = false
    /// The pause that the origin asked for with `Retry-After`.
    var pause: Duration?
    var rateLimit: ReportedRateLimit?
    var sample: QualitySample?

    /// - Parameter date: The wall clock, for a pause that is given as a date.
    init(_ outcome: AdmissionOutcome, _ policy: AdmissionPolicy, date: () -> Date) {
        switch outcome {
        case .notSent:
            break
        case .failed(let error):
            verdict = Self.verdict(of: error)
            sample = error.transfer.flatMap(QualitySample.init)
        case .responded(let response):
            let statusCode = response.head.statusCode
            verdict = statusCode >= 500 ? .failure : .success
            isSuccess = statusCode < 500 && statusCode != 429
            sample = QualitySample(response.metrics)
            if policy.learnsRateLimits { rateLimit = ReportedRateLimit(response.head.headers) }
            if Self.asksForPause(statusCode) { pause = Self.pause(response.head, policy: policy, date: date) }
        }
    }

    /// Whether a response to an uncounted request must be recorded, apart from rate limits in it.
    static func isRecorded(of response: TransportResponse) -> Bool {
        asksForPause(response.head.statusCode) || QualitySample(response.metrics) != nil
    }

    private static func asksForPause(_ statusCode: Int) -> Bool { statusCode == 503 || statusCode == 429 }

    /// Whether the feedback of an uncounted admission must be recorded.
    var mustBeRecorded: Bool { pause != nil || rateLimit != nil || sample != nil }

    private static func pause(_ head: ResponseHead, policy: AdmissionPolicy, date: () -> Date) -> Duration? {
        guard let cap = policy.hostBackoff, let value = head.headers[.retryAfter] else { return nil }
        return RetryAfter.delay(value, now: date()).map { min($0, cap) }
    }

    private static func verdict(of error: SwiftyError) -> CircuitBreakerState.Verdict {
        switch error.code {
        case .nameResolutionFailed, .connectionFailed, .connectionLost, .tlsFailed, .certificateInvalid, .timedOut,
            .malformedResponse, .proxyFailed:
            .failure
        default: .neutral
        }
    }
}
