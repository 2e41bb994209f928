// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What every kind of resource has in common: it can be modified, step by step, without losing its type.
///
/// All modifiers are extensions of this protocol. Its conforming types are classes around one lock, so a modifier changes
/// the resource it is called on and returns it:
///
///     resource.header(key: "Token", value: token)     // as a statement
///     server.get("ip").header(key: "Token", value: token).priority(.high)     // or in a chain
///
/// What is wrong with a modifier's argument is remembered and thrown at load; the first mistake wins.
public protocol ModifiableResource: Sendable {
    /// Changes the description of the request. Atomic with respect to other modifiers and to `load`.
    @discardableResult
    func modify(_ change: (inout RequestDraft) -> Void) -> Self

    /// The request as it is described at this moment.
    var draft: RequestDraft { get }
}
