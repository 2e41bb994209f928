// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import SwiftyTransport
import Synchronization

/// One transfer: a task that drives the client, and the caller that takes what has arrived.
final class ClientTransfer: Sendable {
    private enum Ending {
        case complete
        case failed(SwiftyError)
    }

    private struct State {
        var driver: Task<Void, Never>?
        var watch: Task<Void, Never>?
        var head: ResponseHead?
        var part: Data?
        var received = 0
        var ending: Ending?
        var isRead = false
        var reader: CheckedContinuation<Void, Never>?
        /// The driver, while the last part was not taken.
        var writer: CheckedContinuation<Void, Never>?
        var lastTraffic = ContinuousClock.now
        var duration: Duration?
        var onEnd: (@Sendable () -> Void)?
    }

    private let request: NetworkRequest
    private let contentLimit: Int?
    private let isProxied: Bool
    private let begin = ContinuousClock.now
    private let state = Mutex(State())

    init(_ request: NetworkRequest, contentLimit: Int?, isProxied: Bool) {
        (self.request, self.contentLimit, self.isProxied) = (request, contentLimit, isProxied)
    }

    /// Called once when the transfer ends.
    func onEnd(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onEnd = action }
    }

    // MARK: The driver

    func start(over client: HTTPClient) {
        let driver = Task { await drive(client) }
        let hasEnded = state.withLock { state in
            if state.ending == nil { state.driver = driver }
            return state.ending != nil
        }
        if hasEnded { driver.cancel() } else { watchTime() }
    }

    private func drive(_ client: HTTPClient) async {
        do {
            let response = try await client.execute(HTTPClientRequest(request), deadline: .distantFuture)
            try receive(ResponseHead(response))
            for try await buffer in response.body {
                try receive(Data(buffer.readableBytesView))
                await waitForReader()
                try Task.checkCancellation()
            }
            finish { _ in .complete }
        } catch {
            let isProxied = isProxied
            finish { .failed(SwiftyError(clientError: error, hasHead: $0 != nil, isProxied: isProxied)) }
        }
    }

    private func receive(_ head: ResponseHead) throws {
        guard head.statusCode != 101 else { throw Self.switching }
        let hasEnded = change { state in
            (state.head, state.lastTraffic) = (head, .now)
            return state.ending != nil
        }
        if hasEnded { throw CancellationError() }
        let length = head.headers[.contentLength].flatMap { Int($0) }
        request.onEvent?(.responseHead(statusCode: head.statusCode, contentLength: length))
        if let contentLimit, let length, request.method != .head, length > contentLimit { throw Self.tooLarge }
    }

    private func receive(_ part: Data) throws {
        guard !part.isEmpty else { return }
        let received = change { state in
            state.part = (state.part ?? Data()) + part
            state.received += part.count
            state.lastTraffic = .now
            return state.received
        }
        if let contentLimit, received > contentLimit { throw Self.tooLarge }
        request.onEvent?(.progress(sent: 0, received: received))
    }

    private static let switching = SwiftyError(
        .malformedResponse,
        stage: .head,
        sent: .maybeSent,
        reason: "the server switches protocols (101), which the request did not ask for"
    )

    private static let tooLarge = SwiftyError(
        .responseTooLarge,
        stage: .body,
        sent: .responded,
        reason: "the content exceeds the limit that TransportSettings.responses.bodyLimit sets"
    )

    private func waitForReader() async {
        await withCheckedContinuation { continuation in
            let isNeeded = state.withLock { state in
                guard state.part != nil, state.ending == nil else { return false }
                state.writer = continuation
                return true
            }
            if !isNeeded { continuation.resume() }
        }
    }

    // MARK: The end

    /// Ends the transfer with the code of a cancellation.
    func cancel(with code: SwiftyError.Code) {
        fail(code, "the transfer was ended early")
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
        let (driver, writer, action) = change { state in
            guard state.ending == nil else {
                return (Task<Void, Never>?.none, CheckedContinuation<Void, Never>?.none, (@Sendable () -> Void)?.none)
            }
            (state.ending, state.duration) = (ending(state.head), .now - begin)
            state.watch?.cancel()
            defer { (state.driver, state.watch, state.writer, state.onEnd) = (nil, nil, nil, nil) }
            return (state.driver, state.writer, state.onEnd)
        }
        driver?.cancel()
        writer?.resume()
        guard let action else { return }
        request.contentSource?.cancel()
        action()
    }

    /// Changes the state, and wakes the reader.
    private func change<Result>(_ change: (inout State) -> sending Result) -> sending Result {
        let (result, reader) = state.withLock { state in
            let result = change(&state)
            defer { state.reader = nil }
            return (result, state.reader)
        }
        reader?.resume()
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
            // While the reader is waited for, the server is not silent.
            if state.writer != nil { state.lastTraffic = .now }
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

    /// Waits for the head.
    func head() async throws(SwiftyError) -> ResponseHead {
        while true {
            let (head, error) = state.withLock { state -> (ResponseHead?, SwiftyError?) in
                if case .failed(let error) = state.ending { return (nil, error) }
                return (state.head, nil)
            }
            if let error { throw complete(error) }
            if let head { return head }
            await wait { $0.head == nil && $0.ending == nil }
        }
    }

    /// What a reader gets next.
    private enum Step {
        case part(Data, CheckedContinuation<Void, Never>?)
        case end
        case failure(SwiftyError)
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
            case .part(let part, let writer):
                writer?.resume()
                return part
            case .end: return nil
            case .failure(let error): throw complete(error)
            case nil: await wait { $0.part == nil && $0.ending == nil }
            }
        }
    }

    private func nextStep() -> Step? {
        state.withLock { state in
            if case .failed(let error) = state.ending, error.code != .connectionLost { return .failure(error) }
            if let part = state.part {
                defer { (state.part, state.writer, state.lastTraffic) = (nil, nil, .now) }
                return .part(part, state.writer)
            }
            switch state.ending {
            case .complete: return .end
            case .failed(let error): return .failure(error)
            case nil: return nil
            }
        }
    }

    private func wait(while isWaiting: @Sendable (borrowing State) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNeeded = state.withLock { state in
                    guard isWaiting(state) else { return false }
                    state.reader = continuation
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
            error.body = bytes + state.withLock { $0.part ?? Data() }
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

    /// The little that the client tells.
    var metrics: TransferMetrics {
        state.withLock { state in
            var metrics = TransferMetrics()
            metrics.total = state.duration ?? (.now - begin)
            metrics.responseBodyBytes = state.received
            metrics.httpVersion = state.head?.httpVersion
            return metrics
        }
    }
}

/// The content of a streamed response. Releasing it ends the transfer.
final class ClientContent: StreamedContent {
    private let transfer: ClientTransfer
    private let cancellation: LoadCancellation

    init(_ transfer: ClientTransfer, _ cancellation: LoadCancellation) {
        (self.transfer, self.cancellation) = (transfer, cancellation)
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

    /// AsyncHTTPClient does not pass them on.
    var trailers: HTTPFields { [:] }

    var metrics: TransferMetrics { transfer.metrics }
}
