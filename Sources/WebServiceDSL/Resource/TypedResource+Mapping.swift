// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension TypedResource {
    /// Makes a resource whose value is made from this one's.
    ///
    ///     server.get("items").decode([Item].self).map { $0.map(\.name) }
    ///
    /// The closure is called once for each load, with the value of a successful one, where the value is decoded. An
    /// error that it throws fails the load: a ``SwiftyError`` as it is, any other one with the code
    /// ``SwiftyError/Code/transformFailed``.
    ///
    /// - Parameter transform: The closure. It must not wait; another form has an `async` closure.
    public func map<New: Sendable>(_ transform: @escaping @Sendable (Value) throws -> New) -> TypedResource<New> {
        TypedResource<New>(resource, reader.map(transform))
    }

    /// Makes a resource whose value is made from this one's by a closure that waits.
    ///
    ///     server.get("avatar").decode(Data.self).map { try await decoder.image(of: $0) }
    ///
    /// The closure is part of the load: it ends within the load's time limits, and its task is cancelled with the load.
    /// It runs after the response interceptors. Everything else is as in ``map(_:)-(_)``.
    ///
    /// - Parameter transform: The closure.
    @_disfavoredOverload
    public func map<New: Sendable>(
        _ transform: @escaping @Sendable (Value) async throws -> New
    ) -> TypedResource<New> {
        TypedResource<New>(resource, reader.map(transform))
    }

    /// Reads the responses of some statuses, which count as success, as values of another type, and makes of them the
    /// same value.
    ///
    ///     enum Lookup { case found(User), moved(ProblemDetails) }
    ///
    ///     server.get("users/\(id)").decode(User.self).map(Lookup.found)
    ///         .decode(as: ProblemDetails.self, when: [404, 410], Lookup.moved)
    ///
    /// - Parameters:
    ///   - type: The type of the value in such responses.
    ///   - statuses: The statuses.
    ///   - transform: The closure that makes the resource's value.
    public func decode<Other: Decodable & Sendable>(
        as type: Other.Type,
        when statuses: RequestDraft.AcceptedStatuses,
        _ transform: @escaping @Sendable (Other) throws -> Value
    ) -> TypedResource {
        let other = ResponseReader { response throws(SwiftyError) in try response.decode(type) }.map(transform)
        let typed = TypedResource(resource, reader.or(other, when: statuses))
        return typed.modify { $0.acceptedStatuses = $0.acceptedStatuses.union(statuses) }
    }
}
