// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

@_spi(Interface) import WebServiceDSL

// A request of an exchange and the cache: a stored response answers it, or it is sent, perhaps as the question whether
// a stored response is current, and its response is stored.

extension Load {
    /// Answers a request from the cache, or sends it and stores its response.
    @inline(never)
    func sendThroughCache(_ request: NetworkRequest) async throws(SwiftyError) -> Received {
        state.metrics.source = .network
        state.exchange.cacheStart = nil
        let mode = cacheMode
        if !request.method.isSafe {
            if mode == .onlyStored { throw notStored }
            return try await sendInvalidating(request)
        }
        var request = request
        if !request.headers.contains(.cacheControl) { request.headers[.cacheControl] = mode.requestDirective }
        guard let use = makeCacheUse(of: request) else {
            if mode == .onlyStored || CacheDirectives(request.headers).contains("only-if-cached") { throw notStored }
            return try await sendQuestion(request)
        }
        let stored = try await findStored(use)
        switch CacheDecision(request, mode: mode, stored, at: use.cache.now) {
        case .refuse:
            throw notStored
        case .answer(let stored, let source, let refreshes):
            use.cache.count(\.hits)
            if refreshes { refresh(use) }
            return try answer(with: stored, source, use)
        case .validate(let stored):
            return try await ask(use, about: stored)
        case .send(let fallback):
            use.cache.count(\.misses)
            return try await receive(use, replacing: stored, fallback: fallback)
        }
    }

    /// The mode of the policy; an attempt that follows a failure asks the server, unless nothing may be sent.
    private var cacheMode: CachePolicy.Mode {
        let mode = configuration.cache.mode
        let usesStored = mode == .standard || mode == .preferStored
        return usesStored && state.exchange.isRepetition ? .revalidate : mode
    }

    /// The use of the cache for a request; `nil` if a cache cannot answer it.
    private func makeCacheUse(of request: NetworkRequest) -> CacheUse? {
        let policy = configuration.cache
        // A signature may be that of any user.
        let isSigned = !configuration.signers.isEmpty && policy.partition == nil
        guard let cache, policy.mode != .none, !isStreamed, !isSigned, request.isCacheable,
            let key = CacheKey(request, partition: policy.partition)
        else { return nil }
        return CacheUse(cache: cache, key: key, policy: policy, request: request)
    }

    /// The stored response that matches the request, perhaps from the disk, which may be slow.
    private func findStored(_ use: CacheUse) async throws(SwiftyError) -> StoredResponse? {
        let (cache, request, key) = (use.cache, use.request, use.key)
        if let response = cache.responseInMemory(to: request, key) { return response }
        guard cache.isOnDisk else { return nil }
        return try await hooks.run(.fixed("the response cache"), stage: .queue) {
            (_: HookRun<StoredResponse?>) async throws(SwiftyError) in
            await cache.responseOnDisk(to: request, key)
        }
    }

    private func answer(
        with stored: StoredResponse,
        _ source: LoadMetrics.Source,
        _ use: CacheUse
    ) throws(SwiftyError) -> Received {
        state.metrics.source = source
        emit(.answered(from: source))
        return .whole(try limited(stored.answer(to: use.request, at: use.cache.now)))
    }

    /// - Throws: ``SwiftyError`` if the content is larger than the request allows.
    private func limited(_ response: TransportResponse) throws(SwiftyError) -> TransportResponse {
        if let limit = environment.contentLimit, response.content.count > limit { throw tooLarge(response) }
        return response
    }

    private var notStored: SwiftyError {
        SwiftyError(.notStored, stage: .queue, reason: "no stored response may be used, and nothing may be sent")
    }

    /// Loads the request once more, for the cache alone, unless another load does.
    private func refresh(_ use: CacheUse) {
        let (cache, key, interface) = (use.cache, use.key, interface)
        guard cache.beginRefresh(key) else { return }
        var policy = use.policy
        policy.mode = .revalidate
        let draft = state.draft.forRefresh(policy)
        CallerDeadline.removed {
            _ = Task {
                _ = await interface.load(draft, cancellation: LoadCancellation())
                cache.endRefresh(key)
            }
        }
    }
}

// MARK: Requests that are sent

extension Load {
    private func sendQuestion(
        _ request: NetworkRequest,
        since start: CacheUse.Start? = nil
    ) async throws(SwiftyError) -> Received {
        state.request = request
        state.exchange.cacheStart = start
        let received = try await sendPastCache(request)
        // Before the response is stored: what is stored has no proof.
        if case .whole(let response) = received {
            try state.exchange.authentication?.checkServer(of: response, to: request)
        }
        return received
    }

