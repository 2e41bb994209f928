// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A resource of any kind, whose modifiers keep its type.
///
/// The modifiers of all kinds are extensions of this protocol. Conforming types are classes around one lock: a modifier
/// changes the resource that it is called on, and returns it:
///
///     resource.header("Token", token)     // as a statement
///     server.get("ip").header("Token", token).priority(.high)     // or in a chain
///
/// So a change is seen through every reference to the resource. Keep a definition that is loaded more than once as a
/// function or a computed property, which makes a new resource each time, or modify a ``copy()``:
///
///     static var search: NetworkResource { server.get("search") }     // a new one for each caller
///     let next = resource.copy().query(["page": 2])                   // `resource` is unchanged
///
/// An error in the argument of a modifier is kept and thrown at load; the first one counts.
public protocol ModifiableResource: Sendable {
    /// Changes the description of the request. Atomic with respect to other modifiers and to `load`.
    ///
    /// The closure runs with the resource locked, so it must not use the resource itself.
    @discardableResult
    func modify(_ change: (inout RequestDraft) -> Void) -> Self

    /// Makes an independent resource of the same kind with the same description: header fields, parameters, content,
    /// policies, tags, mock.
    ///
    /// It is loaded by the same network interface. Later changes of one of the two do not affect the other.
    func copy() -> Self

    /// The description of the request at this moment.
    var draft: RequestDraft { get }
}
