// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Runs one token request at a time for all that need its result: two in parallel would send the same refresh token
/// twice, which a server that rotates it regards as theft (RFC 9700 §4.14.2).
///
/// A request is not cancelled with those that wait for it: the server may have rotated the refresh token already, and
/// only its response has the new one. Nor is it cancelled by a login or a logout, which end the wait for it.
final class SharedExchange: Sendable {
    typealias Operation = @Sendable () async throws -> Void

    /// The end of a run, for those that wait for it.
    enum Ending: Sendable {
        case finished(Result<Void, any Error>)
        /// There was a login or a logout, and the result does not count.
        case superseded
    }

    private struct Run: Sendable {
        let generation: Int
        let ending = SharedPromise<Ending>()
    }

    private let current = Mutex<Run?>(nil)

    /// Runs the operation, or joins a run of the same or a later login; returns at its end.
    ///
    /// - Returns: The end of the run, and whether it had begun before this call.
    /// - Throws: `CancellationError` if the calling task is cancelled; the run continues.
    func run(generation: Int, _ operation: @escaping Operation) async throws -> (ending: Ending, isJoined: Bool) {
        let (run, isNew) = join(generation, operation)
        guard let outcome = await run.ending.value() else { throw CancellationError() }
        return (try outcome.get(), !isNew)
    }

    /// Begins a run, unless one of the same or a later login is in progress. Its error is that of the next load that
    /// needs it.
    func begin(generation: Int, _ operation: @escaping Operation) {
        _ = join(generation, operation)
    }

    /// Ends the wait for a run of an earlier login.
    func supersede(before generation: Int) {
        let superseded = current.withLock { current -> Run? in
            guard let run = current, run.generation < generation else { return nil }
            current = nil
            return run
        }
        superseded?.ending.resolve(.success(.superseded))
    }

    private func join(_ generation: Int, _ operation: @escaping Operation) -> (run: Run, isNew: Bool) {
        supersede(before: generation)
        let (run, isNew) = current.withLock { current in
            if let current { return (current, false) }
            let run = Run(generation: generation)
            current = run
            return (run, true)
        }
        if isNew { start(run, operation) }
        return (run, isNew)
    }

    private func start(_ run: Run, _ operation: @escaping Operation) {
        CallerDeadline.removed {
            _ = Task {
                var result = Result<Void, any Error>.success(())
                do { try await operation() } catch { result = .failure(error) }
                current.withLock { if $0?.ending === run.ending { $0 = nil } }
                run.ending.resolve(.success(.finished(result)))
            }
        }
    }
}
