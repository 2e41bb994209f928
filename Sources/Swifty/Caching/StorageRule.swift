// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Whether a response is stored, by RFC 9111 §3 and the caller's policy.
struct StorageRule {
    let request: NetworkRequest
    let policy: CachePolicy
    /// The largest response, in bytes.
    let maximumBytes: Int

    /// The response to a GET request as it is stored; `nil` if it must not be, or would be of no use.
    func stored(_ response: TransportResponse, _ times: CacheTimes) -> StoredResponse? {
        request.method == .get && isComplete(response) ? storedComplete(response, times) : nil
    }

    /// The response, which is known to be complete, as it is stored; `nil` if it must not be, or would be of no use.
    func storedComplete(_ response: TransportResponse, _ times: CacheTimes) -> StoredResponse? {
        let (head, headers) = (response.head, response.head.headers)
        guard !Self.unstored.contains(head.statusCode),
            (200...599).contains(head.statusCode)
        else { return nil }
        let directives = CacheDirectives(headers)
        if CacheDirectives(request.headers).contains("no-store") || forbids(directives, head.statusCode) { return nil }
        let decision = policy.decide?(CachePolicy.Context(request: request, head: head)) ?? .standard
        if decision == .discard { return nil }
        let ownLifetime = decision.lifetime
        // The cookie, and perhaps the content, belong to one user, and nothing in the request names this user.
        if headers.contains(.setCookie), policy.partition == nil, !directives.contains("public") { return nil }
        let isPartitioned = policy.partition != nil
        guard let variant = CacheVariant(of: head, to: request, isPartitioned: isPartitioned) else { return nil }
        let stored = StoredResponse(
            head: head.forStoring,
            content: response.content,
            times: times,
            variant: variant,
            ownLifetime: ownLifetime
        )
        let isAllowed = ownLifetime != nil || allows(directives, head)
        return isAllowed && isUseful(stored) && stored.size <= maximumBytes ? stored : nil
    }

    /// Partial content, answers to conditions, challenges, which a credential changes, and what is about the single
    /// request (RFC 6585 for 428, 429, 431 and 511).
    private static let unstored: Set = [206, 304, 401, 407, 408, 416, 421, 425, 428, 429, 431, 511]

    private func forbids(_ directives: CacheDirectives, _ status: Int) -> Bool {
        // A server that says which statuses a cache must understand forbids the others (RFC 9111 §5.2.2.3).
        if directives.contains("must-understand") { return !Self.understood.contains(status) }
        return directives.contains("no-store")
    }

    /// The statuses of RFC 9110 whose requirements for caching are met here.
    private static let understood: Set = [
        200, 203, 204, 300, 301, 302, 303, 307, 308, 400, 403, 404, 405, 410, 414, 500, 501, 502, 503, 504,
    ]

    private func allows(_ directives: CacheDirectives, _ head: ResponseHead) -> Bool {
        Freshness.isHeuristic(head.statusCode) || head.headers.contains(.expires)
            || ["public", "private", "max-age"].contains { directives.contains($0) }
    }

    /// Whether the end of the content is known. What the end of the connection ends may be cut.
    private func isComplete(_ response: TransportResponse) -> Bool {
        let head = response.head
        if head.statusCode == 204 || head.httpVersion == .http2 || head.httpVersion == .http3 { return true }
        return head.mayHaveField("content-length") || head.mayHaveField("transfer-encoding")
    }

    /// Whether the response can answer a later request.
    private func isUseful(_ stored: StoredResponse) -> Bool {
        let freshness = stored.freshness
        if stored.hasValidator || !freshness.forbidsStale && freshness.staleIfError > 0 { return true }
        return freshness.rest(at: stored.times.received) + freshness.staleWhileRevalidate > 0
            && !freshness.isAlwaysValidated
    }
}

extension CachePolicy.Decision {
    /// The lifetime in seconds; `nil` for that of the response's fields.
    fileprivate var lifetime: Double? { if case .keep(let time) = self { max(time / .seconds(1), 0) } else { nil } }
}
