// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

@_spi(Interface) import WebServiceDSL

import struct Foundation.Data

// Streamed loads, and loads whose response is received at a limited rate.
//
// A streamed load passes the same stages as any other. The content of a response whose status is accepted stays open
// while they decide on its head; that of any other response is read into memory, up to 1 MiB of it. When the head has
// passed the response interceptors, the stream leaves the pipeline, and the load ends with its content.

extension Load {
    /// How many bytes of the content of an unaccepted response are kept.
    private static var unacceptedContentLimit: Int { 1 << 20 }
    /// How many bytes of a discarded response are drained to keep its connection.
    private static var skippedContentLimit: Int { 64 << 10 }

    /// Loads until the head of the response is accepted.
    ///
    /// - Parameter onEnd: Called once, at the end of the load, with its error and the number of its attempts.
    func stream(
        onEnd: @escaping @Sendable (SwiftyError?, _ attempts: Int) -> Void
    ) async throws(SwiftyError) -> ResponseStream {
        let loaded = await loadResponse()
        let response = loaded.response
        if response.error == nil, response.data == nil, let open = loaded.open {
            let head = response.head ?? open.head
            let content = LoadedContent(decode(open), open: open, load: self, onEnd: onEnd)
            return ResponseStream(head: head, request: state.request, content: content) { content.loadMetrics }
        }
        // A failure, a mock, or an interceptor's own content.
        abandon(loaded.open, endsAttempt: true)
        finish(response)
        onEnd(response.error, state.metrics.attempts.count)
        if let error = response.error { throw error }
        return ResponseStream(buffered: response)
    }

    /// Sends a request, and leaves the content open if the load is streamed and the status accepted.
    @inline(never)
    func sendStreamed(_ request: NetworkRequest) async throws(SwiftyError) -> Received {
        let open = try await open(request)
        open.releaseWithTransfer()
        traceResponse(open.response, isComplete: false)
        if isStreamed, state.draft.acceptedStatuses.contains(open.head.statusCode) {
            return .open(open)
        }
        do throws(SwiftyError) {
            let response = try await collect(open)
            open.release(.responded(response))
            return .whole(response)
        } catch {
            open.release(.failed(error))
            throw error
        }
    }

    private func open(_ request: NetworkRequest) async throws(SwiftyError) -> OpenContent {
        let admission = try await admit(request)
        state.exchange.isBegun = true
        do throws(SwiftyError) {
            let streamed = try await transport.stream(limited(traced(request)), cancellation: cancellation)
            return OpenContent(
                head: streamed.head,
                content: pace(streamed.content),
                deadline: nextDeadline,
                admission: admission,
                of: admissions
            )
        } catch {
            admissions.release(admission, .failed(error))
            throw error
        }
    }

    /// Drains the rest of open content, which another request follows.
    @inline(never)
    func close(_ open: OpenContent?, endsAttempt: Bool) async {
        guard let open else { return }
        _ = try? await open.content.collect(limit: Self.skippedContentLimit)
        abandon(open, endsAttempt: endsAttempt)
    }

    /// Ends the transfer of open content that is not read.
    @inline(never)
    func abandon(_ open: OpenContent?, endsAttempt: Bool) {
        guard let open else { return }
        open.content.cancel()
        open.release(.responded(open.response))
        if endsAttempt { record(state.exchange.record(of: open.response)) }
    }

    private func pace(_ content: any StreamedContent) -> any StreamedContent {
        guard let bandwidth = state.draft.transfer?.values.download else { return content }
        return PacedContent(
            content,
            bandwidth: bandwidth,
            clock: clock,
            deadline: nextDeadline,
            cancellation: cancellation
        )
    }

    private func collect(_ open: OpenContent) async throws(SwiftyError) -> TransportResponse {
        let limit = isStreamed ? Self.unacceptedContentLimit : collectedContentLimit.bytes
        var (bytes, isComplete) = try await open.content.collect(limit: limit)
        if !isComplete {
            guard isStreamed else { throw tooLarge(open.response) }
            // Truncated coded content cannot be decoded.
            if open.head.mayHaveField("content-encoding") { bytes = Data() }
        }
        return TransportResponse(head: open.head, content: bytes, metrics: open.content.metrics)
    }

    /// The limit of content that is collected in memory, and the setting that it comes from.
    private var collectedContentLimit: (bytes: Int, setting: Setting) {
        let bytes = configuration.contentDecoding.maximumBytes
        if let own = environment.contentLimit, own <= bytes { return (own, .requestContentLimit) }
        return (bytes, .decodedBytes)
    }

    func tooLarge(_ response: TransportResponse) -> SwiftyError {
        let (limit, setting) = collectedContentLimit
        let reason = "the response's content exceeds \(limit) bytes, \(setting.limit)"
        return SwiftyError(.responseTooLarge, stage: .content, sent: .responded, reason: reason)
            .withResponse(response, content: nil)
    }

    private func decode(_ open: OpenContent) -> any StreamedContent {
        guard let request = state.request else { return open.content }
        return configuration.contentDecoding.decode(open.content, open.head, to: request)
    }
}

// MARK: The end of a stream

extension Load {
    /// Records the end of a streamed load.
    ///
    /// - Returns: The attempt, and the error of the load.
    func recordEnd(
        _ open: OpenContent,
        decoded: Int,
        _ error: SwiftyError?
    ) -> (attempt: LoadMetrics.Attempt, error: SwiftyError?) {
        let response = open.response
        var final = error.map { state.exchange.complete(withReachedLimit($0, ofTransfer: open.deadline)) }
        final?.head = open.head
        final?.transfer = response.metrics
        let attempt = final.map(state.exchange.record(of:)) ?? state.exchange.record(of: response)
        append(attempt)
        state.metrics.decodedContentBytes = decoded
        measureEnd()
        return (attempt, final.map(complete))
    }

    /// Reports the end of a streamed load.
    func reportEnd(_ open: OpenContent, attempt: LoadMetrics.Attempt, error: SwiftyError?) {
        emit(.attemptEnded(attempt))
        let (draft, request) = (state.draft, state.request)
        let response =
            error.map { NetworkResponse(of: draft, error: $0, request: request) }
            ?? NetworkResponse(of: draft, head: open.head, data: Data(), request: request, metrics: state.metrics)
        report(response)
    }
}
