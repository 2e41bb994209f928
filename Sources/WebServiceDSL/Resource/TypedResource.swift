// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A request whose response is a value: what ``NetworkResource/decode(_:decoder:)`` returns.
///
///     static func user(_ id: Int) -> TypedResource<User> {
///         server.get("users/{id}", ["id": id]).decode(User.self)
///     }
///     let user = try await API.user(42).load()
///
/// It takes the same modifiers as the resource it was made of, and is independent of that one.
public final class TypedResource<Value: Decodable & Sendable>: ModifiableResource {
    let resource: NetworkResource
    let decoder: JSONDecoder

    init(_ resource: NetworkResource, decoder: JSONDecoder) {
        self.resource = .make(of: resource.draft, networkInterface: resource.networkInterface)
        self.decoder = decoder
    }

    /// Another resource with the same description, type and decoder, independent of this one; see
    /// ``ModifiableResource/copy()``.
    public func copy() -> Self {
        Self(resource, decoder: decoder)
    }

    /// The request as it is described at this moment.
    public var draft: RequestDraft { resource.draft }

    /// Changes the description of the request; see ``ModifiableResource``.
    @discardableResult
    public func modify(_ change: (inout RequestDraft) -> Void) -> Self {
        resource.modify(change)
        return self
    }
}

/// A decoded value together with the response that it came in.
public struct TypedResponse<Value: Sendable>: Sendable {
    /// The decoded value.
    public let value: Value
    /// Status and header fields; `nil` only if an interceptor or mock made a success without them.
    public let head: ResponseHead?
    /// The content as it arrived.
    public let data: Data
    /// What the load cost.
    public let metrics: LoadMetrics
}

extension TypedResource: CustomStringConvertible {
    /// One line without secrets: name, method, URL, tags and the type of the value.
    public var description: String { "\(draft.description) as \(Value.self)" }
}
