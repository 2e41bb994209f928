// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The credentials of a client: one for each origin, or one for each realm of an origin.
///
///     let credentials = CredentialStore()
///     try credentials.set(.digest(user: "me", password: password), for: "https://printer.example.com")
///     let swifty = Swifty { $0.credentials = credentials }
///
/// A credential is for one origin: scheme, host and port. It is never sent to another, not even after a redirect. It is
/// sent when the server asks for it (RFC 9110 §11), unless it was set to be sent preemptively. A request with its own
/// `Authorization` field is not changed. The store may be changed from any thread while loads are in flight; a change
/// applies from the next request on.
public final class CredentialStore: Sendable {
    /// A credential, and whether it is sent before the server asks for it.
    struct Entry: Sendable {
        let credential: Credential
        let isPreemptive: Bool
    }

    /// A protection space (RFC 9110 §11.5).
    private struct Space: Hashable {
        let origin: String
        let realm: String?
    }

    private let entries = Mutex<[Space: Entry]>([:])

    /// Makes an empty store.
    public init() {}

    /// Sets or replaces the credential of an origin, or of one realm of it.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - serverURL: An absolute URL; only its origin counts.
    ///   - realm: The realm that the credential is for (RFC 9110 §11.5); `nil` for all realms without their own
    ///     credential.
    ///   - preemptively: Whether a Basic or Bearer credential is sent with every request, before the server asks for
    ///     it. This saves a round trip, and discloses the credential to a server that may not need it. Has no effect if
    ///     the origin has more than one credential.
    /// - Throws: ``TargetURI/ValidationError`` if the URL is not a valid `http` or `https` URL.
    public func set(
        _ credential: Credential,
        for serverURL: String,
        realm: String? = nil,
        preemptively: Bool = false
    ) throws(TargetURI.ValidationError) {
        let space = Space(origin: try TargetURI(serverURL).origin, realm: realm)
        entries.withLock { $0[space] = Entry(credential: credential, isPreemptive: preemptively) }
    }

    /// Removes the credential of one realm of an origin; with `nil`, the one for all other realms.
    ///
    /// - Throws: ``TargetURI/ValidationError`` if the URL is not a valid `http` or `https` URL.
    public func remove(for serverURL: String, realm: String? = nil) throws(TargetURI.ValidationError) {
        let space = Space(origin: try TargetURI(serverURL).origin, realm: realm)
        entries.withLock { $0[space] = nil }
    }

    /// Removes all credentials.
    public func removeAll() {
        entries.withLock { $0.removeAll() }
    }

    /// The credential for a realm of an origin: the realm's own, or else the one for all realms.
    func credential(for origin: String, realm: String?) -> Credential? {
        entries.withLock { entries in
            let entry = entries[Space(origin: origin, realm: realm)] ?? entries[Space(origin: origin, realm: nil)]
            return entry?.credential
        }
    }

    /// The only entry of an origin; `nil` if it has none, or several, since the realm of a request is then unknown.
    func onlyEntry(for origin: String) -> Entry? {
        entries.withLock { entries in
            let own = entries.filter { $0.key.origin == origin }
            return own.count == 1 ? own.first?.value : nil
        }
    }
}

extension CredentialStore: CustomStringConvertible, CustomReflectable {
    /// The origins, without secrets.
    public var description: String {
        let origins = entries.withLock { Set($0.keys.map(\.origin)).sorted() }
        return "CredentialStore(\(origins.joined(separator: ", ")))"
    }

    /// The description as the only child.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
