// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

// One attempt on the wire: a request, and the further ones that its answers ask for.
//
// Each request of an exchange takes the same stages, in this order:
//
//     detour                  to where its own origin is rerouted
//     cookies, credentials    onto the copy that is sent, so that none of them outlives its request
//     admission               for the host of this request; released when it is answered
//     transport
//     cookies, challenge      out of the answer; the same request again if credentials are asked for
//     redirect                the next request, or the end

extension LoadPipeline {
    /// Makes an exchange: returns the answer that no further request follows from.
    nonisolated(nonsending) func exchange(
        _ request: NetworkRequest,
        _ load: Load
    ) async throws(SwiftyError) -> TransportResponse {
        do throws(SwiftyError) {
            let answer = try await lastAnswer(to: request, load)
            end(load.exchange.record(answer), load)
            return answer
        } catch {
            throw failed(error, load)
        }
    }

    /// The error that ended the exchange, complete and recorded.
    // Kept out of the frames of waiting loads.
    @inline(never)
    private func failed(_ error: SwiftyError, _ load: Load) -> SwiftyError {
        let error = load.exchange.complete(load.explained(error))
        if load.exchange.isBegun { end(load.exchange.record(error), load) }
        return error
    }

    /// Goes from request to request.
    ///
    /// Each is sent as a copy with cookies and credentials, so that none of them outlives its request. Inlined, since a task's
    /// memory comes in pieces of a kilobyte, of which two frames leave more unused than one.
    @inline(__always)
    nonisolated(nonsending) private func lastAnswer(
        to request: NetworkRequest,
        _ load: Load
    ) async throws(SwiftyError) -> TransportResponse {
        var request = request
        let authentication = authenticator.map(AuthenticationExchange.init)
        while true {
            let sent = try dress(request, authentication, load)
            let answer = try await send(sent, load)
            configuration.cookies?.store(from: answer.head, of: sent.target)
            if authentication == nil, !RedirectChain.isRedirect(answer.head.statusCode) { return answer }
            guard let next = try await next(after: answer, to: request, sentAs: sent, authentication, load)
            else { return answer }
            request = next
        }
    }

    /// The request as it is sent: on its detour, with cookies and credentials.
    // Kept out of the frames of waiting loads.
    @inline(never)
    private func dress(
        _ request: NetworkRequest,
        _ authentication: AuthenticationExchange?,
        _ load: Load
    ) throws(SwiftyError) -> NetworkRequest {
        var sent = request
        if reroutes != nil || sent.connectsTo != nil { try reroute(&sent) }
        configuration.cookies?.attach(to: &sent)
        try authentication?.authorize(&sent)
        load.request = sent
        try load.checkEnd(stage: .queue)
        return sent
    }

    /// The request that an answer asks for: the same with credentials, or that of a redirect. `nil` if it asks for none.
    // Kept out of the frames of waiting loads.
    @inline(never)
    nonisolated(nonsending) private func next(
        after answer: TransportResponse,
        to request: NetworkRequest,
        sentAs sent: NetworkRequest,
        _ authentication: AuthenticationExchange?,
        _ load: Load
    ) async throws(SwiftyError) -> NetworkRequest? {
        if try await authentication?.answerChallenge(of: answer, to: sent, hooks: { hooks(of: load) }) == true {
            load.exchange.challenges += 1
            return request
        }
        guard RedirectChain.isRedirect(answer.head.statusCode) else { return nil }
        return try await redirected(request, sentAs: sent, by: answer, load)
    }

    /// Waits for admission, and hands the request to the transport.
    nonisolated(nonsending) private func send(
        _ request: NetworkRequest,
        _ load: Load
    ) async throws(SwiftyError) -> TransportResponse {
        // Without limits nobody waits, and no time is taken.
        let admission =
            if let free = admissions.admitUncounted(request) { free } else { try await admit(request, load) }
        load.exchange.isBegun = true
        do throws(SwiftyError) {
            let answer = try await transport.send(load.limited(request), cancellation: load.cancellation)
            admissions.release(admission, .responded(answer))
            return answer
        } catch {
            admissions.release(admission, .failed(error))
            throw error
        }
    }

    @inline(never)
    nonisolated(nonsending) private func admit(
        _ request: NetworkRequest,
        _ load: Load
    ) async throws(SwiftyError) -> Admission {
        let start = clock.now()
        var hasWaited = false
        defer { if hasWaited { noteAdmission(clock.now() - start, load) } }
        return try await admissions.admit(
            request,
            cancellation: load.cancellation,
            timeLimit: load.deadline?.remaining
        ) {
            hasWaited = true
            emit(.queued, load)
        }
    }

