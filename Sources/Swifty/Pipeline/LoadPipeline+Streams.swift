// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

// Streamed loads, and loads whose response is received at a limited rate.
//
// A streamed load passes the same stages as any other. The content of a response whose status is accepted stays open
// while they decide on its head; that of any other response is read into memory, up to 1 MiB of it. When the head has
// passed the response interceptors, the stream leaves the pipeline, and the load ends with its content.

extension LoadPipeline {
    /// How many bytes of the content of an unaccepted response are kept.
    private static var unacceptedContentLimit: Int { 1 << 20 }
    /// How many bytes of a discarded response are drained to keep its connection.
    private static var skippedContentLimit: Int { 64 << 10 }

    /// Loads until the head of the response is accepted.
    ///
    /// - Parameter onEnd: Called once, at the end of the load, with its error and the number of its attempts.
    func stream(
        _ load: Load,
        onEnd: @escaping @Sendable (SwiftyError?, _ attempts: Int) -> Void
    ) async throws(SwiftyError) -> ResponseStream {
        let response = await response(to: load)
        if response.error == nil, response.data == nil, let open = load.state.open {
            load.state.open = nil
            let head = response.head ?? open.head
            let loaded = LoadedContent(decode(open, load), open, load, self, onEnd: onEnd)
            return ResponseStream(head: head, request: load.state.request, content: loaded) { loaded.loadMetrics }
        }
        // A failure, a mock, or an interceptor's own content.
        abandonContent(load, endsAttempt: true)
        finish(response, load)
        onEnd(response.error, load.state.metrics.attempts.count)
        if let error = response.error { throw error }
        return ResponseStream(buffered: response)
    }

    /// Sends a request, and leaves the content open if the load is streamed and the status accepted.
    ///
    /// - Returns: The response, without content that is still open.
    @inline(never)
    func sendStreamed(_ request: NetworkRequest, _ load: Load) async throws(SwiftyError) -> TransportResponse {
        await closeContent(load, endsAttempt: false)
        let admission = try await admit(request, load)
        load.state.exchange.isBegun = true
        do throws(SwiftyError) {
            let streamed = try await transport(of: load).stream(load.limited(request), cancellation: load.cancellation)
            let open = OpenContent(
                head: streamed.head,
                content: pace(streamed.content, load),
                admission: admission,
                deadline: load.nextDeadline
            )
            if load.isStreamed, load.state.draft.acceptedStatuses.contains(open.head.statusCode) {
                load.state.open = open
                return open.response
            }
            let response = try await collect(open, load)
            admissions(of: load).release(admission, .responded(response))
            return response
        } catch {
            admissions(of: load).release(admission, .failed(error))
            throw error
        }
    }

    /// Drains the rest of open content, which another request follows.
    @inline(never)
    func closeContent(_ load: Load, endsAttempt: Bool) async {
        guard let open = load.state.open else { return }
        _ = try? await open.content.collect(limit: Self.skippedContentLimit)
        abandonContent(load, endsAttempt: endsAttempt)
    }

    /// Ends the transfer of open content that is not read.
    @inline(never)
    func abandonContent(_ load: Load, endsAttempt: Bool) {
        guard let open = load.state.open else { return }
        load.state.open = nil
        open.content.cancel()
        admissions(of: load).release(open.admission, .responded(open.response))
        if endsAttempt { record(load.state.exchange.record(of: open.response), load) }
    }

    private func pace(_ content: any StreamedContent, _ load: Load) -> any StreamedContent {
        load.state.draft.transfer?.values.download.map { PacedContent(content, $0, clock) } ?? content
    }

    private func collect(_ open: OpenContent, _ load: Load) async throws(SwiftyError) -> TransportResponse {
        let limit = load.isStreamed ? Self.unacceptedContentLimit : configuration.contentDecoding.maximumBytes
        var (bytes, isComplete) = try await open.content.collect(limit: limit)
        if !isComplete {
            guard load.isStreamed else { throw tooLarge(open, limit) }
            // Truncated coded content cannot be decoded.
            if open.head.mayHaveField("content-encoding") { bytes = Data() }
        }
        return TransportResponse(head: open.head, body: bytes, metrics: open.content.metrics)
    }

    private func tooLarge(_ open: OpenContent, _ limit: Int) -> SwiftyError {
        let reason = "the response's content exceeds \(limit) bytes, \(Setting.decodedBytes.limit)"
        return SwiftyError(.responseTooLarge, stage: .body, sent: .responded, reason: reason)
            .withResponse(open.response, content: nil)
    }

    private func decode(_ open: OpenContent, _ load: Load) -> any StreamedContent {
        guard let request = load.state.request else { return open.content }
        return configuration.contentDecoding.decode(open.content, open.head, to: request)
    }
}

// MARK: The end of a stream

extension LoadPipeline {
    /// Records the end of a streamed load.
    ///
    /// - Returns: The attempt, and the error of the load.
    func recordEnd(
        of load: Load,
        _ open: OpenContent,
        decoded: Int,
        _ error: SwiftyError?
    ) -> (attempt: LoadMetrics.Attempt, error: SwiftyError?) {
        let response = open.response
        var final = error.map { load.state.exchange.complete(load.withReachedLimit($0, ofTransfer: open.deadline)) }
        final?.head = open.head
        final?.transfer = response.metrics
        let attempt = final.map(load.state.exchange.record(of:)) ?? load.state.exchange.record(of: response)
        load.append(attempt)
        load.state.metrics.decodedBodyBytes = decoded
        load.state.metrics.total = clock.now() - load.start
        return (attempt, final.map(load.complete))
    }

    /// Reports the end of a streamed load.
    func reportEnd(of load: Load, _ open: OpenContent, _ attempt: LoadMetrics.Attempt, _ error: SwiftyError?) {
        emit(.attemptEnded(attempt), load)
        let request = load.state.request
        let response =
            error.map { NetworkResponse(error: $0, request: request) }
            ?? NetworkResponse(head: open.head, data: nil, request: request, metrics: load.state.metrics)
        report(response, load)
    }
}
