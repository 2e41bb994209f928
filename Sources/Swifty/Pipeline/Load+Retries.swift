// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

@_spi(Interface) import WebServiceDSL

import struct Foundation.Data
import struct Foundation.Date

extension Load {
    /// The wait before the next attempt; `nil` if the result is final.
    ///
    /// - Throws: The reason for which the load ended while its retry policy or an attempt interceptor was asked.
    @inline(never)
    func retryDelay(
        after result: Result<NetworkResponse, SwiftyError>,
        _ plan: RetryPlan
    ) async throws(SwiftyError) -> Duration? {
        guard cancellation.code == nil, let request = state.request else { return nil }
        let (shared, origin) = (state.exchange.sharedRetry, request.target.origin)
        let mayBeRepeated = state.exchange.mayBeRepeated
        if mayBeRepeated, plan.attempts == 1 { deposit(origin, shared) }
        // No time for another attempt: there is nothing to decide, and the result keeps its own error.
        if hasEnded { return nil }
        guard let outcome = RetryPlan.Outcome(result) else { return nil }
        let content = try? result.get().data
        if mayBeRepeated, let delay = reachabilityDelay(after: outcome, plan) { return delay }
        var delay: Duration?
        if mayBeRepeated { delay = try await policyDelay(after: outcome, of: request, content, plan) }
        if !configuration.attemptInterceptors.isEmpty {
            delay = try await askAttemptInterceptors(about: delay, outcome, content: content, plan: plan)
        }
        guard let delay else { return nil }
        if let remaining = deadline?.remaining, remaining <= delay { return nil }
        return withdraw(origin, delay: delay, shared: shared) ? delay : nil
    }

    /// The wait before an attempt that counts for neither the policy nor the budget; `nil` if the next one counts.
    private func reachabilityDelay(after outcome: RetryPlan.Outcome, _ plan: RetryPlan) -> Duration? {
        if plan.policy.connectionWait == nil || state.draft.hasUsedUpContent { return nil }
        let delay = plan.reachabilityDelay(after: outcome, now: clock.now(), fraction: .random(in: 0..<1))
        guard let delay else { return nil }
        if let remaining = deadline?.remaining, remaining <= delay { return nil }
        return delay
    }

    /// The wait that the retry policy asks for; `nil` if it asks for no other attempt.
    private func policyDelay(
        after outcome: RetryPlan.Outcome,
        of request: NetworkRequest,
        _ content: Data?,
        _ plan: RetryPlan
    ) async throws(SwiftyError) -> Duration? {
        guard plan.policy.maximumAttempts > 1, !plan.isFinal(outcome, state.draft.acceptedStatuses) else { return nil }
        var proposal = plan.nextDelay(
            after: outcome,
            of: request,
            now: Date(),
            fraction: state.exchange.sharedRetry?.fraction ?? .random(in: 0..<1)
        )
        // The result says more than an attempt that cannot send its content.
        if state.draft.hasUsedUpContent { proposal = nil }
        return try await askRetryPolicy(about: proposal, outcome, content: content, plan: plan)
    }

    private func deposit(_ origin: String, _ shared: SharedRetry?) {
        let budget = retryBudget
        if let shared { shared.deposit(origin, into: budget) } else { budget.deposit(origin) }
    }

    private func withdraw(_ origin: String, delay: Duration, shared: SharedRetry?) -> Bool {
        let budget = retryBudget
        return shared?.withdraw(origin, after: delay, from: budget) ?? budget.withdraw(origin)
    }

    /// Asks the policy's own `decide`, if it has one, within the replay rule.
    private func askRetryPolicy(
        about proposal: Duration?,
        _ outcome: RetryPlan.Outcome,
        content: Data?,
        plan: RetryPlan
    ) async throws(SwiftyError) -> Duration? {
        guard let decide = plan.policy.decide, !environment.marks.retryDecision.isCurrent else { return proposal }
        let mark = environment.marks.retryDecision
        let context = context(of: outcome, content, plan, proposal: proposal)
        let name = HookName.fixed("decide of the retry policy")
        let decision = try await hooks.run(name, stage: .validation, sent: outcome.sent) {
            (_: HookRun<RetryPolicy.Decision>) in
            await mark.run { await decide(context) }
        }
        return delay(of: decision, after: outcome, plan, limit: plan.policy.maximumAttempts)
    }

    func context(
        of outcome: RetryPlan.Outcome,
        _ content: Data?,
        _ plan: RetryPlan,
        proposal: Duration?
    ) -> RetryPolicy.Context {
        RetryPolicy.Context(
            request: state.request,
            head: outcome.head,
            content: content,
            error: outcome.error,
            attempts: plan.attempts,
            proposal: proposal.map { .retry(after: $0) } ?? .stop
        )
    }

    /// The wait that a hook asks for, within the replay rule and a number of attempts; `nil` for no other attempt.
    ///
    /// Applies the hook's change of the request.
    func delay(
        of decision: RetryPolicy.Decision,
        after outcome: RetryPlan.Outcome,
        _ plan: RetryPlan,
        limit: Int
    ) -> Duration? {
        guard case .retry(let delay, let change) = decision, plan.attempts < limit, state.exchange.mayBeRepeated,
            let request = state.request, outcome.mayRepeat(request)
        else { return nil }
        if let change {
            let resource = NetworkResource.make(of: state.draft, networkInterface: interface)
            change(resource)
            state.draft = resource.draft
        }
        return state.draft.hasUsedUpContent ? nil : max(delay, .zero)
    }
}
