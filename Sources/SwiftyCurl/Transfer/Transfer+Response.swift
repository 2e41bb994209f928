// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension Transfer {
    /// Makes the response, on the caller's thread, after the end.
    ///
    /// - Throws: The error of a failed transfer.
    func response() throws(SwiftyError) -> TransportResponse {
        ccurl_observe(Unmanaged.passUnretained(self).toOpaque())
        guard let outcome else { throw makeError(.unfinished, measurements: nil) }
        if let failure = outcome.failure { throw makeError(failure, measurements: outcome.measurements) }
        guard let head = completeHead else { throw makeError(.unfinished, measurements: outcome.measurements) }
        var metrics = outcome.measurements.map(metrics) ?? TransferMetrics()
        metrics.httpVersion = head.httpVersion
        return TransportResponse(head: head, body: received.take(), metrics: metrics)
    }

    private func makeError(_ failure: TransferFailure, measurements: TransferMeasurements?) -> SwiftyError {
        var error = SwiftyError(failure.code, stage: failure.stage, sent: failure.sent, reason: failure.reason)
        error.request = NetworkRequest.Summary(request)
        error.head = usesPool ? progress.head : state.head.partialHead
        if completeHead != nil { error.body = received.take() }
        if var metrics = measurements.map(metrics) {
            metrics.httpVersion = error.head?.httpVersion
            error.transfer = metrics
        }
        return error
    }

    /// The final head, if it is complete.
    private var completeHead: ResponseHead? {
        guard usesPool else { return state.head.head }
        return progress.isHeadComplete ? progress.head : nil
    }

    /// The metrics of the transfer. Phases that did not happen are zero.
    private func metrics(from measurements: TransferMeasurements) -> TransferMetrics {
        var metrics = TransferMetrics()
        measurements.fillPhases(&metrics)
        metrics.queue = TransferMeasurements.nanoseconds(from: handedOver, to: measurements.started)
        metrics.total = TransferMeasurements.nanoseconds(from: handedOver, to: measurements.ended)
        metrics.requestHeaderBytes = Int(clamping: measurements.requestHeaderBytes)
        metrics.requestBodyBytes = Int(clamping: measurements.requestBodyBytes)
        metrics.responseHeaderBytes = usesPool ? progress.headByteCount : state.head.byteCount
        metrics.responseBodyBytes = usesPool ? progress.contentByteCount : state.bodyByteCount
        metrics.remoteAddress = measurements.remoteAddress
        metrics.remotePort = Int(clamping: measurements.remotePort)
        metrics.isConnectionReused = measurements.isConnectionReused
        metrics.isServerVerified = isServerVerified
        metrics.certificates = measurements.certificates
        metrics.proxy = proxy?.address
        metrics.proxyStatusCode = measurements.proxyStatusCode
        metrics.isCompletenessProven = outcome?.failure == nil
            && (usesPool ? progress.isCompletenessProven : state.isCompletenessProven)
        return metrics
    }
}

extension TransferMeasurements {
    fileprivate func fillPhases(_ metrics: inout TransferMetrics) {
        if !isConnectionReused {
            metrics.nameLookup = timings.lookupDuration
            metrics.connect = timings.connectDuration
            metrics.tls = timings.tlsDuration
        }
        if timings.ready > 0 { metrics.firstByte = PhaseTimings.duration(from: timings.ready, to: timings.firstByte) }
        if timings.firstByte > 0 {
            metrics.receive = PhaseTimings.duration(from: timings.firstByte, to: timings.total)
        }
    }

    fileprivate static func nanoseconds(from start: Int64, to end: Int64) -> Duration {
        start == 0 ? .zero : .nanoseconds(max(0, end &- start))
    }
}

extension TransferFailure {
    /// The transport was shut down before the transfer was started.
    static let shutdown = TransferFailure(
        code: .shutdown,
        stage: .queue,
        sent: .notSent,
        reason: "the transport was shut down"
    )

    /// Cannot happen: a continuation is resumed only after the transfer has ended.
    fileprivate static let unfinished = TransferFailure(
        code: .transportFailed,
        stage: .body,
        sent: .maybeSent,
        reason: "the transfer ended without an outcome"
    )
}
