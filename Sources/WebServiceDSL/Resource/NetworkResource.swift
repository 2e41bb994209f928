// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

public import struct Foundation.Data

// Safety: one immutable reference and one mutex. The subclasses add no state, and other modules cannot subclass.
/// A request of a web API, which can be loaded any number of times.
///
/// A resource is a class around one ``RequestDraft`` value. `load` copies the draft: interceptors and retries do not
/// change the resource, and loading it twice sends the same request twice. A modifier changes the resource itself;
/// ``copy()`` makes an independent one. All methods may be called from any thread.
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

    /// Makes an independent resource from a draft, of the kind that the draft's method requires.
    public static func make(of draft: RequestDraft, networkInterface: any NetworkInterface) -> NetworkResource {
        draft.allowsBody
            ? NetworkResourceWithBody(draft: draft, networkInterface: networkInterface)
            : NetworkResourceWithoutBody(draft: draft, networkInterface: networkInterface)
    }

    /// Makes an independent resource of the same kind and description; see ``ModifiableResource/copy()``.
    public final func copy() -> Self {
        Self(draft: draft, networkInterface: networkInterface)
    }

    /// The description of the request at this moment.
    public final var draft: RequestDraft {
        state.withLock { $0 }
    }

    /// Changes the description of the request; see ``ModifiableResource``.
    @discardableResult
    public final func modify(_ change: (inout RequestDraft) -> Void) -> Self {
        state.withLock { change(&$0) }
        return self
    }

    /// Sets the bytes of the body. You can build your own body modifiers on it.
    ///
    /// If the method allows no body, `load` fails with ``SwiftyError/Code/bodyNotAllowed``.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - mimeType: The `Content-Type`, unless the request has one; `application/octet-stream` if `nil`.
    @discardableResult
    public func data(_ data: Data, mimeType: String? = nil) -> Self {
        modify { $0.setBody(.data(data), contentType: mimeType ?? "application/octet-stream") }
    }
}

// Safety: adds no state to `NetworkResource`.
/// A request that may carry a body: `post`, `put`, `patch`, `delete`, and `request` with any method.
public final class NetworkResourceWithBody: NetworkResource, @unchecked Sendable {}

// Safety: adds no state to `NetworkResource`.
/// A request without a body: `get`, `head`, `options`. Body modifiers do not compile.
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

    /// The description alone, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
