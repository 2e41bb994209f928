// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

@_spi(Interface) import WebServiceDSL

// A load from the frozen draft to the outcome. `run` reads like the table of Docs/Architecture.md; each stage is in one
// file. Nothing here holds a lock or a thread while it waits.
//
// A function that waits keeps a frame in memory, with room for everything that is inlined into it: these frames are the
// memory of a waiting load. `@inline(never)` keeps out of them what ends before the load waits for its response, and
// what few loads need, here and in the types that the stages call.

extension Load {
    /// Loads, and returns in every case; soon after a cancellation.
    func run() async -> NetworkResponse {
        let response = await loadResponse().response
        finish(response)
        return response
    }

    /// Loads up to the response interceptors.
    // Inlined: a separate frame would cost memory in each waiting load.
    @inline(__always)
    func loadResponse() async -> LoadedResponse {
        reportBeginning()
        var loaded: LoadedResponse
        do throws(SwiftyError) {
            if let error = state.draft.creationError { throw error }
            if isHeld { try await wait(for: constraints) }
            if state.draft.isMocked {
                loaded = LoadedResponse(response: try await loadFromMock())
            } else {
                loaded = try await loadFromNetwork()
            }
            validate(loaded.response)
        } catch {
            loaded = LoadedResponse(response: failure(error))
        }
        if !configuration.responseInterceptors.isEmpty { loaded.response = await intercept(loaded.response) }
        if let preparation = state.draft.preparation { await prepare(loaded.response, preparation) }
        return loaded
    }

    @inline(never)
    private func failure(_ error: SwiftyError) -> NetworkResponse {
        let error = complete(error)
        if configuration.usesCache { forgetUncertain(error) }
        return NetworkResponse(of: state.draft, error: error, request: state.request)
    }

    /// Measures a load that has ended, and reports its outcome.
    @inline(__always)
    func finish(_ response: NetworkResponse) {
        measureEnd()
        response.finish(metrics: state.metrics)
        report(response)
    }

    @inline(never)
    func measureEnd() {
        let now = clock.now()
        state.metrics.total = now - start
        state.metrics.networkQuality = admissions.latestQuality(now: now)
    }

    @inline(__always)
    func report(_ response: NetworkResponse) {
        progress?.finish()
        emit(.finished(response))
    }

    /// Whether constraints may hold the load.
    var isHeld: Bool { environment.hasConstraints && !constraints.isEmpty }

    func wait(for constraints: [Constraint]) async throws(SwiftyError) {
        emit(.waiting)
        let resource = NetworkResource.make(of: state.draft, networkInterface: interface)
        if cancellation.code == nil, let records = ConstraintWait.recordsIfSatisfied(constraints, for: resource) {
            state.metrics.append(records)
        } else {
            try await wait(for: constraints, resource)
        }
    }

    private func wait(for constraints: [Constraint], _ resource: NetworkResource) async throws(SwiftyError) {
        let start = clock.now()
        let watch = watchWait(for: constraints)
        defer {
            watch?.cancel()
            state.metrics.constraintTime += clock.now() - start
        }
        do throws(SwiftyError) {
            let records = try await ConstraintWait.waitUntilSatisfied(
                constraints,
                for: resource,
                cancellation: cancellation,
                deadline: deadline,
                clock: clock
            )
            state.metrics.append(records)
        } catch {
            state.metrics.append(error.metrics?.constraintWaits ?? [])
            throw error
        }
    }

    private func loadFromMock() async throws(SwiftyError) -> NetworkResponse {
        state.metrics.source = .mock
        state.draft.attempt = 1
        let draft = state.draft
        guard let mock = draft.mock else { return NetworkResponse(head: nil, data: nil) }
        let answer = try await mock.answer(directory: interface.mockDirectory, variables: draft.mockVariables)
        var timeouts = draft.timeouts(over: configuration.timeouts)
        timeouts.total = deadline?.timeLimit
        let isHead = draft.method == .head
        let exchange = MockExchange(answer, timeouts: timeouts, isHead: isHead, clock: configuration.clock)
        do throws(SwiftyError) {
            let response = try await exchange.begin(cancellation).collect()
            try checkEnd(stage: .content)
            return NetworkResponse(of: draft, head: response.head, data: response.content, metrics: state.metrics)
        } catch {
            throw withReachedLimit(error)
        }
    }

    private func validate(_ response: NetworkResponse) {
        guard let head = response.head else { return }
        if head.statusCode == 206 { validateRange(response, head) }
        guard state.draft.acceptedStatuses.contains(head.statusCode) else { return response.failUnacceptable(head) }
        let types = state.draft.acceptedContentTypes
        if !types.isEmpty { response.checkContentType(types, of: head) }
        for validation in state.draft.validations where response.error == nil { validation.validate(response) }
    }

    /// Fails a load whose response has a different range than its request, as sent, asked for.
    ///
    /// A mock may leave `Content-Range` out.
    @inline(never)
    private func validateRange(_ response: NetworkResponse, _ head: ResponseHead) {
        let draft = state.draft
        guard draft.verifiesRanges, !draft.isMocked, let request = state.request,
            let reason = RequestedRanges(request.headers)?.mismatch(head, mayBeShorter: true)
        else { return }
        response.fail(error: SwiftyError(.rangeMismatch, stage: .validation, sent: .responded, reason: reason))
    }
}

extension LoadMetrics {
    /// Appends the records of a wait. Most loads wait once, and take the list without a copy.
    fileprivate mutating func append(_ records: [ConstraintWait]) {
        if constraintWaits.isEmpty { constraintWaits = records } else { constraintWaits += records }
    }
}
