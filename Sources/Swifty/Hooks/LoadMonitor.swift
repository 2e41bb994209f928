// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The state of loads while they run, for a view or a log: what a load waits for, its attempts, its progress.
///
///     let monitor = LoadMonitor()
///     let task = server.get("archive").use(monitor).load { outcome in … }
///     print(monitor.state, monitor.received)
///
/// It is a hook of one request. If the request is loaded again, it shows the latest load. May be read from any thread.
public final class LoadMonitor: Swifty.Observer {
    /// What a load does.
    public enum State: Sendable, Hashable {
        /// It has not begun.
        case notStarted
        /// It waits for its constraints.
        case waitingForConstraints
        /// The request is built: hooks run, content is opened.
        case preparing
        /// It waits for admission, or until a pause of the `Swifty` ends.
        case queued
        /// It waits for a connection.
        case connecting
        /// The request is being sent, or the server works on it.
        case sending
        /// The response arrives.
        case receiving
        /// It waits before another attempt.
        case waitingForRetry
        /// It has succeeded.
        case succeeded
        /// It has failed, with an error of this code.
        case failed(SwiftyError.Code)
    }

    fileprivate struct Values {
        var load: UInt64?
        var state = State.notStarted
        var attempts = 0
        var sent = 0
        var received = 0
        var metrics: LoadMetrics?
        var past: [LoadMetrics.Attempt] = []
    }

    private let values = Mutex(Values())

    /// Makes a monitor for the loads of one request.
    public init() {}

    /// What the load does.
    public var state: State { values.withLock { $0.state } }

    /// The number of the current attempt, or of the last one; 0 before the first, and for a mock.
    public var attempts: Int { values.withLock { $0.attempts } }

    /// The attempts that have ended, with their measurements.
    public var endedAttempts: [LoadMetrics.Attempt] { values.withLock { $0.past } }

    /// The number of bytes of the request's content that the current transfer has sent.
    public var sent: Int { values.withLock { $0.sent } }

    /// The number of bytes of the response's content that have arrived in the current transfer, before any decoding.
    public var received: Int { values.withLock { $0.received } }

    /// The measurements of the load; `nil` until it has ended.
    public var metrics: LoadMetrics? { values.withLock { $0.metrics } }

    /// Whether the load has ended.
    public var isFinished: Bool { metrics != nil }

    /// Records an event; called by the `Swifty`.
    public func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        values.withLock { $0.record(event, of: load.id) }
    }
}

extension LoadMonitor.Values {
    fileprivate mutating func record(_ event: Swifty.Event, of load: UInt64) {
        if case .created = event { self = LoadMonitor.Values(load: load) }
        // An event of an earlier load, which comes late.
        guard load == self.load else { return }
        switch event {
        case .created: break
        case .waiting: state = .waitingForConstraints
        case .attemptStarted(let number): beginAttempt(number)
        case .intercepted, .redirected: (state, sent, received) = (.connecting, 0, 0)
        case .queued: state = .queued
        case .transfer(let event): record(event)
        case .attemptEnded(let attempt): past.append(attempt)
        case .retryScheduled: state = .waitingForRetry
        case .finished(let response): end(response)
        case .hookIsSlow, .waitIsLong, .rerouted, .answered: break
        }
    }

    private mutating func beginAttempt(_ number: Int) {
        (attempts, state, sent, received) = (number, .preparing, 0, 0)
    }

    private mutating func record(_ event: TransferEvent) {
        // Of a load that has ended, a transport may still report the last bytes.
        if metrics != nil { return }
        switch event {
        case .connected: state = .sending
        case .responseHead: state = .receiving
        case .progress(let sent, let received): (self.sent, self.received) = (sent, received)
        case .requestSent, .informational, .trailers: break
        }
    }

    private mutating func end(_ response: NetworkResponse) {
        state = response.error.map { .failed($0.code) } ?? .succeeded
        metrics = response.metrics
    }
}
