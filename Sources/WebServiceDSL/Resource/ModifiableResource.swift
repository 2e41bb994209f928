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
/// So two holders of one resource see each other's changes, and parameters that both add arrive together. A definition that
/// is loaded more than once is kept as a function or a computed property, which make a new resource each time, or is
/// modified in a ``copy()``:
///
///     static var search: NetworkResource { server.get("search") }     // a new one for each caller
///     let next = resource.copy().query(["page": 2])                   // `resource` stays as it is
///
/// What is wrong with a modifier's argument is remembered and thrown at load; the first mistake wins.
public protocol ModifiableResource: Sendable {
    /// Changes the description of the request. Atomic with respect to other modifiers and to `load`.
    @discardableResult
    func modify(_ change: (inout RequestDraft) -> Void) -> Self

    /// Another resource of the same kind with the same description: header fields, parameters, body, policies, tags, mock.
    ///
    /// It is loaded by the same network interface. What is changed on one of the two from now on does not show on the other.
    func copy() -> Self

    /// The request as it is described at this moment.
    var draft: RequestDraft { get }
}
