// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

@_spi(Interface) import WebServiceDSL

import struct Foundation.Data
import struct Foundation.Date

extension Load {
    @inline(never)
    func makeRetryPlan() -> RetryPlan {
        RetryPlan(state.draft.retryPolicy ?? configuration.retry)
    }

    /// The wait before the next attempt; `nil` if the result is final.
    ///
    /// - Throws: The reason for which the load ended while its retry policy was asked.
    @inline(never)
    func retryDelay(
        after result: Result<NetworkResponse, SwiftyError>,
        _ plan: inout RetryPlan
    ) async throws(SwiftyError) -> Duration? {
        guard cancellation.code == nil, state.exchange.mayBeRepeated, let request = state.request
        else { return nil }
        let (shared, origin) = (state.exchange.sharedRetry, request.target.origin)
        if plan.attempts == 1 { deposit(origin, shared) }
        // No time for another attempt: the policy has nothing to decide, and the result keeps its own error.
        if hasEnded { return nil }
        guard let outcome = RetryPlan.Outcome(result), !plan.isFinal(outcome, state.draft.acceptedStatuses)
        else { return nil }
        var proposal = plan.nextDelay(
            after: outcome,
            of: request,
            now: Date(),
            fraction: shared?.fraction ?? .random(in: 0..<1)
        )
        // The result says more than an attempt that cannot send its content.
        if state.draft.hasUsedUpContent { proposal = nil }
        let content = try? result.get().data
        guard let delay = try await askRetryPolicy(about: proposal, outcome, content: content, plan: plan)
        else { return nil }
        if let remaining = deadline?.remaining, remaining <= delay { return nil }
        return withdraw(origin, delay: delay, shared: shared) ? delay : nil
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
        let context = RetryPolicy.Context(
            request: state.request,
            head: outcome.head,
            content: content,
            error: outcome.error,
            attempts: plan.attempts,
            proposal: proposal.map { .retry(after: $0) } ?? .stop
        )
        let name = HookName.fixed("decide of the retry policy")
        let decision = try await hooks.run(name, stage: .validation, sent: outcome.sent) {
            (_: HookRun<RetryPolicy.Decision>) in
            await mark.run { await decide(context) }
        }
        guard case .retry(let delay, let change) = decision, plan.attempts < plan.policy.maximumAttempts,
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
