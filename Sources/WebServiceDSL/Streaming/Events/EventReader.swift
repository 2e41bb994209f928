// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// One reading of an event stream, over as many connections as it takes.
///
/// Each iterator has one. It is used by one task at a time; its release ends the transfer.
final class EventReader: BatchReader {
    private let source: PartSource
    private let policy: EventPolicy
    private let clock: LoadClock
    private var parser: EventParser
    private var reconnection: EventReconnection
    private var stream: ResponseStream?
    /// The time at which the request's total limit ends the stream with all its connections; `nil` without a limit, and
    /// before the first connection.
    private var deadline: Duration?
    private var hasEnded = false

    init(_ source: PartSource, _ policy: EventPolicy) {
        let source = source.fixingIdempotencyKey()
        self.source = source
        self.policy = policy
        clock = policy.clock.map { LoadClock($0) } ?? source.clock
        let lastEventID = source.draft?.headers[.lastEventID] ?? ""
        parser = EventParser(limit: policy.eventLimit, lastEventID: lastEventID)
        reconnection = EventReconnection(policy, source.draft)
    }

    deinit {
        if source.isOwnedByReader { stream?.cancel() }
    }

    /// Waits for the next event; `nil` at the end, and after an error.
    nonisolated(nonsending) func next() async throws(SwiftyError) -> ServerSentEvent? {
        do throws(SwiftyError) {
            while !hasEnded {
                if let event = try nextOfPart() { return event }
                try await readOn()
            }
            return nil
        } catch {
            end()
            throw error
        }
    }

    nonisolated(nonsending) func nextBatch() async throws(SwiftyError) -> [ServerSentEvent] {
        try await next().map { [$0] } ?? []
    }

    /// Ends the stream with an error in the data of an event.
    func fail(_ error: SwiftyError) -> SwiftyError {
        defer { end() }
        return stream?.completing(error) ?? error
    }

    private func nextOfPart() throws(SwiftyError) -> ServerSentEvent? {
        do throws(SwiftyError) {
            guard let event = try parser.next() else { return nil }
            reconnection.receive()
            guard event.data == policy.endsAt else { return event }
            end()
            return nil
        } catch {
            throw fail(error)
        }
    }

    /// Reads a part; connects first if there is no connection.
    private nonisolated(nonsending) func readOn() async throws(SwiftyError) {
        if hasEnded { return }
        do throws(SwiftyError) {
            let stream = try await connected()
            if stream.statusCode == 204 { return end() }
            if let part = try await stream.next() { return parser.append(part) }
        } catch {
            if error.statusCode == 204 { return end() }
            return try await pause(after: withWholeLimit(error))
        }
        try await pause(after: nil)
    }

    private nonisolated(nonsending) func connected() async throws(SwiftyError) -> ResponseStream {
        if let stream { return stream }
        let stream = try await source.asEventStream(after: parser.lastEventID, within: remainingTime()).open()
        self.stream = stream
        if stream.statusCode != 204 { try stream.requireEventStream() }
        return stream
    }

    /// The time that the request's total limit leaves for another connection; `nil` for the first one, and without a
    /// limit.
    private func remainingTime() throws(SwiftyError) -> Duration? {
        guard let deadline else {
            deadline = totalLimit.map { clock.now() + $0 }
            return nil
        }
        let time = deadline - clock.now()
        if time > .zero { return time }
        var error = SwiftyError(.timedOut, stage: .queue)
        (error.request, error.timeLimit) = (source.draft?.summary, .total)
        throw error
    }

    private var totalLimit: Duration? { source.draft?.timeouts.total }

    /// The error with the limit of the whole stream, instead of what the earlier connections have left of it.
    private func withWholeLimit(_ error: SwiftyError) -> SwiftyError {
        guard error.timeLimit == .total, let totalLimit else { return error }
        var error = error
        error.reason = "the event stream took longer than \(totalLimit), \(Setting.totalTimeout.limit)"
        return error
    }

