// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The time that a task has been left by its own caller, such as the client of a service.
///
/// It is a task-local value: child tasks and `Task { … }` have it, other queues and `Task.detached` do not. Work that
/// several loads share, such as the flight of a constraint or the refresh of a token, is not held to the deadline of
/// one of them; a load waits for it no longer than its own deadline.
public struct CallerDeadline: Sendable {
    @TaskLocal package static var current: CallerDeadline?

    private let time: Duration
    private let clock: LoadClock
    /// The time between the call of `withDeadline` and the deadline.
    package let limit: Duration

    fileprivate init(after limit: Duration, _ clock: some Clock<Duration>) {
        self.clock = LoadClock(clock)
        // Some clocks trap on longer times, in both directions.
        self.limit = max(min(limit, LoadClock.longest), .zero - LoadClock.longest)
        time = self.clock.now() + self.limit
    }

    package var remaining: Duration { time - clock.now() }

    /// The time that is left for the current task, zero or less after its deadline; `nil` without a deadline.
    public static var remaining: Duration? { current?.remaining }

    /// The part of a pause that ends by the deadline of the current task.
    package static func limited(_ pause: Duration) -> Duration {
        remaining.map { max(.zero, min(pause, $0)) } ?? pause
    }

    /// Ends work of several loads: none of them could be sent after the deadline of the current task.
    ///
    /// - Parameter work: Its name, for the error.
    /// - Throws: ``SwiftyError/Code/timedOut``, if the deadline is reached.
    package static func check(_ work: String) throws(SwiftyError) {
        guard let current, current.remaining <= .zero else { return }
        let reason = "\(work) has not ended within \(current.limit), \(Setting.deadline.limit)"
        var error = SwiftyError(.timedOut, stage: .queue, reason: reason)
        error.timeLimit = .deadline
        throw error
    }

    /// Runs an operation that the deadline of the current task does not hold for, since others also wait for it.
    package static func removed<Value>(_ operation: () throws -> Value) rethrows -> Value {
        try $current.withValue(nil, operation: operation)
    }
}

/// Runs an operation whose loads end at a deadline, whatever their own time limits say: the earlier one counts.
///
///     let stock = try await withDeadline(.milliseconds(800)) { try await Inventory.stock(of: id).load() }
///
/// A load that has not ended then fails with ``SwiftyError/Code/timedOut`` and the time limit
/// ``SwiftyError/TimeLimit/deadline``; one that begins later fails before anything is sent. The deadline holds for
/// waits, constraints, retries, streams and mocks, but does not end the operation itself. Of nested deadlines the
/// earliest counts. `Swifty.Configuration.deadlineField` sends the time that is left to the server.
///
/// - Parameters:
///   - limit: The time from now on, which may be zero or less; `nil` removes the deadline, for work that is to outlast
///     the request that began it.
///   - clock: The clock that measures it. For tests.
///   - operation: The operation.
/// - Returns: The result of the operation.
/// - Throws: The error of the operation.
public nonisolated(nonsending) func withDeadline<Value>(
    _ limit: Duration?,
    clock: some Clock<Duration> = .continuous,
    operation: nonisolated(nonsending) () async throws -> Value
) async rethrows -> Value {
    let outer = CallerDeadline.current
    guard let limit else { return try await CallerDeadline.$current.withValue(nil, operation: operation) }
    let own = CallerDeadline(after: limit, clock)
    let isEarlier = outer.map { own.remaining < $0.remaining } ?? true
    return try await CallerDeadline.$current.withValue(isEarlier ? own : outer, operation: operation)
}

/// Runs an operation whose loads end at an instant; see ``withDeadline(_:clock:operation:)``.
///
/// - Parameters:
///   - instant: The deadline, which may be past.
///   - clock: The clock of the instant.
///   - operation: The operation.
/// - Returns: The result of the operation.
/// - Throws: The error of the operation.
public nonisolated(nonsending) func withDeadline<Value, SomeClock: Clock<Duration>>(
    at instant: SomeClock.Instant,
    clock: SomeClock = .continuous,
    operation: nonisolated(nonsending) () async throws -> Value
) async rethrows -> Value {
    try await withDeadline(clock.now.duration(to: instant), clock: clock, operation: operation)
}
