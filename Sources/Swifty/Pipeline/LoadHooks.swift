// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Runs the hooks of one load: code of the user's, which may take its time, ignore a cancellation, or never return.
///
/// A hook has a task of its own, which begins on its load's thread and costs little unless it waits. When the load ends, the task is
/// cancelled and no longer waited for; if it goes on, it is counted.
struct LoadHooks: Sendable {
    let cancellation: LoadCancellation
    /// When the load, or its attempt, must be over; `nil` if its time is not limited.
    let deadline: Deadline?
    let watchdog: HookWatchdog
    /// Called with the name of a hook that takes long, once.
    let report: @Sendable (String) -> Void

    /// Runs a hook, and returns what it returns.
    ///
    /// - Parameters:
    ///   - name: The hook's name, for reports.
    ///   - stage: The stage of the load.
    ///   - sent: How far the request got.
    ///   - hook: Must not block its thread.
    /// - Throws: what the hook throws, or the reason for which the load has ended meanwhile.
    nonisolated(nonsending) func run<Value: Sendable>(
        _ name: @escaping @Sendable () -> String,
        stage: SwiftyError.Stage,
        sent: SwiftyError.SentState = .notSent,
        hook: @escaping @Sendable () async throws(SwiftyError) -> Value
    ) async throws(SwiftyError) -> Value {
        let outcome = OneShot<Result<Value, SwiftyError>>()
        let watchdog = watchdog
        let task = Self.startImmediately {
            let result: Result<Value, SwiftyError>
            do throws(SwiftyError) {
                result = .success(try await hook())
            } catch {
                result = .failure(error)
            }
            if !outcome.give(result) { watchdog.countLeftBehind(-1) }
        }
        if let result = outcome.takeIfGiven() { return try result.get() }
        let leave = { @Sendable (error: SwiftyError) in
            guard outcome.give(.failure(error)) else { return }
            watchdog.countLeftBehind(1)
            task.cancel()
        }
        return try await wait(for: outcome, name, stage, sent, leave: leave)
    }

    private nonisolated(nonsending) func wait<Value: Sendable>(
        for outcome: OneShot<Result<Value, SwiftyError>>,
        _ name: @escaping @Sendable () -> String,
        _ stage: SwiftyError.Stage,
        _ sent: SwiftyError.SentState,
        leave: @escaping @Sendable (SwiftyError) -> Void
    ) async throws(SwiftyError) -> Value {
        let watch = watchdog.watch { report(name()) }
        let limit = deadline.map { deadline in
            deadline.whenReached { leave(deadline.error(at: stage, sent: sent)) }
        }
        cancellation.onCancel { code in
            leave(SwiftyError(code, stage: stage, sent: sent, reason: cancellation.explanation))
        }
        let result = await outcome.take()
        cancellation.onCancel(nil)
        watch?.cancel()
        limit?.cancel()
        return try result.get()
    }

    /// A task that runs on this thread until it first waits, where the system can do that.
    private static func startImmediately(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        if #available(macOS 26, iOS 26, *) { Task.immediate(operation: body) } else { Task(operation: body) }
    }
}
