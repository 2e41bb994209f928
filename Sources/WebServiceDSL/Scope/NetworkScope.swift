// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

/// Replaces the network for the loads of a block of code: of one service, or of all.
///
/// It is a task-local value, which a load captures when it begins: the work inside of the load keeps it on whatever
/// queue or task it runs. The innermost scope takes precedence.
package final class NetworkScope: Sendable {
    /// The replacement of an interface or of its transport.
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

    /// The service whose loads are affected; `nil` for all loads.
    private let service: ObjectIdentifier?
    private let replacement: Replacement
    private let coversOthers: Bool
    private let outer: NetworkScope?

    private init(
        _ service: (any NamedService.Type)?,
        replacement: Replacement,
        coversOthers: Bool,
        inside outer: NetworkScope?
    ) {
        self.service = service.map { ObjectIdentifier($0) }
        self.replacement = replacement
        self.coversOthers = coversOthers
        self.outer = outer
    }

    /// The innermost replacement for the requests of a service; else the innermost one that covers other services.
    package func replacement(for service: (any NamedService.Type)?) -> Replacement? {
        var general: Replacement?
        for scope in sequence(first: self, next: \.outer) {
            if scope.isFor(service) { return scope.replacement }
            if scope.coversOthers { general = general ?? scope.replacement }
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
        for service: (any NamedService.Type)?,
        coversOthers: Bool = false,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        let scope = NetworkScope(service, replacement: replacement, coversOthers: coversOthers, inside: current)
        let mocked = scope.isTestItself ? scope.service : nil
        if let mocked { MockedServices.begin(mocked) }
        defer { if let mocked { MockedServices.end(mocked) } }
        return try await run(in: scope, body)
    }

    /// The transport for the requests of a service; `nil` if its interface uses its own.
    ///
    /// If another interface replaces the service's own, the mocks or the cassette of an enclosing test still answer:
    /// nothing is sent in a test. This does not apply to an interface whose own transport has no network, such as that
    /// of a test.
    package func transport(
        for service: (any NamedService.Type)?,
        insteadOf own: any Transport
    ) -> ScopedTransport? {
        switch replacement(for: service) {
        case nil: return nil
        case .transport(let transport): return transport
        case .interface:
            guard own.capabilities.contains(.network) else { return nil }
            return sequence(first: self, next: \.outer).firstResult { scope in
                guard case .transport(let transport) = scope.replacement, transport.isForTests else { return nil }
                return scope.isFor(service) || scope.coversOthers ? transport : nil
            }
        }
    }

    private func isFor(_ service: (any NamedService.Type)?) -> Bool {
        self.service == nil || self.service == service.map { ObjectIdentifier($0) }
    }

    // MARK: - Tests

    private var isTestItself: Bool {
        guard case .transport(let transport) = replacement else { return false }
        return transport.isForTests
    }

    /// The innermost mocks or cassette of a test.
    package var testTransport: ScopedTransport? {
        guard case .transport(let transport) = replacement, transport.isForTests else { return outer?.testTransport }
        return transport
    }

    // MARK: - Blocks

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
