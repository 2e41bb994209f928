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
        let exchange = state.exchange
        let share = mayShareTransfer ? TransferShare(since: exchange.cacheStart) : nil
        state.exchange.share = share
        let isFirst = state.metrics.attempts.isEmpty && exchange.redirects.isEmpty && exchange.challenges == 0
        // A load that may be followed by another attempt deposits after its first one.
        if isFirst, !mayBeFollowed(nil) { budget.deposit(origin) }
        let transfer = HedgedTransfer(
            HedgedTransfer.Plan(
                request: request,
                policy: configuration.hedging,
                transport: transport,
                unsharedTransport: (transport as? CoalescingTransport).map(UnsharedTransport.init) ?? transport,
                admissions: admissions,
                clock: clock,
                timeLeft: { [deadline, nextDeadline, rest = configuration.minimumTimeLeft] in
                    [deadline?.remaining(keeping: rest), nextDeadline?.remaining].compactMap(\.self).min()
                },
                reportWait: { [tracers, observers = configuration.observers, observed] in
                    for tracer in tracers { tracer.observe(.queued) }
                    for observer in observers { observer.observe(.queued, of: observed) }
                },
                limited: { [field = configuration.deadlineField, nextDeadline] request, isFirst in
                    guard isFirst, let share else { return request.limited(to: nextDeadline, field) }
                    return request.limited(to: nextDeadline, sharing: share)
                },
                traced: { [tracers] in Load.traced($0, by: tracers) },
                withdraw: { budget.withdraw(origin) }
            )
        )
        defer {
            if transfer.isBegun { state.exchange.isBegun = true }
            if transfer.hasRivals { state.exchange.hasRivals = true }
            state.metrics.hedges += transfer.hedges
            state.metrics.admissionTime += transfer.admissionTime ?? .zero
        }
        let response = try await transfer.send(cancellation)
        traceResponse(response)
        return .whole(response)
    }
}
