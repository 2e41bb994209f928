// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

@_spi(Interface) import WebServiceDSL

extension Load {
    /// Makes attempts until the result of one is final.
    func loadFromNetwork() async throws(SwiftyError) -> LoadedResponse {
        // Made after the first attempt: most loads need none, and it would be in the frame of each that waits.
        var plan: RetryPlan?
        while true {
            state.draft.attempt = state.metrics.attempts.count + 1
            emit(.attemptStarted(state.draft.attempt))
            let result = await attempt(plan)
            // Most loads end here: one attempt, and no other allowed.
            guard isHeld || mayBeFollowed(plan), let next = try await prepareNextAttempt(after: result, plan) else {
                return try result.get()
            }
            plan = next
        }
    }

    /// Whether the retry policy or an attempt interceptor may ask for another attempt.
    @inline(never)
    func mayBeFollowed(_ plan: RetryPlan?) -> Bool {
        let policy = plan?.policy ?? retryPolicy
        return policy.maximumAttempts > 1 || policy.connectionWait != nil || !configuration.attemptInterceptors.isEmpty
    }

    private var retryPolicy: RetryPolicy { state.draft.retryPolicy ?? configuration.retry }

    /// Prepares another attempt, if one follows.
    ///
    /// - Returns: The plan of the attempts; `nil` if the result is final.
    @inline(never)
    private func prepareNextAttempt(
        after result: Result<LoadedResponse, SwiftyError>,
        _ plan: RetryPlan?
    ) async throws(SwiftyError) -> RetryPlan? {
        var open = try? result.get().open
        do throws(SwiftyError) {
            let response = result.map(\.response)
            if isHeld, let refusal = try await invalidateRefusedCredential(after: response) {
                // Its admission may be the one that the loads of the constraints wait for.
                await close(open.take(), endsAttempt: true)
                try await waitForNewCredential(after: refusal)
                // Not counted: the retry policy has not asked for it.
                let plan = plan ?? RetryPlan(retryPolicy)
                plan.delay = .zero
                return plan
            }
            if !mayBeFollowed(plan) { return nil }
            let plan = plan ?? RetryPlan(retryPolicy)
            guard let delay = try await retryDelay(after: response, plan) else { return nil }
            let start = clock.now()
            await close(open.take(), endsAttempt: true)
            emit(.retryScheduled(after: delay))
            // The rest of a streamed response may have taken a part of the time, or all of it.
            let rest = start + delay - clock.now()
            if rest > .zero { await clock.sleep(for: rest, until: cancellation) }
            try checkEnd(stage: .queue)
            if isHeld { try await waitBeforeRetry() }
            plan.beginAttempt(after: delay)
            return plan
        } catch {
            abandon(open, endsAttempt: true)
            throw error
        }
    }

    /// Waits for the constraints that gate retries.
    private func waitBeforeRetry() async throws(SwiftyError) {
        let gating = constraints.filter(\.gatesRetries)
        if gating.isEmpty { return }
        try await wait(for: gating)
        try checkEnd(stage: .constraint)
    }

    /// One attempt: the request interceptors on a fresh copy of the draft, then the exchange.
    private func attempt(_ plan: RetryPlan?) async -> Result<LoadedResponse, SwiftyError> {
        beginAttempt(configuration.timeouts, clock)
        defer { endAttempt() }
        do throws(SwiftyError) {
            let request = try await prepareRequest(plan)
            return .success(try decode(await exchange(request), to: request))
        } catch {
            return .failure(error)
        }
    }

    /// Has the constraints invalidate the credential that a 401 or 403 refused.
    ///
    /// - Returns: The refusal; `nil` if no constraint has invalidated a credential, or the content cannot be sent
    ///   again. After it, the constraints get a new credential, and the request is repeated, once and with any method,
    ///   since the server says that it has not processed it. The response of another origin does not count.
    private func invalidateRefusedCredential(
        after result: Result<NetworkResponse, SwiftyError>
    ) async throws(SwiftyError) -> NetworkResponse? {
        guard !state.hasReplacedCredential, state.exchange.isAtFirstOrigin, state.exchange.mayBeRepeated,
            !state.metrics.source.isWithoutRequest,
            case .success(let response) = result, [401, 403].contains(response.statusCode)
        else { return nil }
        let isInvalidated = try await invalidateCredentials(after: response)
        if !isInvalidated || state.draft.hasUsedUpContent { return nil }
        state.hasReplacedCredential = true
        return response
    }

