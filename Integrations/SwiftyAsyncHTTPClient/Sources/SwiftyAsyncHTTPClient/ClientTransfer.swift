// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import SwiftyTransport
import Synchronization

/// One transfer: a task that drives the client, and the caller that takes what has arrived.
final class ClientTransfer: Sendable {
    enum Ending {
        case complete
        case failed(SwiftyError)
    }

    struct State {
        var driver: Task<Void, Never>?
        var watch: Task<Void, Never>?
        var head: ResponseHead?
        var part: Data?
        var sent = 0
        var received = 0
        var ending: Ending?
        var isRead = false
        var reader: CheckedContinuation<Void, Never>?
        /// The driver, while the last part was not taken.
        var writer: CheckedContinuation<Void, Never>?
        var lastTraffic = ContinuousClock.now
        var duration: Duration?
        var onEnd: [@Sendable () -> Void] = []
    }

    let request: NetworkRequest
    private let content: RequestContent
    private let contentLimit: Int?
    private let isProxied: Bool
    let begin = ContinuousClock.now
    let state = Mutex(State())

    init(_ request: NetworkRequest, contentLimit: Int?, isProxied: Bool) {
        (self.request, self.contentLimit, self.isProxied) = (request, contentLimit, isProxied)
        content = RequestContent(request)
    }

    /// Calls an action once, when the transfer ends; at once if it has.
    func onEnd(_ action: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if state.ending == nil { state.onEnd.append(action) }
            return state.ending != nil
        }
        if hasEnded { action() }
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
            let response = try await client.execute(message(over: client), deadline: .distantFuture)
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

    private func message(over client: HTTPClient) -> HTTPClientRequest {
        let parts = ContentParts(content: content, loop: client.eventLoopGroup.any()) { [weak self] count in
            self?.noteSent(count)
        }
        return HTTPClientRequest(request, parts)
    }

    private func noteSent(_ count: Int) {
        let received = state.withLock { state -> Int? in
            guard count > state.sent else { return nil }
            (state.sent, state.lastTraffic) = (count, .now)
            return state.received
        }
        if let received { request.onEvent?(.progress(sent: count, received: received)) }
    }

    private func receive(_ head: ResponseHead) throws {
        guard head.statusCode != 101 else { throw Self.switching }
        let hasEnded = update { state in
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
        let (sent, received) = update { state in
            state.part = (state.part ?? Data()) + part
            state.received += part.count
            state.lastTraffic = .now
            return (state.sent, state.received)
        }
        if let contentLimit, received > contentLimit { throw Self.tooLarge }
        request.onEvent?(.progress(sent: sent, received: received))
    }

    private static let switching = SwiftyError(
        .malformedResponse,
        stage: .head,
        sent: .maybeSent,
        reason: "the server switches protocols (101), which the request did not ask for"
    )

    private static let tooLarge = SwiftyError(
        .responseTooLarge,
        stage: .content,
        sent: .responded,
        reason: "the content exceeds the limit that TransportSettings.responses.contentLimit sets"
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
                head == nil ? (.firstByte, .maybeSent) : (.content, .responded)
            var error = SwiftyError(code, stage: stage, sent: sent, reason: reason)
            error.timeLimit = limit
            return .failed(error)
        }
    }

    /// What the first end of a transfer ends.
    private struct Rest {
        let driver: Task<Void, Never>?
        let watch: Task<Void, Never>?
        let writer: CheckedContinuation<Void, Never>?
        let actions: [@Sendable () -> Void]
    }

    private func finish(_ ending: (ResponseHead?) -> Ending) {
        let rest = update { state -> Rest? in
            guard state.ending == nil else { return nil }
            (state.ending, state.duration) = (ending(state.head), .now - begin)
            defer { (state.driver, state.watch, state.writer, state.onEnd) = (nil, nil, nil, []) }
            return Rest(driver: state.driver, watch: state.watch, writer: state.writer, actions: state.onEnd)
        }
        guard let rest else { return }
        rest.driver?.cancel()
        rest.watch?.cancel()
        rest.writer?.resume()
        content.end()
        for action in rest.actions { action() }
    }

    /// Updates the state, and wakes the reader.
    private func update<Result>(_ update: (inout State) -> sending Result) -> sending Result {
        let (result, reader) = state.withLock { state in
            let result = update(&state)
            defer { state.reader = nil }
            return (result, state.reader)
        }
        reader?.resume()
        return result
    }

    // MARK: Limits of time

    private func watchTime() {
        let limits = request.timeouts
        guard limits.total != nil || limits.idle != nil || limits.head != nil else { return }
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
            let head = state.head == nil ? limits.head.map { (begin + $0, SwiftyError.TimeLimit.firstByte) } : nil
            return [total, idle, head].compactMap { $0 }.min { $0.0 < $1.0 }
        }
    }

    private func endIfOverdue(_ limits: NetworkRequest.Timeouts) {
        guard let due = nextDeadline(limits), due.instant <= .now else { return }
        fail(.timedOut, "the limit that Timeouts.\(due.limit.rawValue) sets was reached", limit: due.limit)
    }
}

extension NetworkRequest.Timeouts {
    /// The time until the head. AsyncHTTPClient does not tell when the connection is ready.
    fileprivate var head: Duration? { firstByte.map { $0 + (connect ?? .zero) } }
}