    /// Asks the server whether a stored response is current.
    private func ask(_ use: CacheUse, about stored: StoredResponse) async throws(SwiftyError) -> Received {
        let start = use.start
        let received: Received
        do throws(SwiftyError) {
            received = try await sendQuestion(stored.validating(use.request), since: start)
        } catch {
            return try answer(with: stored, insteadOf: error, use, since: start)
        }
        guard case .whole(let response) = received, response.head.statusCode == 304 else {
            return try finish(received, use, since: start, replacing: stored, fallback: stored)
        }
        guard stored.isConfirmed(by: response.head) else {
            // The server confirms another response than it was asked about.
            use.cache.remove(stored, use.key)
            return try await receive(use, replacing: nil, fallback: nil)
        }
        configuration.cookies?.store(from: response.head, of: use.request.target)
        state.metrics.source = .revalidatedCache
        use.cache.count(\.revalidations)
        let confirmed = use.confirm(stored, by: response.head, since: state.exchange.sharedStart ?? start)
        let answer = TransportResponse(
            head: confirmed.head,
            content: confirmed.content,
            metrics: response.metrics
        )
        return .whole(try limited(answer))
    }

    /// Sends a request, and stores its response.
    ///
    /// - Parameters:
    ///   - old: The stored response that a new one replaces.
    ///   - fallback: The stored response that is used if the server fails.
    private func receive(
        _ use: CacheUse,
        replacing old: StoredResponse?,
        fallback: StoredResponse?
    ) async throws(SwiftyError) -> Received {
        let start = use.start
        let received: Received
        do throws(SwiftyError) {
            received = try await sendQuestion(use.request, since: start)
        } catch {
            guard let fallback else { throw error }
            return try answer(with: fallback, insteadOf: error, use, since: start)
        }
        return try finish(received, use, since: start, replacing: old, fallback: fallback)
    }

    /// Stores a response, or uses a stored one in its place if the server has failed.
    private func finish(
        _ received: Received,
        _ use: CacheUse,
        since start: CacheUse.Start,
        replacing old: StoredResponse?,
        fallback: StoredResponse?
    ) throws(SwiftyError) -> Received {
        guard case .whole(let response) = received else { return received }
        if (500...504).contains(response.head.statusCode), let fallback, use.mayReplaceFailure(fallback, since: start) {
            return try answer(with: fallback, after: state.exchange.record(of: response), use)
        }
        // What another load has requested earlier is older, and may have been invalidated since.
        use.store(response, since: state.exchange.sharedStart ?? start, replacing: old)
        return received
    }

    /// The stored response in place of an error of the server or of the way to it.
    private func answer(
        with stored: StoredResponse,
        insteadOf error: SwiftyError,
        _ use: CacheUse,
        since start: CacheUse.Start
    ) throws(SwiftyError) -> Received {
        guard error.isTransientFailure || error.code == .circuitOpen, !hasEnded,
            use.mayReplaceFailure(stored, since: start)
        else { throw error }
        return try answer(with: stored, after: state.exchange.record(of: error), use)
    }

    /// A stale response in place of what a request got.
    private func answer(
        with stored: StoredResponse,
        after attempt: LoadMetrics.Attempt,
        _ use: CacheUse
    ) throws(SwiftyError) -> Received {
        if state.exchange.isBegun { record(attempt) }
        state.exchange.isBegun = false
        return try answer(with: stored, .staleCache, use)
    }
}

extension LoadMetrics.Source {
    /// Whether a cache has answered without the server.
    var isWithoutRequest: Bool { self == .cache || self == .staleCache }
}

extension RequestDraft {
    /// The draft of a load for the cache alone, which no progress and no observer of the request is told about.
    fileprivate func forRefresh(_ policy: CachePolicy) -> RequestDraft {
        var draft = forBackground()
        draft.changeRequestOptions { options in
            options.cache = policy
            options.isRefresh = true
        }
        return draft
    }
}

extension CachePolicy.Mode {
    /// What the caches on the way are told (RFC 9111 §5.2.1).
    fileprivate var requestDirective: String? {
        switch self {
        case .reload: "no-cache"
        case .revalidate: "max-age=0"
        case .standard, .preferStored, .onlyStored, .none: nil
        }
    }
}

extension HTTPRequest.Method {
    /// Whether requests of the method ask for no change (RFC 9110 §9.2.1).
    var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }
}

extension NetworkRequest {
    /// Whether a stored response may answer the request, or its response be stored: it is a GET or HEAD for the whole
    /// content, without a condition.
    fileprivate var isCacheable: Bool {
        let conditions: [HTTPField.Name] = [
            .range, .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange,
        ]
        return (method == .get || method == .head) && content.isNone
            && !conditions.contains { headers.contains($0) } && !CacheDirectives(headers).contains("no-store")
    }
}