    private func noteAdmission(_ wait: Duration, _ load: Load) {
        load.metrics.admissionTime += wait
        load.extendAttempt(by: wait)
    }

    @inline(never)
    private func end(_ record: @autoclosure () -> LoadMetrics.Attempt, _ load: Load) {
        let record = record()
        load.metrics.attempts.append(record)
        emit(.attemptEnded(record), load)
    }
}

extension LoadPipeline {
    /// Takes the detour of the request's origin, and no other: a redirect, or a policy's `decide`, has no say in it.
    @inline(never)
    private func reroute(_ request: inout NetworkRequest) throws(SwiftyError) {
        request.connectsTo = try reroutes?.peer(for: request.target)
    }

    /// The request that a redirect leads to; `nil` if the 3xx is the load's response.
    @inline(never)
    nonisolated(nonsending) private func redirected(
        _ request: NetworkRequest,
        sentAs sent: NetworkRequest,
        by answer: TransportResponse,
        _ load: Load
    ) async throws(SwiftyError) -> NetworkRequest? {
        var chain =
            load.exchange.chain
            ?? RedirectChain(
                load.exchange.redirectPolicy,
                ownFields: [load.draft.headers, configuration.defaultHeaders]
            )
        let refused = { (refusal: RedirectError) in
            SwiftyError(refusal, answer, content: try? self.configuration.contentDecoding.decode(answer, to: request))
        }
        let proposal: NetworkRequest?
        do { proposal = try chain.nextRequest(after: answer.head, of: request) } catch { throw refused(error) }
        guard let proposal else { return nil }
        let decision = try await decision(on: proposal, of: request, answer, chain, load)
        do throws(RedirectError) {
            guard let next = try chain.next(decision, proposal, after: request) else { return nil }
            // A cookie that the answer has set may make the same request another one.
            var dressed = next
            configuration.cookies?.attach(to: &dressed)
            try chain.follow(from: sent, to: dressed)
            let record = LoadMetrics.Redirect(answer, request, next, chain.fragment)
            load.exchange.chain = chain
            load.exchange.redirects.append(record)
            emit(.redirected(record), load)
            return next
        } catch {
            throw refused(error)
        }
    }

    /// What the policy's own `decide` says to a redirect.
    nonisolated(nonsending) private func decision(
        on proposal: NetworkRequest,
        of request: NetworkRequest,
        _ answer: TransportResponse,
        _ chain: RedirectChain,
        _ load: Load
    ) async throws(SwiftyError) -> RedirectPolicy.Decision {
        guard let decide = chain.policy.decide else { return .follow }
        let context = RedirectPolicy.Context(
            request: request,
            head: answer.head,
            next: proposal,
            count: chain.count
        )
        let (hooks, name) = (hooks(of: load), HookName.fixed("decide of the redirect policy"))
        do throws(SwiftyError) {
            return try await hooks.run(name, stage: .validation, sent: .responded) {
                (_: HookRun<RedirectPolicy.Decision>) in
                await decide(context)
            }
        } catch {
            throw error.completed(by: answer)
        }
    }
}

extension RedirectChain {
    /// The request that follows by a decision; `nil` if none does.
    fileprivate mutating func next(
        _ decision: RedirectPolicy.Decision,
        _ proposal: NetworkRequest,
        after request: NetworkRequest
    ) throws(RedirectError) -> NetworkRequest? {
        switch decision {
        case .follow: proposal
        case .refuse: nil
        case .change(let changed): try applyPolicy(to: changed, after: request)
        }
    }
}

extension LoadMetrics.Redirect {
    fileprivate init(
        _ answer: TransportResponse,
        _ request: NetworkRequest,
        _ next: NetworkRequest,
        _ fragment: String?
    ) {
        self.init(
            statusCode: answer.head.statusCode,
            from: Redaction.redact(request.target),
            to: Redaction.redact(next.target) + (fragment.map { "#" + Redaction.redact(pairs: $0) } ?? ""),
            metrics: answer.metrics
        )
    }
}

extension SwiftyError {
    fileprivate init(_ refusal: RedirectError, _ answer: TransportResponse, content: Data?) {
        self.init(refusal.code, stage: .validation, sent: .responded, reason: refusal.reason)
        head = answer.head
        body = content
        transfer = answer.metrics
    }
}
