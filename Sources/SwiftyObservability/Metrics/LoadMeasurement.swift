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
        let host: String
        let port: Int
        let active: Meter?
        let start: ContinuousClock.Instant
        var status: Int?
        var metrics = TransferMetrics()
    }

    private struct State {
        var request: Request?
        /// The reason of the last attempt's failure.
        var lastError = ""
    }

    private let kind: RequestKind
    private let instruments: Instruments
    private let state = Mutex(State())

    init(_ draft: RequestDraft, _ instruments: Instruments) {
        kind = RequestKind.of(draft)
        self.instruments = instruments
    }

    func fields(sending request: NetworkRequest) -> HTTPFields {
        var series = Series(.activeRequests, kind)
        (series.host, series.port) = (request.target.host, request.target.port)
        let active = instruments.meter(series)
        active?.increment()
        let next = Request(host: series.host, port: series.port, active: active, start: .now)
        let last = state.withLock { state in
            defer { state.request = next }
            return state.request
        }
        if let last { record(last) }
        return [:]
    }

    func receive(_ head: ResponseHead, metrics: TransferMetrics) {
        state.withLock { state in
            state.request?.status = head.statusCode
            state.request?.metrics = metrics
        }
    }

    func observe(_ event: Swifty.Event) {
        switch event {
        case .attemptEnded(let attempt): endAttempt(attempt)
        case .retryScheduled: countRetry()
        case .finished(let response): finish(response)
        default: break
        }
    }

    private func endAttempt(_ attempt: LoadMetrics.Attempt) {
        let last = state.withLock { state in
            state.lastError = attempt.errorType
            return state.request.take()
        }
        guard var last else { return }
        (last.status, last.metrics) = (attempt.statusCode, attempt.metrics)
        record(last, error: attempt.errorCode?.rawValue)
    }

    private func record(_ request: Request, error: String? = nil) {
        request.active?.decrement()
        var series = Series(.requestDuration, kind)
        (series.host, series.port) = (request.host, request.port)
        series.status = request.status ?? 0
        series.error = error ?? request.status.flatMap { $0 >= 400 ? "\($0)" : nil } ?? ""
        series.version = request.metrics.httpVersion?.rawValue ?? ""
        guard let instruments = instruments.ofRequest(series) else { return }
        let measured = request.metrics.total
        let duration = measured > .zero ? measured : .now - request.start
        instruments.duration.recordNanoseconds(duration.nanoseconds)
        if request.metrics.requestContentBytes > 0 {
            instruments.requestSize.record(request.metrics.requestContentBytes)
        }
        if request.status != nil { instruments.responseSize.record(request.metrics.responseContentBytes) }
    }

    private func countRetry() {
        var series = Series(.retries, kind)
        series.error = state.withLock(\.lastError)
        instruments.counter(series)?.increment()
    }

    private func finish(_ response: NetworkResponse) {
        // An attempt without an end, such as of a response that a stored one has replaced.
        if let request = state.withLock({ $0.request.take() }) { record(request) }
        let metrics = response.metrics
        var series = Series(.loadDuration, kind)
        series.error = response.error?.code.rawValue ?? ""
        series.source = metrics.source.rawValue
        instruments.timer(series)?.recordNanoseconds(metrics.total.nanoseconds)
        if metrics.admissionTime > .zero { record(metrics.admissionTime, in: Series(.queueDuration, kind)) }
        for wait in metrics.constraintWaits where wait.duration > .zero {
            record(wait.duration, in: Series(.constraintDuration, name: wait.name))
        }
    }

    private func record(_ duration: Duration, in series: Series) {
        instruments.timer(series)?.recordNanoseconds(duration.nanoseconds)
    }
}

extension LoadMetrics.Attempt {
    /// `error.type`: the code of the error, or the status of a failed response.
    var errorType: String {
        errorCode?.rawValue ?? statusCode.flatMap { $0 >= 400 ? "\($0)" : nil } ?? ""
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
