// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Date

// The steps of the pipeline that end before a load waits for its response, or that few loads take.
//
// A function that waits keeps a frame in memory, with room for everything that is inlined into it: these frames are the
// memory of a waiting load. `@inline(never)` keeps these steps out of them, here and in the types that the pipeline
// calls.

// MARK: - Attempts

extension LoadPipeline {
    @inline(never)
    func retryPlan(of load: Load) -> RetryPlan {
        RetryPlan(load.state.draft.retryPolicy ?? configuration.retry)
    }

    /// The request of a new attempt: runs the request interceptors, reads the content, and begins the exchange.
    @inline(never)
    func prepareRequest(
        _ load: Load,
        _ plan: RetryPlan,
        after delay: Duration
    ) async throws(SwiftyError) -> NetworkRequest {
        var draft = runsRequestInterceptors(load) ? try await intercept(load) : load.state.draft
        // An interceptor or a retry policy may have added the need for a key.
        if draft.awaitsIdempotencyKey { draft = draft.fixingIdempotencyKey(&load.state.idempotencyKey) }
        var request =
            if draft.hasContentToOpen {
                try await readRequest(draft, load)
            } else {
                try await draft.makeRequest(defaultTimeouts: configuration.timeouts)
            }
        configuration.complete(&request)
        load.state.keepIdempotencyKey(of: &request)
        (draft.requestCompression ?? configuration.requestCompression)?.apply(to: &request)
        if plan.requiresNewConnection { request.requiresNewConnection = true }
        pace(&request, load)
        observeTransfer(of: &request, load)
        load.state.request = request
        load.state.exchange = Exchange(draft.redirectPolicy ?? configuration.redirects, wait: delay)
        emit(.intercepted(request), load)
        return request
    }

    /// The request of a draft whose file must be opened first, which may take long, as with a pipe.
    private func readRequest(_ draft: RequestDraft, _ load: Load) async throws(SwiftyError) -> NetworkRequest {
        let timeouts = configuration.timeouts
        let name = HookName.fixed("the reader of the request's content")
        return try await hooks(of: load).run(name, stage: .building) {
            (_: HookRun<NetworkRequest>) async throws(SwiftyError) in
            try await draft.makeRequest(defaultTimeouts: timeouts)
        }
    }

    private func observeTransfer(of request: inout NetworkRequest, _ load: Load) {
        let handlers = load.state.draft.transfer?.values.eventHandlers ?? []
        if configuration.observers.isEmpty, handlers.isEmpty, load.progress == nil { return }
        let (observers, observed, progress) = (configuration.observers, load.observed, load.progress)
        request.onEvent = { event in
            progress?.observe(event)
            for handler in handlers { handler(event) }
            for observer in observers { observer.observe(.transfer(event), of: observed) }
        }
    }

    /// Limits the rate at which the content of a request is sent.
    private func pace(_ request: inout NetworkRequest, _ load: Load) {
        guard let bandwidth = load.state.draft.transfer?.values.upload else { return }
        guard let source = request.contentSource ?? request.body.map({ BufferedSource($0.bytes) }) else { return }
        request.body = nil
        request.contentSource = PacedSource(source, bandwidth, clock)
    }

    /// The response with its content decoded.
    @inline(never)
    func decode(
        _ response: TransportResponse,
        to request: NetworkRequest,
        _ load: Load
    ) throws(SwiftyError) -> NetworkResponse {
        let content = try configuration.contentDecoding.decode(response, to: request)
        load.state.metrics.decodedBodyBytes = content.count
        return NetworkResponse(head: response.head, data: content, request: request, metrics: load.state.metrics)
    }
}

// MARK: - Scopes

extension LoadPipeline {
    /// The transport of a load: that of its scope, or else the pipeline's own.
    @inline(__always)
    func transport(of load: Load) -> any Transport {
        load.state.draft.scope == nil && !MockedServices.isUsed ? transport : scopedTransport(of: load)
    }

    @inline(never)
    private func scopedTransport(of load: Load) -> any Transport {
        if let error = load.state.draft.lostMocksError(insteadOf: transport) {
            return RefusingTransport(error: error, capabilities: transport.capabilities)
        }
        guard let scoped = load.state.draft.scopedTransport(insteadOf: transport) else { return transport }
        if scoped.mocks != nil { load.state.metrics.isMocked = true }
        return scoped.transport(of: load.state.draft, clock: configuration.clock, insteadOf: transport)
    }

    /// The budget of a load's retries. Each scope has its own, so that tests do not use up that of others.
    private func retryBudget(of load: Load) -> RetryBudget {
        guard let scoped = load.state.draft.scopedTransport(insteadOf: transport) else { return retryBudget }
        return scoped.value(of: self) { RetryBudget(configuration.retryBudget) }
    }