    /// Asks all constraints, because more than one may have to invalidate a credential.
    private func invalidateCredentials(after refusal: NetworkResponse) async throws(SwiftyError) -> Bool {
        let (asked, scope) = (constraints.filter { !$0.isBeingSatisfiedHere }, state.draft.scope)
        do throws(SwiftyError) {
            return try await hooks.run(.fixed("invalidate(after:)"), stage: .constraint, sent: .responded) { _ in
                var isInvalidated = false
                for constraint in asked {
                    let isItsOwn = await NetworkScope.run(in: scope) {
                        await constraint.dropCredential(after: refusal)
                    }
                    if isItsOwn { isInvalidated = true }
                }
                return isInvalidated
            }
        } catch {
            throw error.withResponse(refusal.head, content: refusal.data)
        }
    }

    private func waitForNewCredential(after refusal: NetworkResponse) async throws(SwiftyError) {
        do throws(SwiftyError) {
            try await wait(for: constraints)
            try checkEnd(stage: .constraint)
        } catch {
            throw error.withResponse(refusal.head, content: refusal.data)
        }
    }

    /// The request of a new attempt: runs the request interceptors, reads the content, and begins the exchange.
    @inline(never)
    private func prepareRequest(_ plan: RetryPlan?) async throws(SwiftyError) -> NetworkRequest {
        var draft = runsRequestInterceptors ? try await intercept() : state.draft
        // An interceptor or a retry policy may have added the need for a key.
        if draft.awaitsIdempotencyKey { draft = draft.fixingIdempotencyKey(&state.idempotencyKey) }
        var request =
            if draft.hasContentToOpen {
                try await readRequest(draft)
            } else {
                try await draft.makeRequest(defaultTimeouts: configuration.timeouts)
            }
        try environment.complete(&request)
        state.keepIdempotencyKey(of: &request)
        try (draft.requestCompression ?? configuration.requestCompression)?.apply(to: &request)
        if let plan, plan.requiresNewConnection { request.requiresNewConnection = true }
        pace(&request)
        observeTransfer(of: &request)
        state.request = request
        state.exchange = Exchange(
            draft.redirectPolicy ?? configuration.redirects,
            wait: plan?.delay ?? .zero,
            isRepetition: plan != nil
        )
        emit(.intercepted(request))
        return request
    }

    /// The request of a draft whose file must be opened first, which may take long, as with a pipe.
    private func readRequest(_ draft: RequestDraft) async throws(SwiftyError) -> NetworkRequest {
        let timeouts = configuration.timeouts
        let name = HookName.fixed("the reader of the request's content")
        return try await hooks.run(name, stage: .building) {
            (_: HookRun<NetworkRequest>) async throws(SwiftyError) in
            try await draft.makeRequest(defaultTimeouts: timeouts)
        }
    }

    private func observeTransfer(of request: inout NetworkRequest) {
        let handlers = state.draft.transfer?.values.eventHandlers ?? []
        if configuration.observers.isEmpty, handlers.isEmpty, progress == nil { return }
        let (observers, observed, progress) = (configuration.observers, observed, progress)
        request.onEvent = { event in
            progress?.observe(event)
            for handler in handlers { handler(event) }
            for observer in observers { observer.observe(.transfer(event), of: observed) }
        }
    }

    /// Limits the rate at which the content of a request is sent.
    private func pace(_ request: inout NetworkRequest) {
        guard let bandwidth = state.draft.transfer?.values.upload else { return }
        guard let source = request.content.source ?? request.content.data.map({ BufferedSource($0) }) else { return }
        request.content = .source(PacedSource(source, bandwidth: bandwidth, clock: clock))
    }

    /// The response of an exchange, decoded unless its content is still arriving.
    ///
    /// - Parameter request: The first request of the exchange, which may have ended with another one.
    @inline(never)
    private func decode(_ received: Received, to request: NetworkRequest) throws(SwiftyError) -> LoadedResponse {
        let (response, request) = (received.response, state.request ?? request)
        let content = try configuration.contentDecoding.decode(response, to: request)
        state.metrics.decodedContentBytes = content.count
        let loaded = NetworkResponse(
            of: state.draft,
            head: response.head,
            data: content,
            request: request,
            metrics: state.metrics
        )
        return LoadedResponse(response: loaded, open: received.open)
    }
}
