// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Load {
    /// The request that a redirect leads to, recorded as followed; `nil` if the 3xx is the load's response.
    func followRedirect(
        _ response: TransportResponse,
        to request: NetworkRequest,
        sentAs sent: NetworkRequest
    ) async throws(SwiftyError) -> NetworkRequest? {
        var chain = state.exchange.chain ?? makeRedirectChain()
        let proposal: NetworkRequest?
        do throws(SwiftyError) {
            proposal = try chain.nextRequest(after: response.head, of: request)
        } catch {
            throw complete(error, with: response, to: request)
        }
        guard let proposal else { return nil }
        let decision = try await askRedirectPolicy(about: proposal, response, to: request, chain)
        do throws(SwiftyError) {
            guard let next = try chain.apply(decision, to: proposal, after: request) else { return nil }
            // With a cookie that the response has set, the same request may not be a repetition.
            var nextSent = next
            configuration.cookies?.attach(to: &nextSent)
            try chain.follow(from: sent, to: nextSent)
            let record = LoadMetrics.Redirect(response, from: request, to: next, fragment: chain.fragment)
            state.exchange.chain = chain
            state.exchange.redirects.append(record)
            emit(.redirected(record))
            return next
        } catch {
            throw complete(error, with: response, to: request)
        }
    }

    private func makeRedirectChain() -> RedirectChain {
        RedirectChain(
            state.exchange.redirectPolicy,
            ownFields: [state.draft.headers, configuration.defaultHeaders]
        )
    }

    /// Asks the policy's own `decide`, if it has one.
    private func askRedirectPolicy(
        about proposal: NetworkRequest,
        _ response: TransportResponse,
        to request: NetworkRequest,
        _ chain: RedirectChain
    ) async throws(SwiftyError) -> RedirectPolicy.Decision {
        guard let decide = chain.policy.decide else { return .follow }
        // Refused, because `decide` may be a safety check, and cannot judge its own loads.
        let mark = environment.marks.redirectDecision
        if mark.isCurrent { return .refuse }
        let context = RedirectPolicy.Context(
            request: request,
            head: response.head,
            next: proposal,
            count: chain.count
        )
        let name = HookName.fixed("decide of the redirect policy")
        do throws(SwiftyError) {
            return try await hooks.run(name, stage: .validation, sent: .responded) {
                (_: HookRun<RedirectPolicy.Decision>) in
                await mark.run { await decide(context) }
            }
        } catch {
            throw error.completed(by: response)
        }
    }

    private func complete(
        _ error: SwiftyError,
        with response: TransportResponse,
        to request: NetworkRequest
    ) -> SwiftyError {
        error.withResponse(response, content: try? configuration.contentDecoding.decode(response, to: request))
    }
}

extension RedirectChain {
    /// The next request by a decision; `nil` if the redirect is not followed.
    fileprivate mutating func apply(
        _ decision: RedirectPolicy.Decision,
        to proposal: NetworkRequest,
        after request: NetworkRequest
    ) throws(SwiftyError) -> NetworkRequest? {
        switch decision {
        case .follow: proposal
        case .refuse: nil
        case .change(let changed): try applyPolicy(to: changed, after: request)
        }
    }
}

extension LoadMetrics.Redirect {
    fileprivate init(
        _ response: TransportResponse,
        from request: NetworkRequest,
        to next: NetworkRequest,
        fragment: String?
    ) {
        let redactor = request.redactor
        self.init(
            statusCode: response.head.statusCode,
            from: redactor.uri(request.target),
            to: redactor.uri(next.target) + (fragment.map { "#" + redactor.parameters($0) } ?? ""),
            metrics: response.metrics
        )
    }
}
