// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Runs a block in which another network interface loads the requests of a service.
///
///     try await withNetworkInterface(tenant.swifty, for: GitHub.self) {
///         try await GitHub.repositories(of: "apple").load()
///     }
///
/// For the tenants of a server, for dependency injection, and for tests. The replacement holds for the loads that begin
/// in the block, in its child tasks and in the `Task`s that it starts, and for all work inside of these loads. Like
/// every task-local value it does not reach a `Task.detached` or a block on your own Dispatch queue. Blocks of other
/// tasks are not affected; the innermost block takes precedence.
///
/// - Parameters:
///   - networkInterface: The interface that loads the requests.
///   - service: The service; `nil` for the requests of all, and for those without one.
///   - body: The block, which runs on the caller's actor.
/// - Returns: The result of the block.
/// - Throws: The error of the block.
@discardableResult
public nonisolated(nonsending) func withNetworkInterface<Result>(
    _ networkInterface: any NetworkInterface,
    for service: (any NamedService.Type)? = nil,
    _ body: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
    try await NetworkScope.with(.interface(networkInterface), for: service, body)
}

/// Runs a block in which another transport sends the requests of a service; everything above it stays that of the
/// service's own network interface: constraints, interceptors, admission, retries, cookies and decoding.
///
///     try await withTransport(StubTransport(status: 503), for: GitHub.self) {
///         await #expect(throws: SwiftyError.self) { try await GitHub.status().load() }
///     }
///
/// The loads of such a block are not coalesced. If the service's interface has no transport, because it is not a
/// `Swifty`, its loads fail with ``SwiftyError/Code/mockUnavailable`` and send nothing.
///
/// - Parameters:
///   - transport: The transport. The block does not shut it down.
///   - service: The service; `nil` for the requests of all, and for those without one.
///   - body: As for ``withNetworkInterface(_:for:_:)``.
/// - Returns: The result of the block.
/// - Throws: The error of the block.
@discardableResult
public nonisolated(nonsending) func withTransport<Result>(
    _ transport: any Transport,
    for service: (any NamedService.Type)? = nil,
    _ body: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
    try await NetworkScope.with(.transport(ScopedTransport { _, _, _ in transport }), for: service, body)
}
