// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Runs one token request at a time for all that need its result: two in parallel would send the same refresh token
/// twice, which a server that rotates it regards as theft (RFC 9700 §4.14.2).
///
/// A request is not cancelled with those that wait for it: the server may have rotated the refresh token already, and
/// only its response has the new one.
final class SharedExchange: Sendable {
    private struct Run: Sendable {
        let number: Int
        let generation: Int
        let task: Task<Void, any Error>
    }

    private struct State: Sendable {
        var current: Run?
        var count = 0
    }

    private let state = Mutex(State())

    /// Runs the operation, or joins a run of the same login that is in progress; returns when it has ended.
    func run(generation: Int, _ operation: @escaping @Sendable () async throws -> Void) async throws {
        try await join(generation, operation).value
    }

    /// Begins a run, unless one of the same login is in progress. Its error is that of the next load that needs it.
    func begin(generation: Int, _ operation: @escaping @Sendable () async throws -> Void) {
        _ = join(generation, operation)
    }

    private func join(
        _ generation: Int,
        _ operation: @escaping @Sendable () async throws -> Void
    ) -> Task<Void, any Error> {
        state.withLock { state in
            if let current = state.current, current.generation == generation { return current.task }
            state.count += 1
            let number = state.count
            let task = CallerDeadline.removed {
                Task {
                    defer { end(number) }
                    try await operation()
                }
            }
            state.current = Run(number: number, generation: generation, task: task)
            return task
        }
    }

    private func end(_ number: Int) {
        state.withLock { if $0.current?.number == number { $0.current = nil } }
    }
}
