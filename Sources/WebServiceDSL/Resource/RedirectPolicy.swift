// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The conditions under which redirects are followed.
///
/// Set it on a `Swifty` for all of its requests, or with `redirects(_:)` on one. The statuses 301, 302, 303, 307 and
/// 308 with a `Location` are redirects; 300, 304, 305 and 306 are final responses. No policy can widen these rules:
///
/// - only `http` and `https` are followed, and user information in a `Location` is ignored;
/// - 303 makes the next request a GET (HEAD stays), 301 and 302 do so for POST only, 307 and 308 never; the fields that
///   describe dropped content are also dropped;
/// - when scheme, host or port change, the request loses every field whose name marks it as secret (`Authorization`,
///   `Cookie`, `X-API-Key` …), `Host`, `Origin`, `Referer`, and fields that a request interceptor has added, except
///   harmless ones such as `Accept`. They stay removed even if a redirect leads back to the first origin.
///
/// A redirect that the rules or the policy forbid is a ``SwiftyError`` with the last head and content:
/// `tooManyRedirects`, `redirectLoop`, `insecureRedirect` or `redirectRefused`. Request interceptors do not run again
/// for the redirected request, and the time limit of a load covers all of its redirects. Source: RFC 9110 §15.4.
public struct RedirectPolicy: Sendable {
    /// The maximum number of redirects; one more is an error. With 0, the 3xx is the response.
    public var maximumCount: Int
    /// Whether `https` may lead to `http`: without secret fields, but readable in transit.
    public var allowsDowngrade: Bool
    /// Whether content may be sent to another scheme, host or port, as 307 and 308 require.
    public var resendsContentAcrossOrigins: Bool
    /// Whether the next request has a `Referer`: the whole URL on the same origin, the origin alone for another, none
    /// from `https` to `http`.
    public var sendsReferer: Bool
    /// Decides about each redirect that the rules permit; `nil` follows them all.
    public var decide: (@Sendable (Context) async -> Decision)?

    /// Makes a policy; by default ``follow``.
    public init(
        maximumCount: Int = 20,
        allowsDowngrade: Bool = false,
        resendsContentAcrossOrigins: Bool = false,
        sendsReferer: Bool = false,
        decide: (@Sendable (Context) async -> Decision)? = nil
    ) {
        self.maximumCount = maximumCount
        self.allowsDowngrade = allowsDowngrade
        self.resendsContentAcrossOrigins = resendsContentAcrossOrigins
        self.sendsReferer = sendsReferer
        self.decide = decide
    }

    /// Up to 20 redirects, never from `https` to `http`.
    public static let follow = RedirectPolicy()
    /// No redirects: a 3xx is the response.
    public static let none = RedirectPolicy(maximumCount: 0)
}

extension RedirectPolicy {
    /// The facts about a redirect on which ``decide`` bases its decision.
    public struct Context: Sendable {
        /// The request that was redirected.
        public let request: NetworkRequest
        /// The head of the response that redirects it.
        public let head: ResponseHead
        /// The next request by the rules of ``RedirectPolicy``.
        public let next: NetworkRequest
        /// The number of redirects that were followed before this one.
        public let count: Int

        /// Makes a context, for tests of policies.
        public init(request: NetworkRequest, head: ResponseHead, next: NetworkRequest, count: Int) {
            self.request = request
            self.head = head
            self.next = next
            self.count = count
        }
    }
}

extension RedirectPolicy {
    /// The step after a redirect.
    public enum Decision: Sendable {
        /// The next request is sent.
        case follow
        /// The 3xx is the load's response.
        case refuse
        /// Another request is sent in place of the next one, if the rules of ``RedirectPolicy`` permit it. It does not
        /// get back the secrets that the rules have removed.
        case change(NetworkRequest)
    }
}
