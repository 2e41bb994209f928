// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

import struct Foundation.Data

/// One exchange with a mock in place of a server: waits for the latency, and delivers the response with the events of a
/// transfer, within the time limits of the request.
package struct MockExchange: Sendable {
    private let mock: MockResponse
    private let timeouts: NetworkRequest.Timeouts
    private let clock: any Clock<Duration>
    private let onEvent: TransferEvent.Handler?
    /// The number of bytes of content that the request has.
    private let sentBytes: Int
    private let isHead: Bool
    /// The time since the beginning, including while the content is not read.
    fileprivate let time: LoadClock

    /// - Parameters:
    ///   - mock: The answer.
    ///   - timeouts: The limits; that for connections does not apply.
    ///   - isHead: Whether the request is a HEAD, whose response has no content.
    ///   - clock: The clock of latency, rate and limits.
    package init(
        _ mock: MockResponse,
        timeouts: NetworkRequest.Timeouts,
        isHead: Bool,
        clock: any Clock<Duration>
    ) {
        (self.mock, self.timeouts, self.clock) = (mock, timeouts, clock)
        (onEvent, sentBytes, self.isHead) = (nil, 0, isHead)
        time = LoadClock(clock)
    }

    /// An exchange for a request whose content was already read.
    package init(_ mock: MockResponse, to request: NetworkRequest, clock: any Clock<Duration>) {
        (self.mock, self.clock) = (mock, clock)
        (timeouts, onEvent, isHead) = (request.timeouts, request.onEvent, request.method == .head)
        sentBytes = request.content.data?.count ?? 0
        time = LoadClock(clock)
    }

    /// Waits until the response begins.
    ///
    /// - Throws: The mocked failure, ``SwiftyError/Code/timedOut``, or the code of the cancellation.
    package func begin(_ cancellation: LoadCancellation) async throws(SwiftyError) -> StreamedResponse {
        if sentBytes > 0 { onEvent?(.progress(sent: sentBytes, received: 0)) }
        onEvent?(.requestSent)
        let limits = [
            (timeouts.total, SwiftyError.TimeLimit.total), (timeouts.firstByte, .firstByte), (timeouts.idle, .idle),
        ]
        try await wait(mock.latency, within: limits, stage: .firstByte, cancellation: cancellation)
        switch mock.outcome {
        case .failure(let error): throw error
        case .response(let head, let content):
            if let cut = mock.cut, cut >= content.count, !isHead {
                throw .mockUnavailable("a mock ends after \(cut) bytes of a content that has only \(content.count)")
            }
            onEvent?(.responseHead(statusCode: head.statusCode, contentLength: content.count))
            let body = MockedContent(
                isHead ? Data() : content,
                of: self,
                mock: mock,
                head: head,
                cancellation: cancellation
            )
            return StreamedResponse(head: head, content: body)
        }
    }

    fileprivate func report(received: Int) {
        onEvent?(.progress(sent: sentBytes, received: received))
    }

    /// Waits, at most until the first of the limits. The time counts towards the total limit of what follows.
    fileprivate func wait(
        _ duration: Duration,
        within limits: [(Duration?, SwiftyError.TimeLimit)],
        stage: SwiftyError.Stage,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) {
        let sent: SwiftyError.SentState = stage == .content ? .responded : .maybeSent
        let first = limits.compactMap { limit in limit.0.map { ($0, limit.1) } }.min { $0.0 < $1.0 }
        let end = min(duration, first?.0 ?? duration)
        if end > .zero { await sleep(end, until: cancellation) }
        if let code = cancellation.code {
            throw SwiftyError(code, stage: stage, sent: sent, reason: cancellation.reason ?? code.cancellationReason)
        }
        if let first, first.0 < duration {
            var error = SwiftyError(
                .timedOut,
                stage: stage,
                sent: sent,
                reason: "the mock takes longer than \(first.0)"
            )
            error.timeLimit = first.1
            throw error
        }
    }

    private func sleep(_ duration: Duration, until cancellation: LoadCancellation) async {
        let task = Task { [clock] in try? await clock.sleep(for: duration) }
        let registration = cancellation.onCancel { _ in task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        cancellation.remove(registration)
    }

    /// The limits while the content arrives.
    fileprivate var contentLimits: [(Duration?, SwiftyError.TimeLimit)] {
        [(timeouts.total.map { $0 - time.now() }, .total), (timeouts.idle, .idle)]
    }
}

/// The content of a mocked response: all at once, or at a rate, and whole or cut off.
private final class MockedContent: StreamedContent {
    private struct State {
        var rest: Data
        var received = 0
        /// The time since the beginning of the exchange, on its clock.
        var time: Duration
        var failure: SwiftyError?
    }

    private let exchange: MockExchange
    private let mock: MockResponse
    private let head: ResponseHead
    private let cancellation: LoadCancellation
    private let length: Int
    private let state: Mutex<State>

    init(
        _ content: Data,
        of exchange: MockExchange,
        mock: MockResponse,
        head: ResponseHead,
        cancellation: LoadCancellation
    ) {
        (self.exchange, self.mock, self.head, self.cancellation) = (exchange, mock, head, cancellation)
        length = content.count
        state = Mutex(State(rest: content.prefix(mock.cut ?? content.count), time: mock.latency))
    }

    var trailers: HTTPFields { [:] }

    var metrics: TransferMetrics {
        let (received, time) = state.withLock { ($0.received, $0.time) }
        var metrics = TransferMetrics()
        metrics.firstByte = mock.latency
        metrics.receive = time - mock.latency
        metrics.total = time
        metrics.responseContentBytes = received
        metrics.httpVersion = head.httpVersion
        metrics.isCompletenessProven = true
        return metrics
    }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        let (part, failure) = state.withLock { state in (state.rest, state.failure) }
        if let failure { throw failure }
        do throws(SwiftyError) {
            if part.isEmpty {
                guard let cut = mock.cut, cut < length else { return nil }
                let reason = "the mock ends the connection after \(cut) of \(length) bytes"
                throw SwiftyError(.connectionLost, stage: .content, sent: .responded, reason: reason)
            }
            return try await receive(part)
        } catch {
            let error = error.withResponse(head, content: nil)
            state.withLock { $0.failure = error }
            throw error
        }
    }

    /// Waits for the next part: everything, or what arrives in a tenth of a second.
    private nonisolated(nonsending) func receive(_ rest: Data) async throws(SwiftyError) -> Data {
        var (part, duration) = (rest, Duration.zero)
        if let rate = mock.bytesPerSecond {
            part = rest.prefix(max(1, rate / 10))
            duration = .seconds(Double(part.count) / Double(rate))
        }
        try await exchange.wait(duration, within: exchange.contentLimits, stage: .content, cancellation: cancellation)
        let received = state.withLock { state in
            state.rest = state.rest.dropFirst(part.count)
            state.received += part.count
            state.time += duration
            return state.received
        }
        exchange.report(received: received)
        return part
    }

    func cancel() {
        state.withLock { state in
            if state.failure != nil || state.received == length { return }
            let reason = "the content was not read to its end"
            state.failure = SwiftyError(.cancelled, stage: .content, sent: .responded, reason: reason)
        }
    }
}
