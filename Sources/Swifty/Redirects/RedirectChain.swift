// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The redirects of one attempt: what has been followed, and what follows next. Pure.
struct RedirectChain {
    /// Enough of a request to know that it was sent before; by a new cookie, the same URL may answer otherwise.
    private struct Visit: Equatable {
        let method: HTTPRequest.Method
        let url: String
        let body: NetworkRequest.Body?
        let cookie: String?

        init(_ request: NetworkRequest) {
            method = request.method
            url = request.target.string
            body = request.body
            cookie = request.headers[.cookie]
        }
    }

    let policy: RedirectPolicy
    /// How many redirects were followed.
    private(set) var count = 0
    /// Whether another origin was asked: from then on nothing secret is sent, not even back at the first.
    private(set) var hasLeftOrigin = false
    /// Whether a request that must not be repeated was answered by "done, now GET this": no retry may begin again.
    private(set) var hasProcessed = false
    /// The fragment that the redirects have led to.
    private(set) var fragment: String?
    /// The names of the fields that were taken off.
    private var taken: Set<String> = []
    private var visits: [Visit] = []
    /// The fields that the caller and the configuration have set; what else there is came from request interceptors.
    private let ownFields: [HTTPFields]

    /// - Parameter ownFields: what was set on the request itself and on the `Swifty`.
    init(_ policy: RedirectPolicy, ownFields: [HTTPFields]) {
        self.policy = policy
        self.ownFields = ownFields
    }

    /// Whether a status asks for another request, if it comes with a `Location`.
    static func isRedirect(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// The request that a response asks for by the rules; `nil` if the response is the load's.
    mutating func proposal(
        after head: ResponseHead,
        of request: NetworkRequest
    ) throws(RedirectRefusal) -> NetworkRequest? {
        guard policy.maximumCount > 0, Self.isRedirect(head.statusCode),
            let location = try RedirectLocation(head, of: request)
        else { return nil }
        if count >= policy.maximumCount {
            throw RedirectRefusal(
                .tooManyRedirects,
                "there are more than \(policy.maximumCount) redirects, \(Setting.redirectCount.limit)"
            )
        }
        var next = request
        next.target = location.target
        if Self.becomesGet(request.method, head.statusCode) { next.dropContent() }
        next = try permitted(next, after: request)
        fragment = location.fragment ?? fragment
        return next
    }

    /// A request as the rules permit it in place of a redirected one, without what must not go along.
    mutating func permitted(
        _ next: NetworkRequest,
        after request: NetworkRequest
    ) throws(RedirectRefusal) -> NetworkRequest {
        let isDowngrade = request.target.scheme == .https && next.target.scheme == .http
        if isDowngrade, !policy.allowsDowngrade {
            throw RedirectRefusal(.insecureRedirect, "the redirect leads from https to http")
        }
        let leaves = next.target.origin != request.target.origin
        if leaves, next.body != nil, !policy.resendsBodyAcrossOrigins {
            throw RedirectRefusal(.redirectRefused, "the redirect asks to send the body to another origin")
        }
        var next = next
        if leaves { leaveOrigin(of: request) }
        if hasLeftOrigin { next.headers = next.headers.filter { !isTaken($0.name) } }
        if policy.sendsReferer { next.headers[.referer] = isDowngrade ? nil : Self.referer(request, leaves) }
        return next
    }

    /// The next request is about to be sent.
    mutating func follow(
        from request: NetworkRequest,
        to next: NetworkRequest
    ) throws(RedirectRefusal) {
        visits.append(Visit(request))
        if visits.contains(Visit(next)) {
            throw RedirectRefusal(.redirectLoop, "the redirect leads to a request that was made before")
        }
        count += 1
        if !request.isIdempotent, next.method != request.method { hasProcessed = true }
    }

    private mutating func leaveOrigin(of request: NetworkRequest) {
        hasLeftOrigin = true
        for field in request.headers where !mayCross(field) { taken.insert(field.name.canonicalName) }
    }

    private func isTaken(_ name: HTTPField.Name) -> Bool {
        taken.contains(name.canonicalName) || RedirectFields.isBoundToOrigin(name)
    }

    private func mayCross(_ field: HTTPField) -> Bool {
        if RedirectFields.isBoundToOrigin(field.name) { return false }
        return RedirectFields.isHarmless(field.name) || ownFields.contains { $0.contains(field) }
    }

    private static func becomesGet(_ method: HTTPRequest.Method, _ status: Int) -> Bool {
        switch status {
        case 301, 302: method == .post
        case 303: method != .head
        default: false
        }
    }

    /// Never with user information or a fragment: a target has none.
    private static func referer(_ request: NetworkRequest, _ leaves: Bool) -> String {
        leaves ? request.target.origin + "/" : request.target.string
    }
}

extension NetworkRequest {
    fileprivate mutating func dropContent() {
        method = .get
        body = nil
        headers = headers.filter { !RedirectFields.describesContent($0.name) }
    }
}

/// Which header fields go along with a redirect.
enum RedirectFields {
    /// Whether a field says something about the content, and goes when the content does.
    static func describesContent(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.hasPrefix("content-") || ofContent.contains(name.canonicalName)
    }

    /// Whether a field is meant for one origin only, by its name: secrets, and what names the origin itself.
    static func isBoundToOrigin(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        return ofOrigin.contains(name) || name.hasPrefix("proxy-") || Redaction.isSecret(name: name)
            || (name.hasSuffix("-key") && name != "idempotency-key")
    }

    /// Whether a field that a request interceptor has set may go to another origin all the same.
    static func isHarmless(_ name: HTTPField.Name) -> Bool {
        harmless.contains(name.canonicalName) || describesContent(name)
    }

    private static let ofContent: Set<String> = [
        "digest", "repr-digest", "last-modified", "transfer-encoding", "trailer", "expect", "idempotency-key",
    ]

    private static let ofOrigin: Set<String> = [
        "host", "origin", "referer", "www-authenticate", "authentication-info", "x-auth", "x-auth-user", "x-auth-email",
    ]

    private static let harmless: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "pragma", "priority",
        "range",
        "user-agent", "traceparent",
    ]
}

/// Why a redirect that should be followed is not.
struct RedirectRefusal: Error, Equatable {
    let code: SwiftyError.Code
    /// In words, without secrets.
    let reason: String

    init(_ code: SwiftyError.Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
