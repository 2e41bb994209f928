// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// One attempt on the wire: a request, and those that follow from its responses.
//
// Each request of an exchange passes the same stages, in this order:
//
//     reroute                 to the server that stands in for the request's origin
//     cookies, credentials    on the copy that is sent, so that none of them outlives its request
//     admission               for the host of this request; released with its response
//     transport
//     cookies, challenge      of the response; the same request again if there are credentials
//     redirect                the next request, or the end

extension LoadPipeline {
    /// Sends a request, and those that follow from its responses.
    ///
    /// - Returns: The first response from which no further request follows.
    func exchange(_ request: NetworkRequest, _ load: Load) async throws(SwiftyError) -> TransportResponse {
        do throws(SwiftyError) {
            let response = try await finalResponse(to: request, load)
            // An attempt with open content ends with that content.
            if load.state.open == nil { record(load.state.exchange.record(of: response), load) }
            return response
        } catch {
            throw recordFailure(error, load)
        }
    }

    // Inlined: a task's memory is allocated in pieces of a kilobyte, of which two frames leave more unused than one.
    @inline(__always)
    private func finalResponse(
        to request: NetworkRequest,
        _ load: Load
    ) async throws(SwiftyError) -> TransportResponse {
        var request = request
        let authentication = authenticator.map(AuthenticationExchange.init)
        while true {
            let sent = try makeSentRequest(of: request, authentication, load)
            let response = try await send(sent, load)
            configuration.cookies?.store(from: response.head, of: sent.target)
            if authentication == nil, !RedirectChain.isRedirect(response.head.statusCode) { return response }
            guard let next = try await nextRequest(after: response, to: request, sentAs: sent, authentication, load)
            else { return response }
            request = next
        }
    }

    /// Waits for admission, and gives the request to the transport.
    private func send(_ request: NetworkRequest, _ load: Load) async throws(SwiftyError) -> TransportResponse {
        if load.receivesStreams { return try await sendStreamed(request, load) }
        // Without limits no load waits, no time is measured, and the task holds no admission.
        let admissions = admissions(of: load)
        guard admissions.admitUncounted() else { return try await sendWhenAdmitted(request, load) }
        load.state.exchange.isBegun = true
        do throws(SwiftyError) {
            let response = try await transport(of: load).send(prepared(request, load), cancellation: load.cancellation)
            admissions.releaseUncounted(request, after: response)
            return response
        } catch {
            admissions.release(Admission(origin: request.target.origin), .failed(error))
            throw error
        }
    }
}
