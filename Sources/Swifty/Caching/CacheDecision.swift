// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What happens to a request for which a cache was asked (RFC 9111 §4).
enum CacheDecision {
    /// Nothing that is stored may be used, unless the server fails: the request is sent.
    case send(fallback: StoredResponse?)
    /// The stored response is the answer.
    ///
    /// - Parameter refreshes: Whether the server is asked for a newer one meanwhile.
    case answer(StoredResponse, LoadMetrics.Source, refreshes: Bool)
    /// The server is asked whether the stored response is current.
    case validate(StoredResponse)
    /// Nothing may be sent.
    case refuse

    /// Decides about a request.
    ///
    /// - Parameters:
    ///   - stored: The stored response that matches the request; `nil` for none.
    ///   - now: Seconds since 1970.
    init(_ request: NetworkRequest, mode: CachePolicy.Mode, _ stored: StoredResponse?, at now: Double) {
        let directives = CacheDirectives(request.headers)
        let mayBeSent = mode != .onlyStored && !directives.contains("only-if-cached")
        guard let stored, mode != .reload, mode != .none else {
            self = mayBeSent ? .send(fallback: nil) : .refuse
            return
        }
        if mode == .preferStored || mode == .onlyStored {
            self = .answer(stored, stored.freshness.rest(at: now) > 0 ? .cache : .staleCache, refreshes: false)
            return
        }
        if mode == .standard, !Self.asksServer(request, directives),
            let answer = Self.answer(with: stored, directives, at: now)
        {
            self = answer
        } else if mayBeSent {
            self = stored.hasValidator ? .validate(stored) : .send(fallback: stored)
        } else {
            self = .refuse
        }
    }

    /// Whether the request itself asks for the server's confirmation.
    private static func asksServer(_ request: NetworkRequest, _ directives: CacheDirectives) -> Bool {
        if directives.contains("no-cache") { return true }
        // HTTP/1.0's field counts only without the other one (RFC 9111 §5.4).
        guard !request.headers.contains(.cacheControl) else { return false }
        return request.headers[values: .literal("Pragma")].contains { $0.lowercased().contains("no-cache") }
    }

    private static func answer(
        with stored: StoredResponse,
        _ directives: CacheDirectives,
        at now: Double
    ) -> CacheDecision? {
        let freshness = stored.freshness
        if freshness.isAlwaysValidated { return nil }
        let rest = freshness.rest(at: now)
        if case .value(let limit) = directives.seconds("max-age"), freshness.age(at: now) > limit { return nil }
        if directives.seconds("max-age") == .invalid { return nil }
        if rest > 0 {
            let wanted = directives.seconds("min-fresh").number ?? 0
            return rest >= wanted ? .answer(stored, .cache, refreshes: false) : nil
        }
        guard !freshness.forbidsStale, rest.isFinite, !directives.contains("min-fresh") else { return nil }
        if directives.contains("max-stale"), -rest <= directives.seconds("max-stale").number ?? .infinity {
            return .answer(stored, .staleCache, refreshes: false)
        }
        return -rest < freshness.staleWhileRevalidate ? .answer(stored, .staleCache, refreshes: true) : nil
    }
}

extension StoredResponse {
    /// Whether the response is used because the server fails (RFC 5861 §4).
    func replacesFailure(_ request: NetworkRequest, at now: Double) -> Bool {
        guard !freshness.forbidsStale else { return false }
        let own = CacheDirectives(request.headers).seconds("stale-if-error").number ?? 0
        let rest = freshness.rest(at: now)
        return rest.isFinite && -rest <= max(freshness.staleIfError, own) && max(freshness.staleIfError, own) > 0
    }
}
