// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Runs the hooks of one load: user code, which may be slow, ignore a cancellation, or never return.
///
/// A hook has a separate task, which begins on the load's thread and costs little unless it waits. When the load ends,
/// the task is cancelled, the load stops waiting for it, and its result is dropped. A task that continues is counted
/// until it ends.
struct LoadHooks: Sendable {
    let cancellation: LoadCancellation
    /// The deadline of the load or its attempt; `nil` without a limit.
    let deadline: Deadline?
    let watchdog: HookWatchdog
    /// For reports, as the observers and tracers.
    let load: Swifty.ObservedLoad
    var observers: [any Swifty.Observer] = []
    var tracers: [any Swifty.LoadTracer] = []

    /// Runs a hook, or several in a row.
    ///
    /// - Parameters:
    ///   - name: The hook's name, for reports.
    ///   - stage: The stage of the load.
    ///   - sent: The sent state of the request, for errors.
    ///   - hook: The hook, which must not block its thread. If it runs several, it sets the index of the current one.
    /// - Returns: The result of the hook.
    /// - Throws: The error of the hook, or the reason for which the load ended while the hook ran.
    // Not inlined; see Load+Run.swift.
    @inline(never)
    func run<Value: Sendable>(
        _ name: HookName,
        stage: SwiftyError.Stage,
        sent: SwiftyError.SentState = .notSent,
        hook: @escaping @Sendable (HookRun<Value>) async throws(SwiftyError) -> Value
    ) async throws(SwiftyError) -> Value {
        let (run, watchdog) = (HookRun<Value>(), watchdog)
        let task = Self.startImmediately {
            let result: Result<Value, SwiftyError>
            do throws(SwiftyError) {
                result = .success(try await hook(run))
            } catch {
                result = .failure(error)
            }
            if !run.end(result) { watchdog.countLeftBehind(-1) }
        }
        let result =
            if let result = run.result { result } else {
                await wait(for: run, name, stage: stage, sent: sent, task: task)
            }
        // A hook that never waited may return after its load has ended.
        if let error = endReason(stage, sent) { throw error }
        return try result.get()
    }

    /// The reason for which the load has ended; `nil` if it has not.
    private func endReason(_ stage: SwiftyError.Stage, _ sent: SwiftyError.SentState) -> SwiftyError? {
        if let code = cancellation.code { return cancelled(code, stage: stage, sent: sent) }
        if let deadline, deadline.isReached { return deadline.error(at: stage, sent: sent) }
        return nil
    }

    private func cancelled(
        _ code: SwiftyError.Code,
        stage: SwiftyError.Stage,
        sent: SwiftyError.SentState
    ) -> SwiftyError {
        SwiftyError(code, stage: stage, sent: sent, reason: cancellation.endReason)
    }

    @inline(never)
    private func wait<Value: Sendable>(
        for run: HookRun<Value>,
        _ name: HookName,
        stage: SwiftyError.Stage,
        sent: SwiftyError.SentState,
        task: Task<Void, Never>
    ) async -> Result<Value, SwiftyError> {
        let (watchdog, load, observers, tracers) = (watchdog, load, observers, tracers)
        let leave = { @Sendable (error: SwiftyError) in
            guard run.end(.failure(error)) else { return }
            watchdog.countLeftBehind(1)
            task.cancel()
        }
        let watch = watchdog.watch {
            let event = Swifty.Event.hookIsSlow(name: name.text(run.index))
            for tracer in tracers { tracer.observe(event) }
            for observer in observers { observer.observe(event, of: load) }
        }
        let limit = deadline.map { deadline in
            deadline.whenReached { leave(deadline.error(at: stage, sent: sent)) }
        }
        let registration = cancellation.onCancel { code in leave(cancelled(code, stage: stage, sent: sent)) }
        let result = await run.value()
        cancellation.remove(registration)
        watch?.cancel()
        limit?.cancel()
        return result
    }

    /// Starts a task, which runs on this thread until it first waits, where the system supports that.
    private static func startImmediately(_ body: @escaping @Sendable @concurrent () async -> Void) -> Task<Void, Never>
    {
        if #available(macOS 26, iOS 26, *) { Task.immediate(operation: body) } else { Task(operation: body) }
    }
}
