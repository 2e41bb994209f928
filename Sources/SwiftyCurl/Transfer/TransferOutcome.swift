// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The outcome of a transfer, left by the loop for the caller, who makes the response from it.
struct TransferOutcome {
    /// The failure; `nil` if the response is complete.
    var failure: TransferFailure?
    var measurements: TransferMeasurements?
}

extension Transfer {
    /// Makes the response, on the caller's thread, after the end.
    ///
    /// - Throws: The error of a failed transfer.
    func response() throws(SwiftyError) -> TransportResponse {
        ccurl_observe(Unmanaged.passUnretained(self).toOpaque())
        guard let outcome else { throw makeError(.unfinished, measurements: nil) }
        if let failure = outcome.failure { throw makeError(failure, measurements: outcome.measurements) }
        guard let head = state.head.head else { throw makeError(.unfinished, measurements: outcome.measurements) }
        var metrics = outcome.measurements?.metrics(of: self) ?? TransferMetrics()
        metrics.httpVersion = head.httpVersion
        return TransportResponse(head: head, body: received.take(), metrics: metrics)
    }

    private func makeError(_ failure: TransferFailure, measurements: TransferMeasurements?) -> SwiftyError {
        var error = SwiftyError(failure.code, stage: failure.stage, sent: failure.sent, reason: failure.reason)
        error.request = NetworkRequest.Summary(request)
        error.head = state.head.partialHead
        if state.head.isComplete { error.body = received.take() }
        if var metrics = measurements?.metrics(of: self) {
            metrics.httpVersion = error.head?.httpVersion
            error.transfer = metrics
        }
        return error
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
