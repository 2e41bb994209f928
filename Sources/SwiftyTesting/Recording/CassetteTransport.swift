// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import Synchronization

/// A transport of one load that replays the exchanges of a cassette, or records those of another transport.
struct CassetteTransport: Transport {
    let session: CassetteSession
    /// The transport that sends what is recorded.
    let network: any Transport
    let draft: RequestDraft
    let clock: any Clock<Duration>

    /// The capabilities of the network, except that a replayed exchange may have any target: what is sent is checked
    /// again.
    var capabilities: TransportCapabilities { network.capabilities.union(.reroutes) }

    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        let request = try await request.collectingContent(clock, cancellation)
        if let exchange = try replay(request) { return try await exchange.begin(cancellation).collect() }
        try network.capabilities.check(request)
        let recording = Recording(session, request: request, draft: draft)
        do throws(SwiftyError) {
            let response = try await network.send(request, cancellation: cancellation)
            recording.end(response)
            return response
        } catch {
            recording.end(error)
            throw error
        }
    }

    func stream(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse {
        let request = try await request.collectingContent(clock, cancellation)
        if let exchange = try replay(request) { return try await exchange.begin(cancellation) }
        try network.capabilities.check(request)
        let recording = Recording(session, request: request, draft: draft)
        do throws(SwiftyError) {
            let response = try await network.stream(request, cancellation: cancellation)
            let content = RecordedContent(response, recording)
            return StreamedResponse(head: response.head, content: content)
        } catch {
            recording.end(error)
            throw error
        }
    }

    func shutdown() async {}

    /// The exchange with a recorded answer; `nil` if the request is to be sent.
    private func replay(_ request: NetworkRequest) throws(SwiftyError) -> MockExchange? {
        let key = session.key(of: request)
        guard let entry = session.take(key) else {
            if session.records { return nil }
            throw session.missing(key)
        }
        return MockExchange(try entry.mockResponse(path: session.path), to: request, clock: clock)
    }
}

private final class Recording: Sendable {
    private let session: CassetteSession
    private let request: NetworkRequest
    private let name: String?
    private let template: String?
    private let start = Date()
    private let number: Int

    init(_ session: CassetteSession, request: NetworkRequest, draft: RequestDraft) {
        (self.session, self.request) = (session, request)
        let described = MockedRequest(request, of: draft)
        // Without a service, the function's name is meaningless, and the whole path may be that of the base URL.
        let hasService = described.service != nil
        name = hasService ? described.name : draft.name
        template = !hasService && draft.template.isEmpty ? nil : described.template
        number = session.begin()
    }

    func end(_ response: TransportResponse) {
        let decoding = Swifty.ContentDecoding()
        let codings = response.head.headers[.contentEncoding]
        let isDecoded = decoding.mayDecode(response.head, to: request)
        // Content that is damaged, too large or in unknown codings is stored as received: a replay fails as the load
        // did.
        let content = isDecoded ? codings.flatMap { try? decoding.decode(response.content, codings: $0) } : nil
        record(HAREntry(HARRequest(request), start: start, response, content: content))
    }

    /// Records a failure without a response, unless the caller has caused it.
    func end(_ error: SwiftyError) {
        if error.isCancelled || error.head != nil || error.stage == .content { return }
        record(HAREntry(HARRequest(request), start: start, error))
    }

    private func record(_ entry: HAREntry) {
        var entry = entry
        (entry._name, entry._template, entry.secrets) = (name, template, request.secrets)
        session.record(entry, number: number)
    }
}

/// The content of a response that is recorded when it is complete; one that is cut off is not recorded.
private final class RecordedContent: StreamedContent {
    private let response: StreamedResponse
    private let recording: Recording
    /// The bytes so far; `nil` once they are recorded.
    private let bytes = Mutex<Data?>(Data())

    init(_ response: StreamedResponse, _ recording: Recording) {
        (self.response, self.recording) = (response, recording)
    }

    var trailers: HTTPFields { response.content.trailers }
    var metrics: TransferMetrics { response.content.metrics }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        if let part = try await response.content.next() {
            bytes.withLock { $0?.append(part) }
            return part
        }
        let all = bytes.withLock { bytes in
            defer { bytes = nil }
            return bytes
        }
        if let all { recording.end(TransportResponse(head: response.head, content: all, metrics: metrics)) }
        return nil
    }

    func whenEnded(_ handler: @escaping @Sendable (SwiftyError?) -> Void) -> Bool {
        response.content.whenEnded(handler)
    }

    func cancel() {
        response.content.cancel()
    }
}
