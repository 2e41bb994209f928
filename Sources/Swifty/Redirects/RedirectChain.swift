// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// The redirects of one attempt: response in, next request out.
struct RedirectChain {
    /// The parts of a request that detect a loop. With a new cookie, the same URL may give another response.
    private struct Visit: Equatable {
        let method: HTTPRequest.Method
        let url: String
        let content: Data?
        let cookie: String?

        init(_ request: NetworkRequest) {
            method = request.method
            url = request.target.string
            content = request.content.data
            cookie = request.headers[.cookie]
        }
    }

    let policy: RedirectPolicy
    /// The number of redirects that were followed.
    private(set) var count = 0
    /// Whether a request went to another origin. From then on no secrets are sent, not even to the first origin again.
    private(set) var hasLeftOrigin = false
    /// Whether a request was redirected to another method, which says that it was processed.
    private(set) var hasTakenEffect = false
    /// Whether one of these must not be repeated: a retry would repeat its effect.
    private(set) var mustNotBeRepeated = false
    /// The fragment of the last `Location` that had one.
    private(set) var fragment: String?
    /// The names of the fields that were removed at a change of origin.
    private var strippedFieldNames: Set<String> = []
    private var visits: [Visit] = []
    /// The fields that the caller and the configuration have set. Request interceptors have set all others.
    private let ownFields: [HTTPFields]

    /// - Parameter ownFields: The fields that were set on the request itself and in the configuration.
    init(_ policy: RedirectPolicy, ownFields: [HTTPFields]) {
        self.policy = policy
        self.ownFields = ownFields
    }

    /// Whether a status redirects, with a `Location`.
    static func isRedirect(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// The request to which a response redirects; `nil` if the response is final.
    ///
    /// - Throws: ``SwiftyError`` if the policy or the rules do not permit the redirect.
    mutating func nextRequest(
        after head: ResponseHead,
        of request: NetworkRequest
    ) throws(SwiftyError) -> NetworkRequest? {
        guard policy.maximumCount > 0, Self.isRedirect(head.statusCode),
            let location = try RedirectLocation(head, of: request)
        else { return nil }
        if count >= policy.maximumCount {
            throw .redirect(
                .tooManyRedirects,
                "there are more than \(policy.maximumCount) redirects, \(Setting.redirectCount.limit)"
            )
        }
        var next = request
        next.target = location.target
        if Self.becomesGet(request.method, head.statusCode) { next.dropContent() }
        next = try applyPolicy(to: next, after: request)
        fragment = location.fragment ?? fragment
        return next
    }

    /// Applies the policy to the request after a redirect: removes the fields that must not be sent, sets the
    /// `Referer`.
    ///
    /// - Throws: ``SwiftyError`` if the policy does not permit the request.
    mutating func applyPolicy(
        to next: NetworkRequest,
        after request: NetworkRequest
    ) throws(SwiftyError) -> NetworkRequest {
        let isDowngrade = request.target.scheme == .https && next.target.scheme == .http
        if isDowngrade, !policy.allowsDowngrade {
            throw .redirect(.insecureRedirect, "the redirect leads from https to http")
        }
        let leaves = next.target.origin != request.target.origin
        if leaves, !next.content.isNone, !policy.resendsContentAcrossOrigins {
            throw .redirect(.redirectRefused, "the redirect asks to send the content to another origin")
        }
        var next = next
        if leaves { leaveOrigin(of: request) }
        if hasLeftOrigin { next.headers = next.headers.filter { !isStripped($0.name) } }
        if policy.sendsReferer { next.headers[.referer] = isDowngrade ? nil : Self.referer(request, leaves) }
        return next
    }

    /// Records a redirect whose request is about to be sent.
    ///
    /// - Throws: ``SwiftyError`` if that request was sent before.
    mutating func follow(
        from request: NetworkRequest,
        to next: NetworkRequest
    ) throws(SwiftyError) {
        visits.append(Visit(request))
        if visits.contains(Visit(next)) {
            throw .redirect(.redirectLoop, "the redirect leads to a request that was sent before")
        }
        count += 1
        if next.method != request.method {
            hasTakenEffect = true
            if !request.isIdempotent { mustNotBeRepeated = true }
        }
    }

    private mutating func leaveOrigin(of request: NetworkRequest) {
        hasLeftOrigin = true
        for field in request.headers where !mayCross(field) { strippedFieldNames.insert(field.name.canonicalName) }
    }

    private func isStripped(_ name: HTTPField.Name) -> Bool {
        strippedFieldNames.contains(name.canonicalName) || name.isBoundToOrigin
    }

    private func mayCross(_ field: HTTPField) -> Bool {
        if field.name.isBoundToOrigin { return false }
        return RedirectFields.isHarmless(field.name) || ownFields.contains { $0.contains(field) }
    }

    private static func becomesGet(_ method: HTTPRequest.Method, _ status: Int) -> Bool {
        switch status {
        case 301, 302: method == .post
        case 303: method != .head
        default: false
        }
    }

    /// The `Referer`. A target has neither user information nor a fragment.
    private static func referer(_ request: NetworkRequest, _ leaves: Bool) -> String {
        leaves ? request.target.origin + "/" : request.target.string
    }
}

extension NetworkRequest {
    fileprivate mutating func dropContent() {
        method = .get
        content = .none
        headers = headers.filter { !RedirectFields.describesContent($0.name) }
    }
}

/// Classifies the header fields of a redirected request.
enum RedirectFields {
    /// Whether a field describes the content, and is removed with it.
    static func describesContent(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.hasPrefix("content-") || ofContent.contains(name.canonicalName)
    }

    /// Whether a field may go to another origin even if a request interceptor has set it.
    static func isHarmless(_ name: HTTPField.Name) -> Bool {
        harmless.contains(name.canonicalName) || describesContent(name)
    }

    private static let ofContent: Set<String> = [
        "digest", "repr-digest", "last-modified", "transfer-encoding", "trailer", "expect", "idempotency-key",
    ]

    private static let harmless: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "pragma", "priority",
        "range", "user-agent", "traceparent",
    ]
}

extension SwiftyError {
    /// The error of a redirect that is not followed, without its response.
    static func redirect(_ code: Code, _ reason: String) -> SwiftyError {
        SwiftyError(code, stage: .validation, sent: .responded, reason: reason)
    }
}
