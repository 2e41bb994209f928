// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import CoreMetrics
import HTTPTypes
import SwiftySupport
import Swifty
import SwiftyTransport
import Synchronization
import WebServiceDSL

/// Records the metrics of one load.
final class LoadMeasurement: Swifty.LoadTracer {
    /// A request on the wire.
    private struct Request {
        let instruments: ServerInstruments
        let start: ContinuousClock.Instant
        /// The response whose content is still arriving, and the time at which its head has arrived.
        var response: (response: TransportResponse, arrival: ContinuousClock.Instant)?
    }

    private struct State {
        var request: Request?
        /// The reason of the last attempt's failure.
        var lastError = ""
    }

    let addsFields = false
    private let instruments: KindInstruments
    private let state = Mutex(State())

    init(_ instruments: KindInstruments) {
        self.instruments = instruments
    }

    func send(_ request: NetworkRequest, fields: inout HTTPFields) {
        let next = Request(instruments: instruments.ofServer(request.target), start: .now)
        next.instruments.active?.increment()
        let last = state.withLock { state in
            defer { state.request = next }
            return state.request
        }
        if let last { record(last) }
    }

    /// Records a request that has ended with its response, or is followed by another one.
    private func record(_ request: Request) {
        guard let (response, arrival) = request.response else {
            return record(request, nil, metrics: TransferMetrics(), end: .now)
        }
        record(request, response.head.statusCode, metrics: response.metrics, end: arrival)
    }

    func receive(_ response: TransportResponse, isComplete: Bool) {
        let ended = state.withLock { state in
            state.request?.response = (response, .now)
            return isComplete ? state.request.take() : nil
        }
        if let ended { record(ended) }
    }

    func observe(_ event: Swifty.Event) {
        switch event {
        case .attemptStarted: state.withLock { $0.lastError = "" }
        case .attemptEnded(let attempt): endAttempt(attempt)
        case .retryScheduled: countRetry()
        case .finished(let response): finish(response)
        default: break
        }
    }

    private func endAttempt(_ attempt: LoadMetrics.Attempt) {
        let last = state.withLock { state in
            state.lastError = ErrorType.ofRequest(attempt.errorCode, status: attempt.statusCode) ?? ""
            return state.request.take()
        }
        guard let last else { return }
        record(last, attempt.statusCode, metrics: attempt.metrics, error: attempt.errorCode, end: .now)
    }

    /// - Parameter end: The end of the time that counts. Not that of the transport, which may be another request's: of
    ///   the one that hedging has sent, or of the one whose transfer this one has joined.
    private func record(
        _ request: Request,
        _ status: Int?,
        metrics: TransferMetrics,
        error: SwiftyError.Code? = nil,
        end: ContinuousClock.Instant
    ) {
        request.instruments.active?.decrement()
        let instruments = request.instruments.ofRequests(
            status: status ?? 0,
            version: metrics.httpVersion,
            error: ErrorType.ofRequest(error, status: status) ?? ""
        )
        guard let instruments else { return }
        instruments.duration.recordNanoseconds((end - request.start).nanoseconds)
        if metrics.requestContentBytes > 0 { instruments.requestSize.record(metrics.requestContentBytes) }
        if status != nil { instruments.responseSize.record(metrics.responseContentBytes) }
    }

    private func countRetry() {
        instruments.ofRetries(error: state.withLock(\.lastError))?.increment()
    }

    private func finish(_ response: NetworkResponse) {
        // An attempt without an end, such as of a response that a stored one has replaced.
        if let request = state.withLock({ $0.request.take() }) { record(request) }
        let metrics = response.metrics
        instruments.ofLoads(error: ErrorType.ofLoad(response) ?? "", source: metrics.source)?
            .recordNanoseconds(metrics.total.nanoseconds)
        if metrics.admissionTime > .zero { instruments.ofQueue?.recordNanoseconds(metrics.admissionTime.nanoseconds) }
        for wait in metrics.constraintWaits where wait.duration > .zero {
            instruments.ofConstraint(wait.name)?.recordNanoseconds(wait.duration.nanoseconds)
        }
    }
}

extension Duration {
    /// Whole nanoseconds, within the range of a number.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLarge ? .max : product.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }
}
#endif
