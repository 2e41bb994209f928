// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

@_spi(Interface) import WebServiceDSL

import struct Foundation.Data

// Hooks that few loads have: signers, and interceptors of attempts.

extension Load {
    /// The request with the fields of the signers, unless a redirect has led to another origin.
    @inline(never)
    func sign(_ request: NetworkRequest) async throws(SwiftyError) -> NetworkRequest {
        guard state.exchange.isAtFirstOrigin else { return request }
        let (signers, marks) = (configuration.signers, environment.marks.signers)
        let scope = state.draft.scope
        let signed = try await hooks.run(.signers(signers), stage: .requestInterceptor) {
            (run: HookRun<NetworkRequest>) async throws(SwiftyError) in
            var request = request
            for index in signers.indices where !Task.isCancelled && !marks[index].isCurrent {
                run.index = index
                do {
                    let (signer, current) = (signers[index], request)
                    let fields = try await NetworkScope.run(in: scope) {
                        try await marks[index].run { try await signer.fields(signing: current) }
                    }
                    request.set(fields)
                } catch {
                    throw Self.hookError(error, hook: signers[index], stage: .requestInterceptor, sent: .notSent)
                }
            }
            return request
        }
        state.request = signed
        return signed
    }

    /// Asks the attempt interceptors, each about the decision of the one before.
    ///
    /// - Parameter proposal: The wait that the retry policy asks for; `nil` for no other attempt.
    func askAttemptInterceptors(
        about proposal: Duration?,
        _ outcome: RetryPlan.Outcome,
        content: Data?,
        plan: RetryPlan
    ) async throws(SwiftyError) -> Duration? {
        var proposal = proposal
        for (interceptor, mark) in zip(configuration.attemptInterceptors, environment.marks.attemptInterceptors)
        where !mark.isCurrent {
            let context = context(of: outcome, content, plan, proposal: proposal)
            let decision = try await ask(interceptor, mark, about: context, sent: outcome.sent)
            let limit = max(plan.policy.maximumAttempts, interceptor.maximumAttempts)
            proposal = delay(of: decision, after: outcome, plan, limit: limit)
        }
        return proposal
    }

    private func ask(
        _ interceptor: any AttemptInterceptor,
        _ mark: HookMark,
        about context: RetryPolicy.Context,
        sent: SwiftyError.SentState
    ) async throws(SwiftyError) -> RetryPolicy.Decision {
        let scope = state.draft.scope
        do throws(SwiftyError) {
            return try await hooks.run(.typeName(of: interceptor), stage: .responseInterceptor, sent: sent) {
                (_: HookRun<RetryPolicy.Decision>) async throws(SwiftyError) in
                do {
                    return try await NetworkScope.run(in: scope) {
                        try await mark.run { try await interceptor.intercept(attempt: context) }
                    }
                } catch {
                    throw Self.hookError(error, hook: interceptor, stage: .responseInterceptor, sent: sent)
                }
            }
        } catch {
            guard let head = context.head else { throw error }
            throw error.withResponse(head, content: context.content)
        }
    }
}

extension NetworkRequest {
    /// Sets fields, in place of those with the same names.
    fileprivate mutating func set(_ fields: HTTPFields) {
        for name in Set(fields.map(\.name)) { headers[name] = nil }
        for field in fields { add(field) }
    }
}
