// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What takes the place of the network for the loads of a block of code: of one service, or of all.
///
/// It is a task-local value, which a load takes along when it begins: the work inside of the load keeps it on whatever
/// queue or task it runs. A scope inside of another one is asked first.
package final class NetworkScope: Sendable {
    /// What takes the place.
    package enum Replacement: Sendable {
        /// Another interface, in place of the service's own.
        case interface(any NetworkInterface)
        /// Another transport, below the pipeline of the service's own interface.
        case transport(ScopedTransport)
    }

    /// The scope of the current task; `nil` outside of any.
    package static var current: NetworkScope? { isUsed.load(ordering: .relaxed) ? taskLocal : nil }

    @TaskLocal private static var taskLocal: NetworkScope?

    /// Whether this process has ever entered a scope. Without one, a load reads no task-local value.
    private static let isUsed = Atomic(false)

    /// The service whose loads are concerned; `nil` for all loads.
    private let service: ObjectIdentifier?
    private let replacement: Replacement
    private let coversOthers: Bool
    private let outer: NetworkScope?

    private init(
        _ service: (any WebService.Type)?,
        _ replacement: Replacement,
        _ coversOthers: Bool,
        inside outer: NetworkScope?
    ) {
        self.service = service.map { ObjectIdentifier($0) }
        self.replacement = replacement
        self.coversOthers = coversOthers
        self.outer = outer
    }

    /// The innermost replacement for the requests of a service; else the innermost for those of all others.
    package func replacement(for service: (any WebService.Type)?) -> Replacement? {
        let service = service.map { ObjectIdentifier($0) }
        var scope: NetworkScope? = self
        var general: Replacement?
        while let current = scope {
            if current.service == nil || current.service == service { return current.replacement }
            if current.coversOthers { general = general ?? current.replacement }
            scope = current.outer
        }
        return general
    }

    /// Runs a block with a replacement inside of the current scope.
    ///
    /// - Parameters:
    ///   - replacement: The replacement.
    ///   - service: The service whose requests it is for; `nil` for those of all.
    ///   - coversOthers: Whether it is also for the requests of services for which no scope has one.
    ///   - body: The block.
    package nonisolated(nonsending) static func with<Result>(
        _ replacement: Replacement,
        for service: (any WebService.Type)?,
        coversOthers: Bool = false,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await run(in: NetworkScope(service, replacement, coversOthers, inside: current), body)
    }

    /// Whether mocks or a cassette of a test answer the requests of a service, and not only those of all services.
    func isTest(of service: any WebService.Type) -> Bool {
        if self.service == ObjectIdentifier(service), case .transport(let transport) = replacement {
            return transport.isForTests
        }
        return outer?.isTest(of: service) ?? false
    }

    /// Runs a block in the scope of a load, on whatever queue or task it is.
    package nonisolated(nonsending) static func run<Result>(
        in scope: NetworkScope?,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        if scope === current { return try await body() }
        isUsed.store(true, ordering: .relaxed)
        return try await $taskLocal.withValue(scope, operation: body)
    }

    /// Runs a synchronous block in the scope of a load.
    package static func call<Result>(in scope: NetworkScope?, _ body: () throws -> Result) rethrows -> Result {
        if scope === current { return try body() }
        isUsed.store(true, ordering: .relaxed)
        return try $taskLocal.withValue(scope, operation: body)
    }
}
