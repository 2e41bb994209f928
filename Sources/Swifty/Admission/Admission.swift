// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Date

/// The permission to send one request; given back with ``AdmissionQueue/release(_:_:)``.
struct Admission: Sendable {
    /// Identifies it among those that are counted; 0 if nothing had to be counted.
    var number = 0
    /// The origin that it is for.
    let origin: String
    /// When it was given, since the queue was made; zero if nothing had to be counted.
    var time: Duration = .zero
    /// Of the circuit breaker.
    var era = 0
}

/// What came of a load that was admitted.
enum AdmissionOutcome: Sendable {
    /// A response arrived, whatever its status.
    case answered(TransportResponse)
    /// The transport failed.
    case failed(SwiftyError)
    /// The pipeline changed its mind, and nothing was sent.
    case notSent
}

/// What admission learns from an outcome, read before the lock is taken.
struct AdmissionFeedback {
    var verdict = CircuitBreaker.Verdict.neutral
    /// Whether the origin has shown that it can answer: it neither failed nor asked for a pause.
    var isSuccess = false
    /// The pause that the origin asked for.
    var pause: Duration?
    var rateLimit: ReportedRateLimit?
    var sample: QualitySample?

    /// Feedback that says nothing.
    init() {}

    /// - Parameter date: The wall clock, for a pause that is given as a date.
    init(_ outcome: AdmissionOutcome, _ policy: AdmissionPolicy, date: () -> Date) {
        switch outcome {
        case .notSent:
            break
        case .failed(let error):
            verdict = Self.verdict(of: error)
            sample = error.transfer.flatMap(QualitySample.init)
        case .answered(let answer):
            let statusCode = answer.head.statusCode
            verdict = statusCode >= 500 ? .failure : .success
            isSuccess = statusCode < 500 && statusCode != 429
            sample = QualitySample(answer.metrics)
            if policy.learnsRateLimits { rateLimit = ReportedRateLimit(answer.head.headers) }
            if statusCode == 503 || statusCode == 429 { pause = Self.pause(answer.head, policy, date) }
        }
    }

    /// Whether it matters although nothing is counted and no host is held back.
    var isNoteworthy: Bool { pause != nil || rateLimit != nil || sample != nil }

    private static func pause(_ head: ResponseHead, _ policy: AdmissionPolicy, _ date: () -> Date) -> Duration? {
        guard let cap = policy.hostBackoff, let value = head.headers[.retryAfter] else { return nil }
        return RetryAfter.delay(value, now: date()).map { min($0, cap) }
    }

    private static func verdict(of error: SwiftyError) -> CircuitBreaker.Verdict {
        switch error.code {
        case .nameResolutionFailed, .connectionFailed, .connectionLost, .tlsFailed, .certificateInvalid, .timedOut,
            .malformedResponse, .proxyFailed:
            .failure
        default: .neutral
        }
    }
}
