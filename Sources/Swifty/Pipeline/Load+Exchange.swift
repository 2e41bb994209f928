// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// One attempt on the wire: a request, and those that follow from its responses.
//
// Each request of an exchange passes the same stages, in this order:
//
//     reroute                 the address to connect to in place of the origin's
//     cookies, credentials    on the copy that is sent, so that none of them outlives its request
//     routers                 of that copy
//     cache                   may answer the request; else it passes the next stages, and the response is stored
//     signers                 of the copy
//     admission               for the host of this request; released with its response
//     transport
//     cookies, challenge      of the response; the same request again if there are credentials
//     redirect                the next request, or the end

extension Load {
    /// Sends a request, and those that follow from its responses.
    ///
    /// - Returns: The first response from which no further request follows.
    func exchange(_ request: NetworkRequest) async throws(SwiftyError) -> Received {
        do throws(SwiftyError) {
            let received = try await sendUntilFinal(request)
            recordSuccess(received)
            return received
        } catch {
            throw recordFailure(error)
        }
    }

    // Inlined: a task's memory is allocated in pieces of a kilobyte, of which two frames leave more unused than one.
    @inline(__always)
    private func sendUntilFinal(_ request: NetworkRequest) async throws(SwiftyError) -> Received {
        var request = request
        let authentication = makeAuthentication(for: request)
        while true {
            // The request as it is sent is in `state.request`, and not in this frame.
            let received = try await send(makeSentRequest(of: request, authentication))
            configuration.cookies?.store(from: received.head, of: request.target)
            if authentication == nil, !RedirectChain.isRedirect(received.head.statusCode) { return received }
            guard let next = try await makeFollowUp(after: received, to: request, authentication) else {
                return received
            }
            request = next
        }
    }

    /// The authentication of the exchange that begins with a request; `nil` without credentials and handlers.
    @inline(never)
    private func makeAuthentication(for request: NetworkRequest) -> AuthenticationExchange? {
        state.exchange.authentication = environment.authenticator.map { AuthenticationExchange($0, for: request) }
        return state.exchange.authentication
    }

    /// Waits for admission, and gives the request to the transport.
    ///
    /// - Parameter isFinal: Whether the hooks of what is sent have seen the request.
    private func send(_ request: NetworkRequest, isFinal: Bool = false) async throws(SwiftyError) -> Received {
        if !isFinal, environment.sendsSpecially || receivesStreams { return try await sendSpecially(request) }
        // While there are no limits, a request is admitted without a wait and without an `Admission` value; it must
        // still be released.
        let admissions = admissions
        guard admissions.admitUncounted() else { return try await sendWhenAdmitted(request) }
        state.exchange.isBegun = true
        do throws(SwiftyError) {
            let response = try await transport.send(prepared(request), cancellation: cancellation)
            traceResponse(response)
            admissions.releaseUncounted(request, after: response)
            return .whole(response)
        } catch {
            admissions.release(Admission(origin: request.target.origin), .failed(error))
            throw error
        }
    }

    /// Sends a request with what few loads have: routers, a cache, signers, a stream, or another request if it is slow.
    @inline(never)
    private func sendSpecially(_ request: NetworkRequest) async throws(SwiftyError) -> Received {
        var request = request
        if !configuration.routers.isEmpty { request = try await route(request) }
        return configuration.usesCache ? try await sendThroughCache(request) : try await sendPastCache(request)
    }

    @inline(never)
    func sendPastCache(_ request: NetworkRequest) async throws(SwiftyError) -> Received {
        var request = request
        if !configuration.signers.isEmpty { request = try await sign(request) }
        if receivesStreams { return try await sendStreamed(request) }
        if configuration.hedging.maximumRequests > 1, mayHedge(request) { return try await sendHedged(request) }
        return try await send(request, isFinal: true)
    }

    /// The request as it is sent: rerouted, with cookies and credentials.
    @inline(never)
    private func makeSentRequest(
        of request: NetworkRequest,
        _ authentication: AuthenticationExchange?
    ) throws(SwiftyError) -> NetworkRequest {
        var sent = request
        if environment.reroutes != nil || sent.connectsTo != nil { try reroute(&sent) }
        configuration.cookies?.attach(to: &sent)
        try authentication?.authorize(&sent)
        state.request = sent
        progress?.begin(sent)
        try checkEnd(stage: .queue)
        if deadline != nil { try checkTimeLeft() }
        return sent
    }

    /// Sets the peer of a request. The origin alone decides: a redirect or a policy's `decide` cannot choose another.
    ///
    /// - Throws: ``SwiftyError``, including if the transport would connect to the origin itself.
    @inline(never)
    private func reroute(_ request: inout NetworkRequest) throws(SwiftyError) {
        request.connectsTo = try environment.reroutes?.peer(for: request.target)
        guard let peer = request.connectsTo else { return }
        try transport.capabilities.check(request)
        emit(.rerouted(to: peer))
    }

