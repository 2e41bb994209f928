// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension LoadPipeline {
    /// Makes attempts until one is to be delivered.
    nonisolated(nonsending) func answerOfNetwork(_ load: Load) async throws(SwiftyError) -> NetworkResponse {
        var plan = retryPlan(of: load)
        var wait = Duration.zero
        plan.beginAttempt()
        while true {
            emit(.attemptStarted(load.metrics.attempts.count + 1), load)
            let result = await attempt(load, plan, wait)
            if isHeld(load), try await hasNewCredential(after: result, load) {
                wait = .zero
                continue
            }
            // Most loads end here: one attempt, and no other allowed.
            guard plan.policy.maximumAttempts > 1, let next = await following(result, &plan, load) else {
                return try outcome(result, load)
            }
            wait = next
            emit(.retryScheduled(after: wait), load)
            if wait > .zero { await clock.sleep(for: wait, until: load.cancellation) }
            try load.checkEnd(stage: .queue)
            plan.beginAttempt()
        }
    }

    /// The last attempt's outcome, unless the load ended after it.
    @inline(never)
    private func outcome(
        _ result: Result<NetworkResponse, SwiftyError>,
        _ load: Load
    ) throws(SwiftyError) -> NetworkResponse {
        if let error = load.endBetweenAttempts { throw error }
        return try result.get()
    }

    @inline(never)
    private func retryPlan(of load: Load) -> RetryPlan {
        RetryPlan(load.draft.retryPolicy ?? configuration.retry)
    }

    /// Whether a constraint has replaced the credential that the request was refused with: then it is sent again, once, and
    /// by the server's own word without having done anything, so with any method. Another origin's word does not count.
    nonisolated(nonsending) private func hasNewCredential(
        after result: Result<NetworkResponse, SwiftyError>,
        _ load: Load
    ) async throws(SwiftyError) -> Bool {
        guard !load.hasNewCredential, load.exchange.isAtItsOrigin, load.exchange.mayBeRepeated,
            case .success(let response) = result, [401, 403].contains(response.statusCode)
        else { return false }
        // All are asked: more than one may have to drop what it holds.
        let invalidated = constraints.filter { !$0.isBeingSatisfiedHere && $0.invalidate(after: response) }
        if invalidated.isEmpty { return false }
        load.hasNewCredential = true
        do throws(SwiftyError) {
            try await waitForConstraints(load)
        } catch {
            var error = error
            (error.head, error.body) = (response.head, response.data)
            throw error
        }
        return true
    }

    /// One attempt: interceptors on a fresh copy, then the exchange.
    nonisolated(nonsending) private func attempt(
        _ load: Load,
        _ plan: RetryPlan,
        _ wait: Duration
    ) async -> Result<NetworkResponse, SwiftyError> {
        load.beginAttempt(configuration.timeouts, clock)
        defer { load.endAttempt() }
        do throws(SwiftyError) {
            let request = try await beginAttempt(load, plan, wait)
            let answer = try await exchange(request, load)
            // The exchange may have ended with another request than it began with.
            return .success(try response(of: answer, to: load.request ?? request, load))
        } catch {
            return .failure(error)
        }
    }

    /// Everything that comes before the exchange: request interceptors, reading the content, freezing.
    // Kept out of the frames of waiting loads.
    @inline(never)
    nonisolated(nonsending) private func beginAttempt(
        _ load: Load,
        _ plan: RetryPlan,
        _ wait: Duration
    ) async throws(SwiftyError) -> NetworkRequest {
        let draft = configuration.requestInterceptors.isEmpty ? load.draft : try await intercept(load)
        var request =
            if draft.hasContentToRead {
                try await readRequest(draft, load)
            } else {
                try await draft.makeRequest(defaultTimeouts: configuration.timeouts)
            }
        begin(&request, plan, Exchange(draft.redirectPolicy ?? configuration.redirects, wait: wait), load)
        return request
    }

    /// The request of a draft whose content must be read first: from a stream of the user's, say, or a pipe.
    // Kept out of the frames of waiting loads.
    @inline(never)
    nonisolated(nonsending) private func readRequest(
        _ draft: RequestDraft,
        _ load: Load
    ) async throws(SwiftyError) -> NetworkRequest {
        let (timeouts, name) = (configuration.timeouts, HookName.fixed("the reader of the request's content"))
        return try await hooks(of: load).run(name, stage: .building) {
            (_: HookRun<NetworkRequest>) async throws(SwiftyError) in
            try await draft.makeRequest(defaultTimeouts: timeouts)
        }
    }

    /// The attempt begins: its request is complete, and known to the load and its observers.
    @inline(never)
    private func begin(_ request: inout NetworkRequest, _ plan: RetryPlan, _ exchange: Exchange, _ load: Load) {
        configuration.complete(&request)
        if plan.requiresNewConnection { request.requiresNewConnection = true }
        observeTransfer(of: &request, load)
        load.request = request
        load.exchange = exchange
        emit(.intercepted(request), load)
    }

    /// The answer, decoded.
    @inline(never)
    private func response(
        of answer: TransportResponse,
        to request: NetworkRequest,
        _ load: Load
    ) throws(SwiftyError) -> NetworkResponse {
        let content = try configuration.contentDecoding.decode(answer, to: request)
        load.metrics.decodedBodyBytes = content.count
        return NetworkResponse(head: answer.head, data: content, request: request, metrics: load.metrics)
    }

    private func observeTransfer(of request: inout NetworkRequest, _ load: Load) {
        if configuration.observers.isEmpty { return }
        let (observers, observed) = (configuration.observers, load.observed)
        request.onEvent = { event in
            for observer in observers { observer.observe(.transfer(event), of: observed) }
        }
    }
}

