// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A request whose response becomes a value; the result of ``NetworkResource/decode(_:decoder:)``.
///
///     static func user(_ id: Int) -> TypedResource<User> {
///         server.get("users/{id}", ["id": id]).decode(User.self)
///     }
///     static func names() -> TypedResource<[String]> {
///         server.get("users").decode([User].self, at: "data.users").map { $0.map(\.name) }
///     }
///     let user = try await API.user(42).load()
///
/// It has the modifiers of every ``ModifiableResource``, and is independent of the resource that it was made from.
public final class TypedResource<Value: Sendable>: ModifiableResource {
    let resource: NetworkResource
    let reader: ResponseReader<Value>

    init(_ resource: NetworkResource, _ reader: ResponseReader<Value>) {
        self.resource = .make(of: resource.draft, networkInterface: resource.networkInterface)
        self.reader = reader
    }

    /// Makes an independent resource with the same description and value; see ``ModifiableResource/copy()``.
    public func copy() -> Self {
        Self(resource, reader)
    }

    /// The description of the request at this moment.
    public var draft: RequestDraft { resource.draft }

    /// Changes the description of the request; see ``ModifiableResource``.
    @discardableResult
    public func modify(_ change: (inout RequestDraft) -> Void) -> Self {
        resource.modify(change)
        return self
    }
}

/// A value, together with its response.
public struct TypedResponse<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// The status and the header fields; `nil` only if an interceptor made a success without them.
    public let head: ResponseHead?
    /// The content that the value was made from.
    public let data: Data
    /// The measurements of the load.
    public let metrics: LoadMetrics
    /// The time that it took to make the value from the content.
    public let decodingTime: Duration
}

extension TypedResource: CustomStringConvertible {
    /// One line without secrets: name, method, URL, tags and the type of the value.
    public var description: String { "\(draft.description) as \(Value.self)" }
}
