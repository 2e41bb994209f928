// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftySupport

/// Runs work that may hang, and ends with an error when the load is cancelled or a time limit is reached. Then the task
/// of the work is cancelled, but not awaited.
///
/// - Parameters:
///   - cancellation: The load's cancellation.
///   - limit: The total limit of the load, with its clock; `nil` if the work does not wait by itself.
///   - stage: The stage of the error of an early end.
///   - onCancel: Called when the load is cancelled.
/// - Throws: The error of the work, the code of the cancellation, or ``SwiftyError/Code/timedOut``.
func endingEarly<Value: Sendable>(
    _ cancellation: LoadCancellation,
    within limit: (duration: Duration, clock: any Clock<Duration>)? = nil,
    stage: SwiftyError.Stage = .send,
    onCancel: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () async throws(SwiftyError) -> Value
) async throws(SwiftyError) -> Value {
    let outcome = Promise<Result<Value, SwiftyError>>()
    let task = Task {
        outcome.resolve(await Result.of { () async throws(SwiftyError) in try await work() })
    }
    let timer = limit.map { limit in
        Task {
            try await limit.clock.sleep(for: limit.duration)
            var error = SwiftyError(.timedOut, stage: stage, sent: .maybeSent)
            error.timeLimit = .total
            outcome.resolve(.failure(error))
        }
    }
    let registration = cancellation.onCancel { code in
        outcome.resolve(.failure(SwiftyError(code, stage: stage, sent: .maybeSent)))
        task.cancel()
        onCancel()
    }
    defer {
        cancellation.remove(registration)
        timer?.cancel()
        task.cancel()
    }
    return try await outcome.value().get()
}

extension NetworkRequest {
    /// The request with the content of its source, which is cancelled if the load ends before.
    func collectingContent(
        _ clock: any Clock<Duration>,
        _ cancellation: LoadCancellation
    ) async throws(SwiftyError) -> NetworkRequest {
        guard case .source(let source) = content else { return self }
        do throws(SwiftyError) {
            return try await endingEarly(cancellation, within: timeouts.total.map { ($0, clock) }) {
                () async throws(SwiftyError) in try await collectingContent()
            }
        } catch {
            source.cancel()
            throw error
        }
    }
}