    /// The admission of a load. The mocks of each test have a separate one: a mocked 429 must not hold the requests of
    /// other tests.
    @inline(__always)
    func admissions(of load: Load) -> AdmissionQueue {
        load.state.draft.scope == nil ? admissions : scopedAdmissions(of: load)
    }

    @inline(never)
    private func scopedAdmissions(of load: Load) -> AdmissionQueue {
        let scoped = load.state.draft.scopedTransport(insteadOf: transport)
        return scoped.flatMap { $0.isForTests ? admissions(in: $0) : nil } ?? admissions
    }

    private func admissions(in scoped: ScopedTransport) -> AdmissionQueue {
        scoped.value(of: self) { AdmissionQueue(policy: configuration.admission, clock: clock) }
    }

    /// The admission of the loads that the current task begins.
    var currentAdmissions: AdmissionQueue {
        NetworkScope.current?.testTransport.map { admissions(in: $0) } ?? admissions
    }

    func runsRequestInterceptors(_ load: Load) -> Bool {
        guard !configuration.requestInterceptors.isEmpty else { return false }
        return load.state.draft.scopedTransport(insteadOf: transport)?.runsRequestInterceptors ?? true
    }
}

// MARK: - Retries

extension LoadPipeline {
    /// The wait before the next attempt; `nil` if the result is final.
    ///
    /// - Throws: The reason for which the load ended while its retry policy was asked.
    @inline(never)
    func delayBeforeNextAttempt(
        after result: Result<NetworkResponse, SwiftyError>,
        _ plan: inout RetryPlan,
        _ load: Load
    ) async throws(SwiftyError) -> Duration? {
        guard load.cancellation.code == nil, load.state.exchange.mayBeRepeated, let request = load.state.request
        else { return nil }
        let (shared, origin) = (load.state.exchange.sharedRetry, request.target.origin)
        if plan.attempts == 1 { deposit(origin, shared, load) }
        // No time for another attempt: the policy has nothing to decide, and the result keeps its own error.
        if load.hasEnded { return nil }
        guard let outcome = RetryPlan.Outcome(result), !plan.isFinal(outcome, load.state.draft.acceptedStatuses)
        else { return nil }
        let step = plan.nextStep(
            after: outcome,
            of: request,
            now: Date(),
            fraction: shared?.fraction ?? .random(in: 0..<1)
        )
        guard let delay = try await askRetryPolicy(about: step, outcome, plan, load) else { return nil }
        if let remaining = load.deadline?.remaining, remaining <= delay { return nil }
        return withdraw(origin, delay, shared, load) ? delay : nil
    }

    private func deposit(_ origin: String, _ shared: SharedRetry?, _ load: Load) {
        let budget = retryBudget(of: load)
        if let shared { shared.deposit(origin, into: budget) } else { budget.deposit(origin) }
    }

    private func withdraw(_ origin: String, _ delay: Duration, _ shared: SharedRetry?, _ load: Load) -> Bool {
        let budget = retryBudget(of: load)
        return shared?.withdraw(origin, after: delay, from: budget) ?? budget.withdraw(origin)
    }

    /// Asks the policy's own `decide`, if it has one, within the replay rule.
    private func askRetryPolicy(
        about step: RetryPlan.Step,
        _ outcome: RetryPlan.Outcome,
        _ plan: RetryPlan,
        _ load: Load
    ) async throws(SwiftyError) -> Duration? {
        guard let decide = plan.policy.decide, !marks.retryDecision.isCurrent else { return step.wait }
        let mark = marks.retryDecision
        let context = RetryPolicy.Context(
            request: load.state.request,
            head: outcome.head,
            error: outcome.error,
            attempts: plan.attempts,
            proposal: step.wait.map { .retry(after: $0) } ?? .stop
        )
        let name = HookName.fixed("decide of the retry policy")
        let decision = try await hooks(of: load).run(name, stage: .validation, sent: outcome.sent) {
            (_: HookRun<RetryPolicy.Decision>) in
            await mark.run { await decide(context) }
        }
        guard case .retry(let delay, let change) = decision, plan.attempts < plan.policy.maximumAttempts,
            let request = load.state.request, outcome.mayRepeat(request)
        else { return nil }
        if let change {
            let resource = NetworkResource.make(of: load.state.draft, networkInterface: load.interface)
            change(resource)
            load.state.draft = resource.draft
        }
        return max(delay, .zero)
    }
}

// MARK: - Exchange

