// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Whether redirects are followed, how far, and with what.
///
/// Set it on a `Swifty` for all of its requests, or with `redirects(_:)` on one. The statuses 301, 302, 303, 307 and 308 with a
/// `Location` are redirects; 300, 304, 305 and 306 are answers like any other. No policy can widen these rules:
///
/// - only `http` and `https` are followed, and user information in a `Location` is ignored;
/// - 303 makes the next request a GET (HEAD stays), 301 and 302 do so with POST only, 307 and 308 never; a body that is
///   dropped takes the fields that describe it along;
/// - where scheme, host or port change, every secret field (``Redaction/isSecret(name:)``), `Host`, `Origin` and `Referer`, and
///   whatever a request interceptor has added, are taken off, and do not come back, not even on the way back.
///
/// What is not followed although it should be is a ``SwiftyError`` with the last head and body: `tooManyRedirects`,
/// `redirectLoop`, `insecureRedirect` or `redirectRefused`. Request interceptors do not run again for the requests that
/// follow, and a load's time limit covers all of them. Source: RFC 9110 §15.4.
public struct RedirectPolicy: Sendable {
    /// How many redirects are followed; one more is an error. With 0 none is, and the 3xx is the response.
    public var maximumCount: Int
    /// Whether `https` may lead to `http`: without anything secret, but readable on the way.
    public var allowsDowngrade: Bool
    /// Whether a body may be sent again to another scheme, host or port, as 307 and 308 ask for.
    public var resendsBodyAcrossOrigins: Bool
    /// Whether the next request has a `Referer`: the whole URL on the same origin, the origin alone for another, nothing from
    /// `https` to `http`.
    public var sendsReferer: Bool
    /// Has the last word on each redirect that the rules permit; `nil` unless you need it.
    public var decide: (@Sendable (Context) async -> Decision)?

    /// Makes a policy; what is not given is as in ``follow``.
    public init(
        maximumCount: Int = 20,
        allowsDowngrade: Bool = false,
        resendsBodyAcrossOrigins: Bool = false,
        sendsReferer: Bool = false,
        decide: (@Sendable (Context) async -> Decision)? = nil
    ) {
        self.maximumCount = maximumCount
        self.allowsDowngrade = allowsDowngrade
        self.resendsBodyAcrossOrigins = resendsBodyAcrossOrigins
        self.sendsReferer = sendsReferer
        self.decide = decide
    }

    /// Up to 20 redirects, never from `https` to `http`.
    public static let follow = RedirectPolicy()
    /// None: a 3xx is the response, as it is.
    public static let none = RedirectPolicy(maximumCount: 0)
}

extension RedirectPolicy {
    /// What a policy's own `decide` knows of a redirect.
    public struct Context: Sendable {
        /// The request that was redirected.
        public let request: NetworkRequest
        /// The answer that redirects it.
        public let head: ResponseHead
        /// What is sent next by the rules of ``RedirectPolicy``.
        public let next: NetworkRequest
        /// How many redirects were followed before this one.
        public let count: Int

        /// Makes a context; for tests of policies.
        public init(request: NetworkRequest, head: ResponseHead, next: NetworkRequest, count: Int) {
            self.request = request
            self.head = head
            self.next = next
            self.count = count
        }
    }
}

extension RedirectPolicy {
    /// What follows a redirect.
    public enum Decision: Sendable {
        /// The next request is sent.
        case follow
        /// Nothing: the 3xx is the load's response.
        case refuse
        /// Another request is sent in place of the next one, if the rules of ``RedirectPolicy`` permit it; secrets that the rules
        /// took off do not come back with it.
        case change(NetworkRequest)
    }
}
