// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One hook of a `Swifty`, which its own loads do not run again: a hook that loads through the `Swifty` that it belongs
/// to would have no end.
///
/// The mark is a task-local value. It reaches the functions that the hook calls, each `Task` that it creates, and the
/// closures of its loads; other hooks still run. A hook that two `Swifty`s have in common has a mark in each. The hooks
/// of requests, which are made for each again, have one for each type.
struct HookMark: Sendable {
    /// The hooks that the current code belongs to, the outermost first. Each is in it at most once, so it is no longer
    /// than the list of hooks.
    @TaskLocal static var current: [Int] = []

    private static let count = Atomic(0)
    private static let marksOfTypes = Mutex<[ObjectIdentifier: HookMark]>([:])

    /// Unique in the process: code that a hook has started may outlive the `Swifty`.
    private let number: Int
    /// The value of ``current`` in a hook that no other one has called, made once.
    private let alone: [Int]

    init() {
        number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        alone = [number]
    }

    /// The mark of all hooks of a type.
    static func ofType(_ hook: Any) -> HookMark {
        let type = ObjectIdentifier(type(of: hook))
        return marksOfTypes.withLock { marks in
            if let mark = marks[type] { return mark }
            let mark = HookMark()
            marks[type] = mark
            return mark
        }
    }

    /// Whether the current code belongs to the hook.
    var isCurrent: Bool {
        let current = Self.current
        return !current.isEmpty && current.contains(number)
    }

    nonisolated(nonsending) func run<Result>(
        _ hook: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        let outer = Self.current
        // The map of a load that is made in a map.
        if outer.contains(number) { return try await hook() }
        return try await Self.$current.withValue(outer.isEmpty ? alone : outer + alone, operation: hook)
    }
}