    @inline(never)
    private func sendWhenAdmitted(_ request: NetworkRequest) async throws(SwiftyError) -> Received {
        let admission = try await admit(request)
        state.exchange.isBegun = true
        do throws(SwiftyError) {
            let response = try await transport.send(prepared(request), cancellation: cancellation)
            traceResponse(response)
            admissions.release(admission, .responded(response))
            return .whole(response)
        } catch {
            admissions.release(admission, .failed(error))
            throw error
        }
    }

    /// The request as the transport gets it: with the time that is left, and, if loads are coalesced outside of a
    /// scope, with a share of the transfer.
    @inline(never)
    private func prepared(_ request: NetworkRequest) -> NetworkRequest {
        let traced = traced(request)
        guard mayShareTransfer else { return limited(traced) }
        let share = TransferShare(since: state.exchange.cacheStart)
        state.exchange.share = share
        return traced.limited(to: nextDeadline, sharing: share)
    }

    /// Whether its requests may share a transfer with those of other loads.
    var mayShareTransfer: Bool { environment.coalesces && state.draft.scope == nil }

    func admit(_ request: NetworkRequest) async throws(SwiftyError) -> Admission {
        let start = clock.now()
        var hasWaited = false
        defer { if hasWaited { recordAdmission(after: clock.now() - start) } }
        let timeLimit = deadline?.remaining(keeping: configuration.minimumTimeLeft)
        return try await admissions.admit(request, cancellation: cancellation, timeLimit: timeLimit) {
            hasWaited = true
            emit(.queued)
        }
    }

    /// The request that follows from a response: the same with credentials, or that of a redirect; `nil` if none does.
    ///
    /// Ends content that is still arriving, unless the result is `nil`.
    @inline(never)
    private func makeFollowUp(
        after received: Received,
        to request: NetworkRequest,
        _ authentication: AuthenticationExchange?
    ) async throws(SwiftyError) -> NetworkRequest? {
        let sent = state.request ?? request
        do throws(SwiftyError) {
            let next = try await followUp(received, request: request, sent: sent, authentication: authentication)
            if next != nil { await close(received.open, endsAttempt: false) }
            return next
        } catch {
            abandon(received.open, endsAttempt: false)
            throw error
        }
    }

    private func followUp(
        _ received: Received,
        request: NetworkRequest,
        sent: NetworkRequest,
        authentication: AuthenticationExchange?
    ) async throws(SwiftyError) -> NetworkRequest? {
        let (response, isOpen) = (received.response, received.open != nil)
        let isAnswered = try await authentication?.answerChallenge(of: response, to: sent, isContentOpen: isOpen) {
            hooks
        }
        if isAnswered == true {
            state.exchange.challenges += 1
            return try replay(request, after: response)
        }
        guard RedirectChain.isRedirect(response.head.statusCode) else { return nil }
        let next = try await followRedirect(response, to: request, sentAs: sent)
        return try next.map { next throws(SwiftyError) in try replay(next, after: response) }
    }

    /// The request with its content from the beginning.
    private func replay(
        _ request: NetworkRequest,
        after response: TransportResponse
    ) throws(SwiftyError) -> NetworkRequest {
        guard case .source(let source) = request.content else { return request }
        guard let replayed = source.replayed() else {
            let status = response.head.statusText
            throw SwiftyError(
                .contentNotReplayable,
                stage: .validation,
                sent: .responded,
                reason: "the server answered \(status), but the source of the request's content can be read only once"
            ).withResponse(response, content: response.content)
        }
        var request = request
        request.content = .source(replayed)
        return request
    }

    @inline(never)
    func record(_ attempt: @autoclosure () -> LoadMetrics.Attempt) {
        let attempt = attempt()
        append(attempt)
        emit(.attemptEnded(attempt))
    }

    /// Records the attempt that a response has ended. One with content that is still arriving ends with that content.
    @inline(never)
    private func recordSuccess(_ received: Received) {
        // What a cache has answered alone was no attempt.
        if case .whole(let response) = received, state.exchange.isBegun { record(state.exchange.record(of: response)) }
    }

    /// Records the attempt that an error has ended.
    ///
    /// - Returns: The error with the limit that was reached, and with the sent state of the whole exchange.
    @inline(never)
    func recordFailure(_ error: SwiftyError) -> SwiftyError {
        let error = state.exchange.complete(withReachedLimit(error))
        if state.exchange.isBegun { record(state.exchange.record(of: error)) }
        return error
    }
}