    /// Waits until the time of the next connection; ends the stream if there is to be none.
    private nonisolated(nonsending) func pause(after error: SwiftyError?) async throws(SwiftyError) {
        // Another connection could not send the request's content.
        if source.draft?.hasUsedUpContent ?? false {
            if let error { throw error }
            return end()
        }
        let delay = try reconnection.delay(
            after: error,
            time: parser.reconnectionTime,
            fraction: .random(in: 0..<1),
            now: Date()
        )
        guard var delay else { return end() }
        if let deadline { delay = max(.zero, min(delay, deadline - clock.now())) }
        stream?.cancel()
        stream = nil
        parser = parser.forNextConnection()
        do {
            try await clock.sleep(for: CallerDeadline.limited(delay))
        } catch {
            throw SwiftyError(.cancelled, stage: .queue, reason: "the wait before a reconnection was cancelled")
        }
        try checkDeadline()
    }

    /// A load after the deadline would only fail, and its interceptors could still take their time.
    private func checkDeadline() throws(SwiftyError) {
        do throws(SwiftyError) {
            try CallerDeadline.check("the event stream")
        } catch {
            var error = error
            error.request = source.draft?.summary
            throw error
        }
    }

    private func end() {
        hasEnded = true
        stream?.cancel()
    }
}

extension PartSource {
    /// The request that is loaded; `nil` if the response is open already.
    var draft: RequestDraft? {
        if case .load(let resource) = self { resource.draft } else { nil }
    }

    /// The source with one key for all connections: a new one for each would not let the server recognize them.
    fileprivate func fixingIdempotencyKey() -> PartSource {
        guard case .load(let resource) = self, resource.draft.awaitsIdempotencyKey else { return self }
        return .load(resource.copy().modify { $0 = $0.fixingIdempotencyKey() })
    }

    /// The clock of the network interface that loads the request.
    fileprivate var clock: LoadClock {
        if case .load(let resource) = self { resource.clock } else { LoadClock(ContinuousClock()) }
    }

    /// The source with the header fields of a request for events, unless it has them.
    fileprivate func asEventStream(after lastEventID: String, within time: Duration?) -> PartSource {
        guard case .load(let resource) = self else { return self }
        return .load(resource.copy().modify { $0.requestEvents(after: lastEventID, within: time) })
    }
}

extension RequestDraft {
    fileprivate mutating func requestEvents(after lastEventID: String, within time: Duration?) {
        if let time { timeouts.total = time }
        setDefault(.accept, "text/event-stream")
        setDefault(.cacheControl, "no-store")
        // Blanks at the ends are not part of a field's value; an ID with a control character cannot be sent.
        let value = String(lastEventID.trimmingSpacesAndTabs())
        // Without an ID that can be sent, the server begins where it wants to, and not after an older event.
        headers[.lastEventID] = !value.isEmpty && HTTPField.isValidValue(value) ? value : nil
    }

    private mutating func setDefault(_ name: HTTPField.Name, _ value: String) {
        if !headers.contains(name), !removedHeaders.contains(name) { headers[name] = value }
    }
}

extension ResponseStream {
    /// Ends the transfer unless the content is an event stream. A mock needs no media type.
    ///
    /// - Throws: ``SwiftyError/Code/malformedResponse``.
    fileprivate func requireEventStream() throws(SwiftyError) {
        let field = head.headers[.contentType]
        if field == nil, request == nil { return }
        let mediaType = (field ?? "").prefix { $0 != ";" }.trimmingSpacesAndTabs()
        if mediaType.lowercased() == "text/event-stream" { return }
        cancel()
        throw completing(
            SwiftyError(
                .malformedResponse,
                stage: .head,
                sent: .responded,
                reason: "the content is not an event stream: its Content-Type is not text/event-stream"
            )
        )
    }
}

extension HTTPField.Name {
    /// `Last-Event-ID` (WHATWG HTML §9.2.4).
    static let lastEventID = literal("Last-Event-ID")
}
