// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One transfer: what its task has reported, and the caller that waits for it.
final class URLSessionTransfer: Sendable {
    private enum Ending {
        case complete
        case failed(SwiftyError)
    }

    private struct State {
        var task: URLSessionTask?
        var head: ResponseHead?
        var parts: [Data] = []
        var received = 0
        var sent = 0
        var ending: Ending?
        var waiter: CheckedContinuation<Void, Never>?
        var isRead = false
        var lastTraffic = ContinuousClock.now
        var duration: Duration?
        var onEnd: (@Sendable () -> Void)?
        var watch: Task<Void, Never>?
    }

    private let request: NetworkRequest
    private let contentLimit: Int?
    private let fieldCountLimit: Int
    private let begin = ContinuousClock.now
    private let state = Mutex(State())

    init(_ request: NetworkRequest, contentLimit: Int?, _ fieldCountLimit: Int) {
        self.request = request
        self.contentLimit = contentLimit
        self.fieldCountLimit = fieldCountLimit
    }

    /// Called once when the transfer ends.
    func onEnd(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onEnd = action }
    }

    func start(_ task: URLSessionTask) {
        let hasEnded = state.withLock { state in
            state.task = task
            return state.ending != nil
        }
        if hasEnded { return task.cancel() }
        watchTime()
        task.resume()
    }

    // MARK: What the session reports

    /// Notes the head; `false` if the response is refused.
    func receive(_ response: URLResponse) -> Bool {
        guard let response = response as? HTTPURLResponse else {
            fail(.malformedResponse, "the response is not one of HTTP")
            return false
        }
        // Informational ones come as if they were the response, and the response follows.
        if (100...199).contains(response.statusCode), response.statusCode != 101 { return true }
        guard (200...999).contains(response.statusCode) else {
            fail(.malformedResponse, "the status \(response.statusCode) ends no request")
            return false
        }
        guard let head = ResponseHead(response, fieldCountLimit: fieldCountLimit) else {
            fail(.responseTooLarge, "the fields exceed the limit that TransportSettings.responses.fieldCountLimit sets")
            return false
        }
        if let contentLimit, request.method != .head, response.expectedContentLength > contentLimit {
            note(head)
            failTooLarge()
            return false
        }
        note(head)
        let length = response.expectedContentLength
        request.onEvent?(
            .responseHead(statusCode: head.statusCode, contentLength: length < 0 ? nil : Int(clamping: length))
        )
        return true
    }

    private func note(_ head: ResponseHead) {
        wake { state in
            state.head = head
            state.lastTraffic = .now
        }
    }

    func receive(_ data: Data) {
        guard !data.isEmpty else { return }
        let (sent, received) = wake { state in
            guard state.ending == nil else { return (state.sent, 0) }
            state.parts.append(data)
            state.received += data.count
            state.lastTraffic = .now
            return (state.sent, state.received)
        }
        if let contentLimit, received > contentLimit { return failTooLarge() }
        if received > 0 { request.onEvent?(.progress(sent: sent, received: received)) }
    }

    func noteSent(_ count: Int) {
        let received = state.withLock { state in
            (state.sent, state.lastTraffic) = (count, .now)
            return state.received
        }
        request.onEvent?(.progress(sent: count, received: received))
    }

    /// The end that the session reports. An earlier one counts.
    func end(_ error: (any Error)?) {
        guard let error else { return finish { $0 == nil ? .failed(Self.noResponse) : .complete } }
        finish { .failed(SwiftyError(urlError: error, hasHead: $0 != nil)) }
    }

    private static let noResponse = SwiftyError(
        .connectionLost,
        stage: .firstByte,
        sent: .maybeSent,
        reason: "the task ended without a response"
    )

    // MARK: Early ends

    /// Ends the transfer with the code of a cancellation.
    func cancel(with code: SwiftyError.Code) {
        fail(code, "the transfer was ended early")
    }

    private func failTooLarge() {
        fail(.responseTooLarge, "the content exceeds the limit that TransportSettings.responses.bodyLimit sets")
    }

    private func fail(_ code: SwiftyError.Code, _ reason: String, limit: SwiftyError.TimeLimit? = nil) {
        finish { head in
            let (stage, sent): (SwiftyError.Stage, SwiftyError.SentState) =
                head == nil ? (.firstByte, .maybeSent) : (.body, .responded)
            var error = SwiftyError(code, stage: stage, sent: sent, reason: reason)
            error.timeLimit = limit
            return .failed(error)
        }
    }

    private func finish(_ ending: (ResponseHead?) -> Ending) {
        let (task, action) = wake { state -> (URLSessionTask?, (@Sendable () -> Void)?) in
            guard state.ending == nil else { return (nil, nil) }
            state.ending = ending(state.head)
            state.duration = .now - begin
            state.watch?.cancel()
            defer { (state.task, state.watch, state.onEnd) = (nil, nil, nil) }
            return (state.task, state.onEnd)
        }
        // Without effect if the task itself reported the end.
        task?.cancel()
        action?()
    }

    @discardableResult
    private func wake<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        let (result, waiter) = state.withLock { state in
            let result = change(&state)
            defer { state.waiter = nil }
            return (result, state.waiter)
        }
        waiter?.resume()
        return result
    }

    // MARK: Limits of time

    private func watchTime() {
        let limits = request.timeouts
        guard limits.total != nil || limits.idle != nil else { return }
        let watch = Task { [weak self] in
            while let due = self?.nextDeadline(limits), !Task.isCancelled {
                try? await Task.sleep(until: due.instant, clock: .continuous)
                self?.endIfOverdue(limits)
            }
        }
        let hasEnded = state.withLock { state in
            if state.ending == nil { state.watch = watch }
            return state.ending != nil
        }
        if hasEnded { watch.cancel() }
    }

    private func nextDeadline(
        _ limits: NetworkRequest.Timeouts
    ) -> (instant: ContinuousClock.Instant, limit: SwiftyError.TimeLimit)? {
        state.withLock { state in
            guard state.ending == nil else { return nil }
            let total = limits.total.map { (begin + $0, SwiftyError.TimeLimit.total) }
            let idle = limits.idle.map { (state.lastTraffic + $0, SwiftyError.TimeLimit.idle) }
            return [total, idle].compactMap { $0 }.min { $0.0 < $1.0 }
        }
    }

    private func endIfOverdue(_ limits: NetworkRequest.Timeouts) {
        guard let due = nextDeadline(limits), due.instant <= .now else { return }
        fail(.timedOut, "the limit that Timeouts.\(due.limit.rawValue) sets was reached", limit: due.limit)
    }

    // MARK: The caller

    /// What a caller gets next.
    private enum Step {
        case head(ResponseHead)
        case part(Data)
        case end
        case failure(SwiftyError)
    }

    /// Waits for the head.
    func head() async throws(SwiftyError) -> ResponseHead {
        while true {
            let step = state.withLock { state -> Step? in
                if let head = state.head { return .head(head) }
                if case .failed(let error) = state.ending { return .failure(error) }
                return nil
            }
            switch step {
            case .head(let head): return head
            case .failure(let error): throw complete(error)
            default: await change { $0.head == nil && $0.ending == nil }
            }
        }
    }

    /// Waits for the next bytes; `nil` at the end.
    func next() async throws(SwiftyError) -> Data? {
        let isBusy = state.withLock { state in
            defer { state.isRead = true }
            return state.isRead
        }
        if isBusy {
            throw SwiftyError(.transportFailed, stage: .body, reason: "another task is reading this content")
        }
        defer { state.withLock { $0.isRead = false } }
        while true {
            switch nextStep() {
            case .part(let data): return data
            case .end: return nil
            case .failure(let error): throw complete(error)
            default: await change { $0.parts.isEmpty && $0.ending == nil }
            }
        }
    }

    private func nextStep() -> Step? {
        state.withLock { state in
            if case .failed(let error) = state.ending, error.code != .connectionLost { return .failure(error) }
            if !state.parts.isEmpty { return .part(state.parts.removeFirst()) }
            switch state.ending {
            case .complete: return .end
            case .failed(let error): return .failure(error)
            case nil: return nil
            }
        }
    }

    /// Waits until a condition no longer holds, or something else has changed.
    private func change(while isWaiting: @Sendable (borrowing State) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNeeded = state.withLock { state in
                    guard isWaiting(state) else { return false }
                    state.waiter = continuation
                    return true
                }
                if !isNeeded { continuation.resume() }
            }
        } onCancel: {
            cancel(with: .cancelled)
        }
    }

    /// Reads to the end. An error has what arrived.
    func collect() async throws(SwiftyError) -> Data {
        var bytes = Data()
        do throws(SwiftyError) {
            while let part = try await next() { bytes += part }
            return bytes
        } catch {
            var error = error
            error.body = bytes + state.withLock { $0.parts.reduce(Data(), +) }
            throw error
        }
    }

    private func complete(_ error: SwiftyError) -> SwiftyError {
        var error = error
        error.request = NetworkRequest.Summary(request)
        error.head = state.withLock { $0.head }
        error.transfer = metrics
        return error
    }

    /// The little that `URLSession` tells.
    var metrics: TransferMetrics {
        state.withLock { state in
            var metrics = TransferMetrics()
            metrics.total = state.duration ?? (.now - begin)
            metrics.requestBodyBytes = state.sent
            metrics.responseBodyBytes = state.received
            return metrics
        }
    }
}

/// The content of a streamed response. Releasing it ends the transfer.
final class URLSessionContent: StreamedContent {
    private let transfer: URLSessionTransfer
    private let cancellation: LoadCancellation

    init(_ transfer: URLSessionTransfer, _ cancellation: LoadCancellation) {
        self.transfer = transfer
        self.cancellation = cancellation
    }

    deinit {
        cancellation.onCancel(nil)
        transfer.cancel(with: .cancelled)
    }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        try await transfer.next()
    }

    func cancel() {
        transfer.cancel(with: .cancelled)
    }

    /// `URLSession` drops them.
    var trailers: HTTPFields { [:] }

    var metrics: TransferMetrics { transfer.metrics }
}
