// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// A condition did not become true in time.
package struct ConditionTimeoutError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}

/// Waits until another task, thread or process makes a condition true.
///
/// The condition is checked a hundred times between turns of other tasks, and then every millisecond, because the log,
/// counter or file that it reads signals no change.
///
/// - Parameters:
///   - limit: The longest wait. There is at least one check for each 10 ms of it, so that a process that is stopped, or
///     tests that occupy all threads, do not end it.
///   - condition: The condition.
/// - Throws: ``ConditionTimeoutError`` with the caller's place, or `CancellationError` at the time limit of the suite.
package func until(
    within limit: Duration = .seconds(120),
    _ condition: () async throws -> Bool,
    fileID: StaticString = #fileID,
    line: UInt = #line
) async throws {
    for _ in 0..<100 {
        if try await condition() { return }
        await Task.yield()
    }
    let deadline = ContinuousClock.now + limit
    var checksDue = limit / .milliseconds(10)
    while try await !condition() {
        checksDue -= 1
        guard ContinuousClock.now < deadline || checksDue > 0 else {
            throw ConditionTimeoutError(description: "the condition at \(fileID):\(line) was false for \(limit)")
        }
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// Waits until a value that others change has not changed for a time, because the end of changes is no event.
///
/// - Parameters:
///   - pause: The time. It has at least a hundred checks, so that threads that stand still do not end the wait.
///   - value: The value.
/// - Throws: As ``until(within:_:fileID:line:)``.
package func untilStable<Value: Equatable & Sendable>(
    for pause: Duration = .milliseconds(200),
    _ value: () async throws -> Value,
    fileID: StaticString = #fileID,
    line: UInt = #line
) async throws {
    var last = try await value()
    var (checks, start) = (0, ContinuousClock.now)
    try await until(
        {
            let current = try await value()
            if current != last { (last, checks, start) = (current, 0, ContinuousClock.now) }
            checks += 1
            return checks > 100 && ContinuousClock.now - start >= pause
        },
        fileID: fileID,
        line: line
    )
}

/// Blocks the calling thread until another thread or process makes a condition true, for threads that may block.
///
/// - Parameters:
///   - limit: The longest wait, with one check for each millisecond of it.
///   - condition: The condition.
/// - Returns: Whether the condition became true.
@discardableResult
package func blockUntil(within limit: Duration = .seconds(120), _ condition: () -> Bool) -> Bool {
    for _ in 0..<Int(limit / .milliseconds(1)) {
        if condition() { return true }
        usleep(1_000)
    }
    return condition()
}

/// Makes an attempt with a short limit of time, and again with longer ones if it fails, because on a busy machine a
/// process may stand still for seconds.
///
/// - Parameters:
///   - limits: The limits, the shortest first.
///   - attempt: The attempt with one of them. Only the error of the last one counts.
package func withGrowing<Value>(
    _ limits: [Duration] = [.milliseconds(500), .seconds(5), .seconds(30)],
    _ attempt: (Duration) async throws -> Value
) async throws -> Value {
    for limit in limits.dropLast() {
        if let value = try? await attempt(limit) { return value }
    }
    return try await attempt(limits[limits.count - 1])
}

/// Runs blocking work on a thread of its own, because all tests share the few threads of tasks.
package func onOwnThread<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
