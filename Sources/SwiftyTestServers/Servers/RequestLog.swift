// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

/// The requests that a server has received, in the order of arrival.
///
/// A ``LoopbackServer`` records a request when its content is complete and before it responds, so every request whose
/// response a client has is in the log. A ``ScriptedServer`` records a request when its head is read, and adds the
/// content later. May be used from any thread.
public final class RequestLog: Sendable {
    private let state = Mutex(RequestLogState())

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
        state.withLock { $0.offer(number) }
    }

    /// The next request that was offered and has not been taken yet.
    ///
    /// - Throws: ``TimeoutError`` if none is offered in time, and `CancellationError` if the task is cancelled.
    func takeRequest(timeout: Duration) async throws -> RecordedRequest {
        let taker = RequestLogState.Taker()
        let timer = Task {
            try await Task.sleep(for: timeout)
            taker.resolve(.failure(TimeoutError(timeout: timeout, earlierCount: count)))
        }
        defer {
            timer.cancel()
            state.withLock { $0.takers.removeAll { $0 === taker } }
        }
        return try await withTaskCancellationHandler {
            state.withLock { $0.add(taker) }
            return try await taker.value().get()
        } onCancel: {
            taker.resolve(.failure(CancellationError()))
        }
    }
}

/// The requests, those that can be taken, and the callers that wait for one.
private struct RequestLogState {
    /// A caller of `takeRequest(timeout:)`; one that no longer waits has a result already.
    typealias Taker = Promise<Result<RecordedRequest, any Error>>

    private(set) var requests: [RecordedRequest] = []
    var takers: [Taker] = []
    /// The number of the first of ``requests``: numbers stay valid when the log is cleared.
    private var firstNumber = 0
    /// The numbers of requests that can be taken, in the order in which they were offered.
    private var offered: [Int] = []

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

    /// Gives a request to the first caller that waits, or else to a later one.
    mutating func offer(_ number: Int) {
        guard let request = self[number] else { return }
        while !takers.isEmpty {
            if takers.removeFirst().resolve(.success(request)) { return }
        }
        offered.append(number)
    }

    /// Gives a caller the first request that was offered, or else a later one.
    mutating func add(_ taker: Taker) {
        guard let number = offered.first, let request = self[number] else { return takers.append(taker) }
        if taker.resolve(.success(request)) { offered.removeFirst() }
    }

    mutating func clear() {
        firstNumber += requests.count
        requests = []
        offered = []
    }
}
