// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A graph of loads, some of which wait for others.
///
///     let graph = LoadGraph()
///     let session = graph.add(API.openSession())                       // starts immediately
///     let user = graph.add(API.user(), after: [session])               // starts when the session is open
///     let cart = graph.add(after: user) { user in API.cart(of: user) } // is made from the user
///     let (owner, items) = try await (user.value, cart.value)
///
/// Each load starts when all of its dependencies have succeeded. If a dependency fails, the load does not start, and
/// fails with ``SwiftyError/Code/dependencyFailed``, whose underlying error is the cause. A load can only depend on
/// loads that were added before it, so there are no cycles. May be used from any thread.
public final class LoadGraph: Sendable {
    private struct Member: Sendable {
        let cancel: @Sendable () -> Void
        let wait: @Sendable () async -> Void
    }

    private let members = Mutex<[Member]>([])

    /// Makes a graph without loads.
    public init() {}

    /// Adds a load, which starts when its dependencies have succeeded. Later changes of the request do not affect it.
    @discardableResult
    public func add<Resource: LoadStep>(
        _ resource: Resource,
        after dependencies: [any Dependency] = []
    ) -> Node<Resource.Output> {
        let resource = resource.frozen
        return insert(
            Node {
                await Result.of { () async throws(SwiftyError) in
                    try await Self.awaitSuccess(of: dependencies, before: resource)
                    return try await resource.load()
                }
            }
        )
    }

    /// Adds a load that is made from the output of another one, and starts after it.
    ///
    /// If the closure throws a ``SwiftyError``, the load fails with it. A `CancellationError` becomes
    /// ``SwiftyError/Code/cancelled``, and any other error the underlying error of
    /// ``SwiftyError/Code/dependencyFailed``.
    @discardableResult
    public func add<Input, Resource: LoadStep>(
        after dependency: Node<Input>,
        _ makeResource: @escaping @Sendable (Input) async throws -> Resource
    ) -> Node<Resource.Output> {
        insert(
            Node {
                await Result.of { () async throws(SwiftyError) in
                    // The chain alone would fail with the error of the dependency, not with `dependencyFailed`.
                    try await Self.awaitSuccess(of: [dependency])
                    return try await LoadChain(NodeValue(node: dependency), makeResource).load()
                }
            }
        )
    }

    /// Ends every unfinished load with ``SwiftyError/Code/cancelled``.
    public func cancel() {
        // The later ones first, so that none fails because a dependency was cancelled.
        for member in members.withLock({ $0.reversed() }) { member.cancel() }
    }

    /// Returns when every load that was added so far has finished.
    ///
    /// A cancelled task waits as well, so that nothing is in flight afterwards; ``cancel()`` shortens the wait.
    public func waitForAll() async {
        for member in members.withLock(\.self) { await member.wait() }
    }

    private func insert<Output>(_ node: Node<Output>) -> Node<Output> {
        members.withLock { $0.append(Member(cancel: { node.cancel() }, wait: { await node.waitForEnd() })) }
        return node
    }

    /// Waits for all dependencies of a load. The error names the request, which is then not sent.
    private static func awaitSuccess(
        of dependencies: [any Dependency],
        before load: some LoadStep
    ) async throws(SwiftyError) {
        do throws(SwiftyError) {
            try await awaitSuccess(of: dependencies)
        } catch {
            var error = error
            error.request = (load as? any ModifiableResource)?.draft.summary
            throw error
        }
    }

    /// Waits for all dependencies simultaneously, so that the first failure ends the wait.
    private static func awaitSuccess(of dependencies: [any Dependency]) async throws(SwiftyError) {
        let failure = await withTaskGroup(of: SwiftyError?.self) { group in
            for dependency in dependencies { group.addTask { await dependency.failure } }
            for await failure in group where failure != nil {
                group.cancelAll()
                return failure
            }
            return nil
        }
        if Task.isCancelled { throw SwiftyError(.cancelled, stage: .queue, reason: "the load was cancelled") }
        if let failure { throw dependencyError(failure) }
    }

    private static func dependencyError(_ failure: SwiftyError) -> SwiftyError {
        // Along a chain of dependencies, each error names the first failure.
        let isInherited = failure.code == .dependencyFailed && failure.underlying is SwiftyError
        let cause = isInherited ? failure.underlying : failure
        return SwiftyError(
            .dependencyFailed,
            stage: .queue,
            reason: "a load that this one depends on failed: \(cause.map { "\($0)" } ?? "")",
            underlying: cause
        )
    }
}

/// The value of a node, as the first step of a chain.
private struct NodeValue<Output: Sendable>: LoadStep {
    let node: LoadGraph.Node<Output>

    func load() async throws(SwiftyError) -> Output {
        try await node.value
    }
}
