// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Two loads in a row, of which the second is made of what the first returned: what ``LoadStep/then(_:)`` makes.
///
/// A value that is loaded as often as wanted, and a part of a longer chain if `then` is called on it.
public struct LoadChain<First: LoadStep, Next: LoadStep>: LoadStep {
    private let first: First
    private let next: @Sendable (First.Output) async throws -> Next

    init(_ first: First, _ next: @escaping @Sendable (First.Output) async throws -> Next) {
        self.first = first
        self.next = next
    }

    /// Loads the first and then the second.
    ///
    /// Cancelling the calling task ends whichever is under way.
    ///
    /// - Throws: the ``SwiftyError`` of the one that failed, whose `request` tells which; the second is not made then. What
    ///   the closure throws is delivered as it is if it is a ``SwiftyError``, and otherwise as the underlying error of
    ///   ``SwiftyError/Code/dependencyFailed``.
    public func load() async throws(SwiftyError) -> Next.Output {
        let output = try await first.load()
        if Task.isCancelled { throw SwiftyError(.cancelled, stage: .building, reason: "the load was cancelled") }
        return try await makeNext(output).load()
    }

    private func makeNext(_ output: First.Output) async throws(SwiftyError) -> Next {
        do {
            return try await next(output)
        } catch let error as SwiftyError {
            throw error
        } catch {
            throw SwiftyError(
                .dependencyFailed,
                stage: .building,
                reason: "the next request could not be made of the response before: \(error)",
                underlying: error
            )
        }
    }
}

extension LoadStep {
    /// Makes a load that goes on with another one, made of what this one returns.
    ///
    ///     let order = try await API.cart().then { cart in API.order(cart.id) }.load()
    ///
    /// - Parameter next: makes the second load; called once for each load of the chain that gets so far.
    public func then<Next: LoadStep>(
        _ next: @escaping @Sendable (Output) async throws -> Next
    ) -> LoadChain<Self, Next> {
        LoadChain(self, next)
    }
}

/// What can be loaded for a value: a request, a typed request, or several in a row.
public protocol LoadStep: Sendable {
    /// What the load returns.
    associatedtype Output: Sendable

    /// Loads.
    ///
    /// Cancelling the calling task ends the load.
    ///
    /// - Throws: ``SwiftyError``.
    func load() async throws(SwiftyError) -> Output
}

extension NetworkResource: LoadStep {}

extension TypedResource: LoadStep {}
