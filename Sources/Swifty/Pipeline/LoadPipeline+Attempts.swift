// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension LoadPipeline {
    /// Makes attempts until the result of one is final.
    func loadFromNetwork(_ load: Load) async throws(SwiftyError) -> NetworkResponse {
        var plan = retryPlan(of: load)
        var delay = Duration.zero
        plan.beginAttempt()
        while true {
            emit(.attemptStarted(load.state.metrics.attempts.count + 1), load)
            let result = await attempt(load, plan, after: delay)
            if isHeld(load), try await replaceRefusedCredential(after: result, load) {
                delay = .zero
                continue
            }
            // Most loads end here: one attempt, and no other allowed.
            guard plan.policy.maximumAttempts > 1,
                let next = try await delayBeforeNextAttempt(after: result, &plan, load)
            else { return try result.get() }
            delay = next
            emit(.retryScheduled(after: delay), load)
            if delay > .zero { await clock.sleep(for: delay, until: load.cancellation) }
            try load.checkEnd(stage: .queue)
            plan.beginAttempt()
        }
    }

    /// One attempt: the request interceptors on a fresh copy of the draft, then the exchange.
    private func attempt(
        _ load: Load,
        _ plan: RetryPlan,
        after delay: Duration
    ) async -> Result<NetworkResponse, SwiftyError> {
        if load.isStreamed { await closeContent(load, endsAttempt: true) }
        load.beginAttempt(configuration.timeouts, clock)
        defer { load.endAttempt() }
        do throws(SwiftyError) {
            let request = try await prepareRequest(load, plan, after: delay)
            let response = try await exchange(request, load)
            // The exchange may have ended with another request than it began with.
            return .success(try decode(response, to: load.state.request ?? request, load))
        } catch {
            return .failure(error)
        }
    }

    /// Has the constraints replace the credential that a 401 or 403 refused.
    ///
    /// - Returns: Whether there is a new credential. The request is then repeated, once and with any method, since the
    ///   server says that it has not processed it. The response of another origin does not count.
    private func replaceRefusedCredential(
        after result: Result<NetworkResponse, SwiftyError>,
        _ load: Load
    ) async throws(SwiftyError) -> Bool {
        guard !load.state.hasReplacedCredential, load.state.exchange.isAtFirstOrigin, load.state.exchange.mayBeRepeated,
            case .success(let response) = result, [401, 403].contains(response.statusCode)
        else { return false }
        // All are asked, because more than one may have to invalidate a credential.
        let invalidated = constraints.filter { !$0.isBeingSatisfiedHere && $0.invalidate(after: response) }
        if invalidated.isEmpty { return false }
        load.state.hasReplacedCredential = true
        do throws(SwiftyError) {
            try await waitForConstraints(load)
            try load.checkEnd(stage: .constraint)
        } catch {
            throw error.withResponse(response.head, body: response.data)
        }
        return true
    }
}
