// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

public import struct Foundation.Data

// Safety: one immutable reference and one mutex; the subclasses add no state, and nobody else can subclass.
/// One request of a web API, described and ready to be loaded as often as wanted.
///
/// A resource is a thin reference around a ``RequestDraft`` value. `load` copies the draft, so that nothing which happens
/// during a load (interceptors, retries) changes the resource, and loading it twice sends the same request twice.
/// A modifier changes the resource itself, for all who hold it; ``copy()`` gives one of its own to change.
/// All methods may be called from any thread.
///
/// Its two subclasses decide at compile time whether the request may carry a body: `server.post(…)` returns a
/// ``NetworkResourceWithBody``, `server.get(…)` a ``NetworkResourceWithoutBody``.
public class NetworkResource: ModifiableResource, @unchecked Sendable {
    let networkInterface: any NetworkInterface
    private let state: Mutex<RequestDraft>

    required init(draft: RequestDraft, networkInterface: any NetworkInterface) {
        self.networkInterface = networkInterface
        self.state = Mutex(draft)
    }

    /// Makes a resource of a draft: of the kind that the draft's method asks for, and independent of every other one.
    public static func make(of draft: RequestDraft, networkInterface: any NetworkInterface) -> NetworkResource {
        draft.allowsBody
            ? NetworkResourceWithBody(draft: draft, networkInterface: networkInterface)
            : NetworkResourceWithoutBody(draft: draft, networkInterface: networkInterface)
    }

    /// Another resource of the same kind and description, independent of this one; see ``ModifiableResource/copy()``.
    public final func copy() -> Self {
        Self(draft: draft, networkInterface: networkInterface)
    }

    /// The request as it is described at this moment.
    public final var draft: RequestDraft {
        state.withLock { $0 }
    }

    /// Changes the description of the request; see ``ModifiableResource``.
    @discardableResult
    public final func modify(_ change: (inout RequestDraft) -> Void) -> Self {
        state.withLock { change(&$0) }
        return self
    }

    /// Sets the bytes of the body: what modifiers of your own build on.
    ///
    /// If the request's method carries no body, `load` fails with ``SwiftyError/Code/bodyNotAllowed``.
    ///
    /// - Parameter mimeType: the `Content-Type`, unless the request has one already.
    @discardableResult
    public func data(_ data: Data, mimeType: String? = nil) -> Self {
        modify { $0.setBody(.data(data), contentType: mimeType ?? "application/octet-stream") }
    }
}

// Safety: adds no state to `NetworkResource`.
/// A request that may carry a body: `post`, `put`, `patch`, `delete`, and any method of your own.
public final class NetworkResourceWithBody: NetworkResource, @unchecked Sendable {}

// Safety: adds no state to `NetworkResource`.
/// A request that carries no body: `get`, `head`, `options`. The compiler refuses one.
public final class NetworkResourceWithoutBody: NetworkResource, @unchecked Sendable {
    /// Not available: a GET, HEAD or OPTIONS request carries no body.
    @available(
        *,
        unavailable,
        message: "a GET, HEAD or OPTIONS request carries no body; use post(_:), put(_:) or patch(_:)"
    )
    @discardableResult
    public override func data(_ data: Data, mimeType: String? = nil) -> Self {
        super.data(data, mimeType: mimeType)
    }
}

extension NetworkResource: CustomStringConvertible, CustomReflectable {
    /// One line without secrets: name, method, URL and tags.
    public var description: String { draft.description }

    /// Nothing beyond the description, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
