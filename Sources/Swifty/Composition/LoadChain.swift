// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Two loads in sequence, the second made from the output of the first; the result of ``LoadStep/then(_:)``.
///
/// A value that can be loaded repeatedly, and that becomes part of a longer chain by another `then`. `then` copies the
/// first request: later changes of it do not affect the chain.
public struct LoadChain<First: LoadStep, Next: LoadStep>: LoadStep {
    private let first: First
    private let next: @Sendable (First.Output) async throws -> Next

    init(_ first: First, _ next: @escaping @Sendable (First.Output) async throws -> Next) {
        self.first = first.frozen
        self.next = next
    }

    /// Loads the first step and then the second.
    ///
    /// Cancelling the calling task ends the step in flight.
    ///
    /// - Throws: The ``SwiftyError`` of the step that failed, which its `request` identifies. If the first step fails,
    ///   the second is not made. A `CancellationError` of the closure becomes ``SwiftyError/Code/cancelled``; any other
    ///   error that is not a ``SwiftyError`` becomes the underlying error of ``SwiftyError/Code/dependencyFailed``.
    @concurrent
    public func load() async throws(SwiftyError) -> Next.Output {
        let output = try await first.load()
        if Task.isCancelled { throw SwiftyError(.cancelled, stage: .building, reason: "the load was cancelled") }
        return try await makeNext(output).load()
    }

    private func makeNext(_ output: First.Output) async throws(SwiftyError) -> Next {
        do {
            return try await next(output)
        } catch {
            if let error = SwiftyError(thrown: error, stage: .building) { throw error }
            throw SwiftyError(
                .dependencyFailed,
                stage: .building,
                reason: "the next request could not be made from the previous response: \(error)",
                underlying: error
            )
        }
    }
}

extension LoadStep {
    /// Makes a chain of this load and another one, which is made from the output of this one.
    ///
    ///     let order = try await API.cart().then { cart in API.order(cart.id) }.load()
    ///
    /// - Parameter next: The closure that makes the second load; called once for each load of the chain, after the
    ///   first step has succeeded.
    public func then<Next: LoadStep>(
        _ next: @escaping @Sendable (Output) async throws -> Next
    ) -> LoadChain<Self, Next> {
        LoadChain(self, next)
    }
}

/// A load with an output: a request, a typed request, or a chain of them.
public protocol LoadStep: Sendable {
    /// The type of the loaded value.
    associatedtype Output: Sendable

    /// Loads the value. Cancelling the calling task ends the load.
    func load() async throws(SwiftyError) -> Output
}

extension LoadStep {
    /// A step that later changes of this one do not affect: a copy of a request, and the step itself if it is a value.
    var frozen: Self {
        (self as? any ModifiableResource)?.copy() as? Self ?? self
    }
}

extension NetworkResource: LoadStep {}

extension TypedResource: LoadStep {}

extension RPCCall: LoadStep {}

extension GraphQLOperation: LoadStep {}
