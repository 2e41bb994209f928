// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The requests that a server has received, in the order of arrival.
///
/// A ``LoopbackServer`` records a request when its body is complete and before it responds, so every request whose
/// response a client has is in the log. A ``ScriptedServer`` records a request when its head is read, and adds the body
/// later. May be used from any thread.
public final class RequestLog: Sendable {
    private let state = Mutex(RequestLogState())

    init() {}

    /// All requests.
    public var requests: [RecordedRequest] { state.withLock { $0.requests } }

    /// The number of requests.
    public var count: Int { state.withLock { $0.requests.count } }

    /// The last request that arrived.
    public var last: RecordedRequest? { state.withLock { $0.requests.last } }

    /// The number of connections that the requests came over.
    public var connectionCount: Int { Set(requests.map(\.connection)).count }

    /// The number of requests to a path, which is compared as it was sent, without the query.
    public func count(path: String) -> Int { requests(path: path).count }

    /// The requests to a path, which is compared as it was sent, without the query.
    public func requests(path: String) -> [RecordedRequest] { requests.filter { $0.path == path } }

    /// Removes all requests, including those that no `takeRequest(timeout:)` has returned yet.
    public func clear() {
        state.withLock { $0.clear() }
    }

    /// Thrown by `takeRequest(timeout:)` of a server when no request arrives in time.
    public struct TimeoutError: Error, CustomStringConvertible {
        /// The time limit that was given.
        public let timeout: Duration
        /// The number of requests in the log, all of which had been taken.
        public let earlierCount: Int

        /// One line with the limit and the count.
        public var description: String { "no request arrived within \(timeout), after \(earlierCount) earlier ones" }
    }
}

extension RequestLog {
    /// Records a request and returns its number.
    func append(_ request: RecordedRequest) -> Int {
        state.withLock { $0.append(request) }
    }

    /// Replaces a request of which more has been read; does nothing if the log was cleared meanwhile.
    func update(_ request: RecordedRequest, number: Int) {
        state.withLock { $0[number] = request }
    }

    /// Makes a request available to ``takeRequest(timeout:)``.
    func offer(_ number: Int) {
        let taker = state.withLock { $0.offer(number) }
        taker?.waiter.resume(.success(taker?.request))
    }

    /// The next request that was offered and has not been taken yet.
    ///
    /// - Throws: ``TimeoutError`` if none is offered in time, and `CancellationError` if the task is cancelled.
    func takeRequest(timeout: Duration) async throws -> RecordedRequest {
        let number = state.withLock { $0.makeWaiterNumber() }
        let request = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(RequestLogState.Waiter(number: number, continuation: continuation, timer: timer(number, timeout)))
            }
        } onCancel: {
            end(number, CancellationError())
        }
        guard let request else { throw TimeoutError(timeout: timeout, earlierCount: count) }
        return request
    }

    private func wait(_ waiter: RequestLogState.Waiter) {
        let outcome = state.withLock { state -> Result<RecordedRequest?, any Error>? in
            if Task.isCancelled { return .failure(CancellationError()) }
            if let request = state.takeOffered() { return .success(request) }
            state.waiters.append(waiter)
            return nil
        }
        if let outcome { waiter.resume(outcome) }
    }

    private func timer(_ number: Int, _ timeout: Duration) -> Task<Void, Never> {
        Task {
            // Repeated if it ends before the waiter is registered.
            while (try? await Task.sleep(for: timeout)) != nil, !Task.isCancelled { end(number, nil) }
        }
    }

    /// Resumes a waiter with an error; `nil` means that its time is up.
    private func end(_ number: Int, _ error: (any Error)?) {
        let waiter = state.withLock { $0.removeWaiter(number) }
        waiter?.resume(error.map { .failure($0) } ?? .success(nil))
    }
}

/// The requests, those that can be taken, and the callers that wait for one.
private struct RequestLogState {
    /// A caller of `takeRequest(timeout:)`.
    struct Waiter {
        let number: Int
        /// Resumed with `nil` when the time is up.
        let continuation: CheckedContinuation<RecordedRequest?, any Error>
        let timer: Task<Void, Never>

        func resume(_ outcome: Result<RecordedRequest?, any Error>) {
            timer.cancel()
            continuation.resume(with: outcome)
        }
    }

    private(set) var requests: [RecordedRequest] = []
    var waiters: [Waiter] = []
    /// The number of the first of ``requests``: numbers stay valid when the log is cleared.
    private var firstNumber = 0
    /// The numbers of requests that can be taken, in the order in which they were offered.
    private var offered: [Int] = []
    private var lastWaiter = 0

    mutating func append(_ request: RecordedRequest) -> Int {
        requests.append(request)
        return firstNumber + requests.count - 1
    }

    subscript(number: Int) -> RecordedRequest? {
        get { number < firstNumber ? nil : requests[number - firstNumber] }
        set {
            if let newValue, number >= firstNumber { requests[number - firstNumber] = newValue }
        }
    }

    /// The waiter that gets the request; `nil` if none waits.
    mutating func offer(_ number: Int) -> (waiter: Waiter, request: RecordedRequest)? {
        guard let request = self[number] else { return nil }
        if waiters.isEmpty {
            offered.append(number)
            return nil
        }
        return (waiters.removeFirst(), request)
    }

    mutating func takeOffered() -> RecordedRequest? {
        offered.isEmpty ? nil : self[offered.removeFirst()]
    }

    mutating func makeWaiterNumber() -> Int {
        lastWaiter += 1
        return lastWaiter
    }

    mutating func removeWaiter(_ number: Int) -> Waiter? {
        waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0) }
    }

    mutating func clear() {
        firstNumber += requests.count
        requests = []
        offered = []
    }
}
