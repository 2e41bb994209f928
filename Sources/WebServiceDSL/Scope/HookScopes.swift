// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The scopes of the hooks (constraints and interceptors) that run for tests now.
///
/// A load that a hook makes on another queue, or in a detached task, has lost the task-local scope, but its caller is
/// still the hook's function. If such a function runs for one test that mocks the service of the load, the load belongs
/// to that test; if it runs for several, the load fails, because it must not reach the network.
package enum HookScopes {
    /// A hook that runs.
    package struct Entry: Sendable {
        fileprivate let number: Int
    }

    private struct Hook: Sendable {
        let function: StaticString
        let scope: NetworkScope
    }

    private struct State: Sendable {
        var hooks: [Int: Hook] = [:]
        var last = 0
    }

    private static let state = Mutex(State())
    private static let hasEntries = Atomic(false)

    /// Whether this process has ever run a hook in a scope.
    static var isUsed: Bool { hasEntries.load(ordering: .relaxed) }

    /// Lists a hook until it leaves; `nil` outside of a scope.
    ///
    /// - Parameters:
    ///   - function: The name of its function, as `#function` gives it.
    ///   - scope: The scope of its load.
    package static func enter(_ function: StaticString, in scope: NetworkScope?) -> Entry? {
        guard let scope else { return nil }
        hasEntries.store(true, ordering: .relaxed)
        return state.withLock { state in
            state.last += 1
            state.hooks[state.last] = Hook(function: function, scope: scope)
            return Entry(number: state.last)
        }
    }

    /// Ends the listing of a hook.
    package static func leave(_ entry: Entry?) {
        guard let entry else { return }
        state.withLock { $0.hooks[entry.number] = nil }
    }

    /// The scope of a load whose caller is a function of this name; `nil` if none of a test is known.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` if it may be one of several.
    static func scope(
        ofLoadIn function: StaticString,
        of service: any WebService.Type
    ) throws(SwiftyError) -> NetworkScope? {
        let hooks = state.withLock { state in state.hooks.values.filter { $0.function.isEqual(to: function) } }
        let scopes = hooks.map(\.scope).filter { $0.isTest(of: service) }
        guard scopes.dropFirst().allSatisfy({ $0 === scopes.first }) else {
            throw .mockUnavailable(ambiguity(function, service))
        }
        return scopes.first
    }

    private static func ambiguity(_ function: StaticString, _ service: any WebService.Type) -> String {
        """
        this load was made in \(function) on another queue or in a detached task, and \(function) runs for several \
        tests now that mock \(service): take NetworkReplacements.current along, and load inside of its apply
        """
    }
}

extension NetworkScope {
    /// Runs a hook in the scope of its load.
    ///
    /// - Parameter function: The name of the hook's function, as `#function` gives it.
    package nonisolated(nonsending) static func runHook<Result>(
        _ function: StaticString,
        in scope: NetworkScope?,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        let entry = HookScopes.enter(function, in: scope)
        defer { HookScopes.leave(entry) }
        return try await run(in: scope, body)
    }

    /// Runs a synchronous hook in the scope of its load.
    package static func callHook<Result>(
        _ function: StaticString,
        in scope: NetworkScope?,
        _ body: () throws -> Result
    ) rethrows -> Result {
        let entry = HookScopes.enter(function, in: scope)
        defer { HookScopes.leave(entry) }
        return try call(in: scope, body)
    }
}

extension StaticString {
    /// Whether the characters are equal. Both must be literals of several bytes, which have a pointer representation.
    package func isEqual(to other: StaticString) -> Bool {
        guard utf8CodeUnitCount == other.utf8CodeUnitCount else { return false }
        return withUTF8Buffer { own in other.withUTF8Buffer { own.elementsEqual($0) } }
    }
}
