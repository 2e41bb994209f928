// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Load {
    /// Whether a request may be in flight more than once: it may be repeated, and its content is in memory.
    @inline(never)
    func mayHedge(_ request: NetworkRequest) -> Bool {
        request.isIdempotent && request.content.source == nil && state.exchange.mayBeRepeated
    }

    /// Sends a request, and once more if its response is slow.
    @inline(never)
    func sendHedged(_ request: NetworkRequest) async throws(SwiftyError) -> Received {
        let (budget, origin) = (retryBudget, request.target.origin)
        // A load that may be retried deposits with its retries.
        let deposits = (state.draft.retryPolicy ?? configuration.retry).maximumAttempts <= 1
        if deposits, state.exchange.redirects.isEmpty, state.exchange.challenges == 0 { budget.deposit(origin) }
        let transfer = HedgedTransfer(
            HedgedTransfer.Plan(
                request: request,
                policy: configuration.hedging,
                transport: transport,
                unsharedTransport: (transport as? CoalescingTransport)?.transport ?? transport,
                admissions: admissions,
                clock: clock,
                deadline: nextDeadline,
                withdraw: { budget.withdraw(origin) }
            )
        )
        defer {
            state.exchange.isBegun = state.exchange.isBegun || transfer.isBegun
            state.metrics.hedges += transfer.hedges
        }
        return .whole(try await transfer.send(cancellation))
    }
}
