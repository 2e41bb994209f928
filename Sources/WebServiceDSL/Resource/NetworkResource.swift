// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

public import struct Foundation.Data

// Safety: one immutable reference and one mutex. The subclasses add no state, and other modules cannot subclass.
/// A request of a web API: described once, by modifiers, and loaded any number of times.
///
///     let search = GitHub.server.get("search/code").query("q", "swift").timeout(.seconds(5))
///
///     let response = try await search.load()                          // status, header fields, content, metrics
///     let text = try response.text()
///     let results = try await search.load(Results.self)               // decoded from JSON
///     for try await line in search.lines() { print(line) }            // read while it arrives
///     try await search.download(to: "results.json")                   // written to a file
///
/// A function of a ``WebService`` describes a request and returns it. Its mock file is named after the function, unless
/// `name(_:)` gives the request another name, which errors and logs then have as well. A definition never needs `try`:
/// what is wrong with it is thrown at load. `server.get(…)` returns a ``NetworkResourceWithoutBody`` and
/// `server.post(…)` a ``NetworkResourceWithBody``, so the compiler refuses content where a request cannot have it;
/// `decode(_:)` returns a ``TypedResource``.
///
/// A resource is a class around one ``RequestDraft`` value. A load copies the draft: interceptors and retries do not
/// change the resource, and loading it twice sends the same request twice. A modifier changes the resource itself;
/// ``copy()`` makes an independent one. All methods may be called from any thread.
public class NetworkResource: ModifiableResource, @unchecked Sendable {
    let networkInterface: any NetworkInterface
    private let state: Mutex<RequestDraft>

    package required init(draft: RequestDraft, networkInterface: any NetworkInterface) {
        self.networkInterface = networkInterface
        self.state = Mutex(draft)
    }

    /// Makes an independent resource from a draft, of the kind that the draft's method requires.
    ///
    /// For network interfaces, whose hooks take a resource and may change it.
    @_spi(Interface)
    public static func make(of draft: RequestDraft, networkInterface: any NetworkInterface) -> NetworkResource {
        draft.allowsContent
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

    /// Sets the bytes of the content. You can build your own content modifiers on it.
    ///
    /// If the method allows no content, `load` fails with ``SwiftyError/Code/contentNotAllowed``.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - contentType: The `Content-Type`, unless the request has one; `application/octet-stream` if `nil`.
    @discardableResult
    public func data(_ data: Data, contentType: String? = nil) -> Self {
        modify { $0.setContent(.data(data), contentType: contentType ?? "application/octet-stream") }
    }
}

// Safety: adds no state to `NetworkResource`.
/// A request that may carry content: `post`, `put`, `patch`, `delete`, and `request` with any method.
public final class NetworkResourceWithBody: NetworkResource, @unchecked Sendable {}

// Safety: adds no state to `NetworkResource`.
/// A request without content: `get`, `head`, `options`. Content modifiers do not compile.
public final class NetworkResourceWithoutBody: NetworkResource, @unchecked Sendable {
    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @available(
        *,
        unavailable,
        message: "a GET, HEAD or OPTIONS request carries no content; use post(_:), put(_:) or patch(_:)"
    )
    @discardableResult
    public override func data(_ data: Data, contentType: String? = nil) -> Self {
        super.data(data, contentType: contentType)
    }
}

extension NetworkResource: CustomStringConvertible, CustomReflectable {
    /// One line without secrets: name, method, URL and tags.
    public var description: String { draft.description }

    /// The description alone, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
