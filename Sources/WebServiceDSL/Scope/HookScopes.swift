// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The scopes of the hooks (constraints and interceptors) that run, or have run, for tests.
///
/// A load that a hook makes on another queue, or in a detached task, has lost the task-local scope, but its caller is
/// still the hook's function. If such a function runs for one test whose mocks are for the service of the load, the
/// load belongs to that test; if it runs for several, the load fails, because it must not reach the network. A hook
/// that has returned is remembered until the block of its test ends: a task that it started may still run.
package enum HookScopes {
    /// A running hook.
    package struct Entry: Hashable, Sendable {
        fileprivate let function: String
        /// `nil` outside of any scope.
        fileprivate let scope: ObjectIdentifier?
    }

    private struct Hook: Sendable {
        let scope: NetworkScope?
        var running = 0
    }

    private static let hooks = Mutex<[Entry: Hook]>([:])
    private static let hasTests = Atomic(false)

    /// Whether this process has ever run a hook for a test.
    static var isUsed: Bool { hasTests.load(ordering: .relaxed) }

    /// Registers a running hook; `nil` as long as no hook has run for a test.
    ///
    /// - Parameters:
    ///   - function: The name of its function, as `#function` gives it.
    ///   - scope: The scope of its load.
    package static func enter(_ function: StaticString, in scope: NetworkScope?) -> Entry? {
        if let scope, scope.isTest { hasTests.store(true, ordering: .relaxed) }
        guard isUsed else { return nil }
        let entry = Entry(function: "\(function)", scope: scope.map { ObjectIdentifier($0) })
        hooks.withLock { $0[entry, default: Hook(scope: scope)].running += 1 }
        return entry
    }

    /// Ends the registration of a hook.
    package static func leave(_ entry: Entry?) {
        guard let entry else { return }
        hooks.withLock { hooks in
            hooks[entry]?.running -= 1
            guard let hook = hooks[entry], hook.running == 0 else { return }
            let isRemembered = hook.scope.map { $0.isTest && !$0.hasEnded } ?? false
            if !isRemembered { hooks[entry] = nil }
        }
    }

    /// Forgets the hooks of a scope whose block has ended.
    static func forget(_ scope: NetworkScope) {
        guard isUsed else { return }
        hooks.withLock { hooks in hooks = hooks.filter { $0.value.scope !== scope } }
    }

    /// The scope of a load whose caller is a function of this name; `nil` if no scope of a test is known.
    ///
    /// - Parameter service: The service of the load; `nil` without one.
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` if it may be one of several.
    static func scope(
        ofLoadIn function: StaticString,
        of service: (any NamedService.Type)?
    ) throws(SwiftyError) -> NetworkScope? {
        let name = "\(function)"
        let same = hooks.withLock { hooks in hooks.filter { $0.key.function == name }.map(\.value) }
        let running = same.filter { $0.running > 0 }
        let scopes = [running, same].lazy.map { hooks in hooks.compactMap(\.scope).filter { $0.isTest(of: service) } }
            .first { !$0.isEmpty }
        let candidates = scopes ?? covering(running.isEmpty ? same : running)
        guard candidates.dropFirst().allSatisfy({ $0 === candidates.first }) else {
            throw .mockUnavailable(ambiguity(function, service))
        }
        return candidates.first
    }

    /// The scopes that are for the requests of all services, or block the requests of other services; none if a hook
    /// that may have made the load runs outside of them.
    private static func covering(_ hooks: [Hook]) -> [NetworkScope] {
        let scopes = hooks.compactMap { hook in hook.scope.flatMap { $0.coversAll ? $0 : nil } }
        return scopes.count == hooks.count ? scopes : []
    }

    private static func ambiguity(_ function: StaticString, _ service: (any NamedService.Type)?) -> String {
        """
        this load was made in \(function) on another queue or in a detached task, and \(function) runs for several \
        tests now that mock \(service.map { "\($0)" } ?? "its requests"): take NetworkReplacements.current along, and \
        load inside of its apply
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