extension LoadPipeline {
    /// The wait before the attempt that follows; `nil` if the result is the load's.
    @inline(never)
    nonisolated(nonsending) private func following(
        _ result: Result<NetworkResponse, SwiftyError>,
        _ plan: inout RetryPlan,
        _ load: Load
    ) async -> Duration? {
        guard load.cancellation.code == nil, load.exchange.mayBeRepeated,
            let request = load.request
        else { return nil }
        if plan.attempts == 1 { retryBudget.deposit(request.target.origin) }
        // No time for another attempt: the policy has nothing to decide, and the result keeps its own error.
        if load.hasEnded { return nil }
        guard let outcome = RetryPlan.Outcome(result), !plan.isFinal(outcome, load.draft.acceptedStatuses)
        else { return nil }
        let step = plan.nextStep(
            after: outcome,
            of: request,
            retryAfter: outcome.retryAfter,
            fraction: .random(in: 0..<1)
        )
        guard let wait = await decide(step, outcome, plan, load) else { return nil }
        if let remaining = load.deadline?.remaining, remaining <= wait { return nil }
        return retryBudget.withdraw(request.target.origin) ? wait : nil
    }

    /// Lets the policy's own `decide` speak, within the replay rule.
    nonisolated(nonsending) private func decide(
        _ step: RetryPlan.Step,
        _ outcome: RetryPlan.Outcome,
        _ plan: RetryPlan,
        _ load: Load
    ) async -> Duration? {
        guard let decide = plan.policy.decide else { return step.wait }
        let context = RetryPolicy.Context(
            request: load.request,
            head: outcome.head,
            error: outcome.error,
            attempts: plan.attempts,
            proposal: step.wait.map { .retry(after: $0) } ?? .stop
        )
        let (hooks, name) = (hooks(of: load), HookName.fixed("decide of the retry policy"))
        let decision: RetryPolicy.Decision
        do throws(SwiftyError) {
            decision = try await hooks.run(name, stage: .validation, sent: outcome.sent) {
                (_: HookRun<RetryPolicy.Decision>) in
                await decide(context)
            }
        } catch {
            load.endBetweenAttempts = error
            return nil
        }
        guard case .retry(let wait, let change) = decision, plan.attempts < plan.policy.maximumAttempts,
            let request = load.request, outcome.mayRepeat(request)
        else { return nil }
        if let change {
            let resource = NetworkResource.make(of: load.draft, networkInterface: load.interface)
            change(resource)
            load.draft = resource.draft
        }
        return max(wait, .zero)
    }
}
