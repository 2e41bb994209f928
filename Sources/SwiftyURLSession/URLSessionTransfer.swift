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
    enum Ending {
        case complete
        case failed(SwiftyError)
    }

    struct State {
        /// The task that reads the content of the request, and whether it still does.
        var collecting: Task<Void, Never>?
        var isCollecting = false
        /// `nil` until the request is sent.
        var task: URLSessionTask?
        var head: ResponseHead?
        var parts: [Data] = []
        var received = 0
        var sent = 0
        var ending: Ending?
        var waiter: CheckedContinuation<Void, Never>?
        var isRead = false
        var started = ContinuousClock.now
        var lastTraffic = ContinuousClock.now
        var duration: Duration?
        /// What the session has measured; `nil` until it tells.
        var measured: MeasuredTransaction?
        var onEnd: [@Sendable () -> Void] = []
        var watch: Task<Void, Never>?
    }

    let request: NetworkRequest
    private let contentLimit: Int?
    private let fieldCountLimit: Int
    let begin = ContinuousClock.now
    let state = Mutex(State())

    init(_ request: NetworkRequest, contentLimit: Int?, _ fieldCountLimit: Int) {
        self.request = request
        self.contentLimit = contentLimit
        self.fieldCountLimit = fieldCountLimit
    }

    /// Calls an action once, when the transfer ends; immediately if it has.
    func onEnd(_ action: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if state.ending == nil { state.onEnd.append(action) }
            return state.ending != nil
        }
        if hasEnded { action() }
    }

    // MARK: The start

    /// Starts the transfer over a session of the pool, once its content is in memory.
    func start(_ urlRequest: URLRequest, over sessions: SessionPool, isAlone: Bool) {
        watchTime()
        guard case .source(let source) = request.content else {
            return sessions.start(self, urlRequest, isAlone: isAlone)
        }
        guard beginCollecting() else { return source.cancel() }
        // In a separate task, so that an early end need not wait for the source.
        let collecting = Task {
            guard let content = await collectContent() else { return }
            var complete = urlRequest
            complete.httpBody = content
            sessions.start(self, complete, isAlone: isAlone)
        }
        let hasEnded = state.withLock { state in
            if state.ending == nil { state.collecting = collecting }
            return state.ending != nil
        }
        if hasEnded { collecting.cancel() }
    }

    /// `false` if the transfer has ended.
    private func beginCollecting() -> Bool {
        state.withLock { state in
            state.isCollecting = state.ending == nil
            return state.isCollecting
        }
    }

    /// Reads the content of the source; `nil` if it fails, which ends the transfer.
    private func collectContent() async -> Data? {
        do throws(SwiftyError) {
            let complete = try await request.collectingContent()
            state.withLock { $0.isCollecting = false }
            return complete.content.data
        } catch {
            state.withLock { $0.isCollecting = false }
            // The rest of the error describes another transfer.
            finish { _ in
                .failed(SwiftyError(error.code, stage: .send, reason: error.reason, underlying: error.underlying))
            }
            return nil
        }
    }

    func start(_ task: URLSessionTask) {
        let hasEnded = state.withLock { state in
            (state.task, state.started, state.lastTraffic) = (task, .now, .now)
            return state.ending != nil
        }
        if hasEnded { task.cancel() } else { task.resume() }
    }

    // MARK: What the session reports

    /// Records the head; `false` if the response is refused.
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
        wake { state in
            state.head = head
            state.lastTraffic = .now
        }
        let length = response.expectedContentLength
        if let contentLimit, request.method != .head, length > contentLimit {
            failTooLarge()
            return false
        }
        request.onEvent?(
            .responseHead(statusCode: head.statusCode, contentLength: length < 0 ? nil : Int(clamping: length))
        )
        return true
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

    func note(_ measured: MeasuredTransaction) {
        state.withLock { $0.measured = measured }
    }

    /// Ends the transfer as the session reports. An earlier end counts.
    func end(_ error: (any Error)?, _ response: URLResponse? = nil) {
        if let error { return finish { .failed(SwiftyError(urlError: error, hasHead: $0.head != nil)) } }
        if let response = response as? HTTPURLResponse { receiveLate(response) }
        finish { $0.head == nil ? .failed(Self.noResponse) : .complete }
    }

    /// Receives the response of a task that has ended without reporting it.
    ///
    /// FoundationNetworking does so with a redirect that it does not understand, and drops the content.
    private func receiveLate(_ response: HTTPURLResponse) {
        guard state.withLock({ $0.head == nil && $0.ending == nil }), receive(response) else { return }
        if request.method != .head, response.expectedContentLength != 0 {
            fail(.transportFailed, "URLSession drops the content of a redirect without a usable Location")
        }
    }

    private static let noResponse = SwiftyError(
        .connectionLost,
        stage: .firstByte,
        sent: .maybeSent,
        reason: "the task ended without a response"
    )

    // MARK: Early ends

    func cancel(with code: SwiftyError.Code) {
        fail(code, "the transfer was ended early")
    }

    private func failTooLarge() {
        fail(.responseTooLarge, "the content exceeds the limit that TransportSettings.responses.contentLimit sets")
    }

    func fail(_ code: SwiftyError.Code, _ reason: String, limit: SwiftyError.TimeLimit? = nil) {
        finish { state in
            let (stage, sent) = Self.position(of: state)
            var error = SwiftyError(code, stage: stage, sent: sent, reason: reason)
            error.timeLimit = limit
            return .failed(error)
        }
    }

    private static func position(of state: State) -> (SwiftyError.Stage, SwiftyError.SentState) {
        if state.head != nil { return (.content, .responded) }
        return state.task == nil ? (.send, .notSent) : (.firstByte, .maybeSent)
    }

    /// Ends the transfer, unless it has ended.
    private func finish(_ ending: (State) -> Ending) {
        let last = wake { state -> State? in
            guard state.ending == nil else { return nil }
            let last = state
            (state.ending, state.duration) = (ending(last), .now - begin)
            (state.task, state.collecting, state.watch, state.onEnd) = (nil, nil, nil, [])
            return last
        }
        guard let last else { return }
        // Without effect if the task itself reported the end.
        last.task?.cancel()
        last.collecting?.cancel()
        if last.isCollecting { request.content.source?.cancel() }
        last.watch?.cancel()
        for action in last.onEnd { action() }
    }

    /// Changes the state, and wakes the caller.
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
}
