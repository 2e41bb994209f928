// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The credentials of a client: for each origin one, or one for each realm of it.
///
///     let credentials = CredentialStore()
///     try credentials.set(.digest(user: "me", password: password), for: "https://printer.example.com")
///     var configuration = Swifty.Configuration()
///     configuration.credentials = credentials
///     let swifty = Swifty(configuration: configuration)
///
/// A credential is for one origin: scheme, host and port. It is sent to no other, also after a redirect. It is sent when the
/// server asks for it (RFC 9110 §11), unless it was set to be sent preemptively. A request with an `Authorization` field of its
/// own is left alone. May be changed from any thread while loads are under way; a change counts from the next request on.
public final class CredentialStore: Sendable {
    /// A credential, and when it is sent.
    struct Entry: Sendable {
        let credential: Credential
        let isPreemptive: Bool
    }

    private struct Space: Hashable {
        let origin: String
        let realm: String?
    }

    private let entries = Mutex<[Space: Entry]>([:])

    /// Makes an empty store.
    public init() {}

    /// Sets the credential of an origin, in place of the one before.
    ///
    /// - Parameters:
    ///   - credential: the credential.
    ///   - serverURL: an absolute URL; only its origin counts.
    ///   - realm: the realm that it is for (RFC 9110 §11.5); `nil` for all that have none of their own.
    ///   - preemptively: whether a Basic or Bearer credential goes out with every request before it is asked for. It saves a
    ///     round trip, and gives the credential to the server unasked. Without effect if the origin has more than one.
    /// - Throws: ``TargetURI/ValidationError`` if the URL is no `http` or `https` URL.
    public func set(
        _ credential: Credential,
        for serverURL: String,
        realm: String? = nil,
        preemptively: Bool = false
    ) throws(TargetURI.ValidationError) {
        let space = Space(origin: try TargetURI(serverURL).origin, realm: realm)
        entries.withLock { $0[space] = Entry(credential: credential, isPreemptive: preemptively) }
    }

    /// Removes the credential of an origin; with a realm, that realm's.
    ///
    /// - Throws: ``TargetURI/ValidationError`` if the URL is no `http` or `https` URL.
    public func remove(for serverURL: String, realm: String? = nil) throws(TargetURI.ValidationError) {
        let space = Space(origin: try TargetURI(serverURL).origin, realm: realm)
        entries.withLock { $0[space] = nil }
    }

    /// Removes all credentials.
    public func removeAll() {
        entries.withLock { $0.removeAll() }
    }

    /// The credential for a realm of an origin: its own one, or the one for all realms.
    func credential(for origin: String, realm: String?) -> Credential? {
        entries.withLock { entries in
            let entry = entries[Space(origin: origin, realm: realm)] ?? entries[Space(origin: origin, realm: nil)]
            return entry?.credential
        }
    }

    /// The one entry of an origin; `nil` if it has none or several, as then it is not known which realm a request is in.
    func onlyEntry(for origin: String) -> Entry? {
        entries.withLock { entries in
            let own = entries.filter { $0.key.origin == origin }
            return own.count == 1 ? own.first?.value : nil
        }
    }
}

extension CredentialStore: CustomStringConvertible, CustomReflectable {
    /// The origins, and nothing secret.
    public var description: String {
        let origins = entries.withLock { Set($0.keys.map(\.origin)).sorted() }
        return "CredentialStore(\(origins.joined(separator: ", ")))"
    }

    /// Nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
