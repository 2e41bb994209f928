// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension Transfer {
    /// Makes the response, on the caller's thread, after the transfer has ended.
    ///
    /// - Throws: The error of a failed transfer.
    func response() throws(SwiftyError) -> TransportResponse {
        ccurl_observe(Unmanaged.passUnretained(self).toOpaque())
        if let failure = outcome?.failure { throw makeError(failure) }
        guard outcome != nil, attempt.progress.isHeadComplete, let head = attempt.progress.head else {
            throw makeError(.unfinished)
        }
        return TransportResponse(head: head, content: attempt.received.take(), metrics: makeMetrics(head.httpVersion))
    }

    /// The end of a transfer that only wanted a connection, on the caller's thread.
    ///
    /// - Throws: The error of a failed transfer.
    func finishPrewarming() throws(SwiftyError) {
        ccurl_observe(Unmanaged.passUnretained(self).toOpaque())
        if let failure = outcome?.failure { throw makeError(failure) }
    }

    /// The trailer fields of a streamed response, after the transfer has ended.
    var trailers: HTTPFields { ResponseHead(rawTrailers: attempt.progress.trailers).headers }

    private func makeError(_ failure: TransferFailure) -> SwiftyError {
        var error = SwiftyError(failure.code, stage: failure.stage, sent: failure.sent, reason: failure.reason)
        error.timeLimit = failure.timeLimit
        error.request = NetworkRequest.Summary(request)
        error.head = attempt.progress.head
        error.underlying = sourceError
        if attempt.progress.isHeadComplete { error.content = attempt.received.take() }
        if outcome?.facts != nil {
            error.transfer = makeMetrics(error.head?.httpVersion, reportsCertificates: true)
        }
        return error
    }

    /// Makes the metrics of the transfer. Phases that did not happen are zero.
    ///
    /// - Parameter reportsCertificates: Whether the server's certificates are reported, as with every failure.
    private func makeMetrics(
        _ version: ResponseHead.HTTPVersion?,
        reportsCertificates: Bool = false
    ) -> TransferMetrics {
        var metrics = TransferMetrics()
        metrics.httpVersion = version
        let ended = outcome?.ended ?? 0
        metrics.queue = Self.duration(from: handedOver, to: started)
        metrics.total = Self.duration(from: handedOver, to: ended)
        metrics.firstByte = Self.duration(from: attempt.ready, to: attempt.firstByte)
        metrics.receive = Self.duration(from: attempt.firstByte, to: ended)
        metrics.requestHeaderBytes = attempt.progress.requestHeadByteCount
        metrics.requestContentBytes = attempt.progress.requestContentByteCount
        metrics.responseHeaderBytes = attempt.progress.headByteCount
        metrics.responseContentBytes = attempt.progress.contentByteCount
        metrics.isConnectionReused = attempt.isConnectionReused
        metrics.repetitions = repetition.count
        metrics.isServerVerified = isServerVerified
        metrics.proxy = proxy?.address
        metrics.isCompletenessProven = outcome?.failure == nil && attempt.progress.isCompletenessProven
        if let facts = outcome?.facts { add(facts, to: &metrics) }
        if reportsCertificates || self.reportsCertificates { metrics.tlsReport = outcome?.facts?.tls }
        return metrics
    }

    private func add(_ facts: ConnectionFacts, to metrics: inout TransferMetrics) {
        metrics.remoteAddress = facts.remoteAddress
        metrics.remotePort = Int(clamping: facts.remotePort)
        metrics.localAddress = facts.localAddress
        metrics.localPort = Int(clamping: facts.localPort)
        metrics.connectionNumber = facts.number
        if attempt.isConnectionReused { return }
        let ready = attempt.ready == 0 ? outcome?.ended ?? 0 : attempt.ready
        let timings = facts.timings.last(Self.duration(from: started, to: ready))
        metrics.nameLookup = timings.lookupDuration
        metrics.connect = timings.connectDuration
        metrics.tls = timings.tlsDuration
        metrics.proxyStatusCode = facts.proxyStatusCode
    }

    /// The time between two points in time; zero if one of them was not reached.
    private static func duration(from start: Int64, to end: Int64) -> Duration {
        start == 0 || end == 0 ? .zero : .nanoseconds(max(0, end &- start))
    }
}

extension TransferFailure {
    /// Cannot happen: a continuation is resumed only after the transfer has ended.
    fileprivate static let unfinished = TransferFailure(
        code: .transportFailed,
        stage: .content,
        sent: .maybeSent,
        reason: "the transfer ended without an outcome"
    )
}
