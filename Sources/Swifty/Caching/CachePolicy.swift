// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// How a load uses a ``ResponseCache``.
///
///     server.get("prices").cache(.reload)
///     server.get("profile").cache(CachePolicy(partition: user.id))
///
/// Only GET and HEAD requests without content are answered from a cache. No policy can widen these rules: a response
/// with `no-store` or `Vary: *` is not stored, and neither is one that is incomplete, partial (206) or a challenge
/// (401, 407). Source: RFC 9111.
public struct CachePolicy: Sendable {
    /// Which stored responses a load may use.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// A fresh one; a stale one after the server has confirmed it, or where the server allows stale ones.
        case standard
        /// None: the request is sent, with `Cache-Control: no-cache`, and its response is stored.
        case reload
        /// One that the server has confirmed for this load; the request has `Cache-Control: max-age=0`.
        case revalidate
        /// Any, however old it is; without one, the request is sent.
        case preferStored
        /// Any, however old it is; without one, the load fails with ``SwiftyError/Code/notStored``. Nothing is sent.
        case onlyStored
        /// None, and the response is not stored.
        case none
    }

    /// Which stored responses are used.
    public var mode: Mode
    /// The name of the user, the account or the tenant that the responses belong to.
    ///
    /// Without a name, `nil`, responses belong to the credentials that were sent for them: the values of
    /// `Authorization`, `Cookie`, `X-API-Key` and other secret fields. With a name, these values do not count, so a
    /// response stays usable when a token is renewed. The name alone then keeps users apart.
    public var partition: String?
    /// Decides about each response that may be stored; `nil` follows its fields. Called on the load's task, which it
    /// must not block.
    public var decide: (@Sendable (Context) -> Decision)?

    /// Makes a policy; by default ``standard``.
    public init(
        _ mode: Mode = .standard,
        partition: String? = nil,
        decide: (@Sendable (Context) -> Decision)? = nil
    ) {
        self.mode = mode
        self.partition = partition
        self.decide = decide
    }

    /// Fresh responses are used, stale ones after the server has confirmed them.
    public static let standard = CachePolicy(.standard)
    /// The request is sent past all caches, and its response is stored.
    public static let reload = CachePolicy(.reload)
    /// The server is always asked whether the stored response is current.
    public static let revalidate = CachePolicy(.revalidate)
    /// Any stored response is used; without one, the request is sent.
    public static let preferStored = CachePolicy(.preferStored)
    /// Any stored response is used; nothing is sent.
    public static let onlyStored = CachePolicy(.onlyStored)
    /// The cache is neither read nor written.
    public static let none = CachePolicy(.none)
}

extension CachePolicy {
    /// The facts about a response on which ``decide`` bases its decision.
    public struct Context: Sendable {
        /// The request as it was sent.
        public let request: NetworkRequest
        /// The head of its response.
        public let head: ResponseHead

        /// Makes a context, for tests of policies.
        public init(request: NetworkRequest, head: ResponseHead) {
            self.request = request
            self.head = head
        }
    }

    /// What becomes of a response.
    public enum Decision: Sendable, Hashable {
        /// It is stored if its fields allow that.
        case standard
        /// It is not stored.
        case discard
        /// It is stored, and fresh for this time, whatever `max-age`, `Expires` and `no-cache` say.
        case keep(for: Duration)
    }
}