extension LoadPipeline {
    /// The request as it is sent: rerouted, with cookies and credentials.
    @inline(never)
    func makeSentRequest(
        of request: NetworkRequest,
        _ authentication: AuthenticationExchange?,
        _ load: Load
    ) throws(SwiftyError) -> NetworkRequest {
        var sent = request
        if reroutes != nil || sent.connectsTo != nil { try reroute(&sent, load) }
        configuration.cookies?.attach(to: &sent)
        try authentication?.authorize(&sent)
        load.state.request = sent
        load.progress?.begin(sent)
        try load.checkEnd(stage: .queue)
        return sent
    }

    /// Sets the peer of a request. The origin alone decides: a redirect or a policy's `decide` cannot choose another.
    ///
    /// - Throws: ``SwiftyError``, including if the transport would connect to the origin itself.
    @inline(never)
    private func reroute(_ request: inout NetworkRequest, _ load: Load) throws(SwiftyError) {
        request.connectsTo = try reroutes?.peer(for: request.target)
        if request.connectsTo != nil { try transport(of: load).capabilities.check(request) }
    }

    @inline(never)
    func sendWhenAdmitted(_ request: NetworkRequest, _ load: Load) async throws(SwiftyError) -> TransportResponse {
        let admission = try await admit(request, load)
        load.state.exchange.isBegun = true
        do throws(SwiftyError) {
            let response = try await transport(of: load).send(prepared(request, load), cancellation: load.cancellation)
            admissions(of: load).release(admission, .responded(response))
            return response
        } catch {
            admissions(of: load).release(admission, .failed(error))
            throw error
        }
    }

    /// The request as the transport gets it: limited to the time that is left, and able to share a transfer.
    @inline(never)
    func prepared(_ request: NetworkRequest, _ load: Load) -> NetworkRequest {
        guard coalesces, load.state.draft.scope == nil else { return load.limited(request) }
        var request = load.limited(request)
        request.share = TransferShare()
        load.state.exchange.share = request.share
        return request
    }

    func admit(_ request: NetworkRequest, _ load: Load) async throws(SwiftyError) -> Admission {
        let start = clock.now()
        var hasWaited = false
        defer { if hasWaited { load.recordAdmission(after: clock.now() - start) } }
        return try await admissions(of: load).admit(
            request,
            cancellation: load.cancellation,
            timeLimit: load.deadline?.remaining
        ) {
            hasWaited = true
            emit(.queued, load)
        }
    }

    /// The request that follows from a response: the same with credentials, or that of a redirect; `nil` if none does.
    @inline(never)
    func nextRequest(
        after response: TransportResponse,
        to request: NetworkRequest,
        sentAs sent: NetworkRequest,
        _ authentication: AuthenticationExchange?,
        _ load: Load
    ) async throws(SwiftyError) -> NetworkRequest? {
        let isOpen = load.state.open != nil
        let isAnswered = try await authentication?.answerChallenge(of: response, to: sent, isContentOpen: isOpen) {
            hooks(of: load)
        }
        if isAnswered == true {
            load.state.exchange.challenges += 1
            return try replay(request, after: response)
        }
        guard RedirectChain.isRedirect(response.head.statusCode) else { return nil }
        let next = try await followRedirect(response, to: request, sentAs: sent, load)
        return try next.map { next throws(SwiftyError) in try replay(next, after: response) }
    }

    /// The request with its content from the beginning.
    private func replay(
        _ request: NetworkRequest,
        after response: TransportResponse
    ) throws(SwiftyError) -> NetworkRequest {
        guard let source = request.contentSource else { return request }
        guard let replayed = source.replayed() else {
            let status = response.head.statusText
            throw SwiftyError(
                .bodyNotReplayable,
                stage: .validation,
                sent: .responded,
                reason: "the server answered \(status), but the source of the request's content can be read only once"
            ).withResponse(response, content: response.body)
        }
        var request = request
        request.contentSource = replayed
        return request
    }

    @inline(never)
    func record(_ attempt: @autoclosure () -> LoadMetrics.Attempt, _ load: Load) {
        let attempt = attempt()
        load.append(attempt)
        emit(.attemptEnded(attempt), load)
    }

    /// Records the attempt that an error has ended.
    ///
    /// - Returns: The error with the limit that was reached, and with the sent state of the whole exchange.
    @inline(never)
    func recordFailure(_ error: SwiftyError, _ load: Load) -> SwiftyError {
        abandonContent(load, endsAttempt: false)
        let error = load.state.exchange.complete(load.withReachedLimit(error))
        if load.state.exchange.isBegun { record(load.state.exchange.record(of: error), load) }
        return error
    }
}

// MARK: - Observation

extension LoadPipeline {
    @inline(never)
    func notifyObservers(_ event: () -> Swifty.Event, of load: Load) {
        let event = event()
        for observer in configuration.observers { observer.observe(event, of: load.observed) }
    }
}
