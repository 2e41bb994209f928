// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// Reports the events of a transfer to the request's handler: each event once and in order, and progress periodically.
///
/// If the request is repeated, because a kept connection was lost or the server did not process it, events are not.
struct TransferReport {
    private enum Stage: Int {
        case begun
        case connected
        case sent
        case responded
    }

    /// The minimum number of bytes, or of nanoseconds, between two reports of progress.
    private static let byteStep = 64 << 10
    private static let timeStep: Int64 = 100_000_000

    private let handler: TransferEvent.Handler
    /// The presence of the loop that calls the handler; `nil` before the loop has accepted the transfer.
    private var presence: LoopPresence?
    private var stage = Stage.begun
    private var sent = 0
    private var received = 0
    private var reported = (count: 0, time: Int64(0))

    init(_ handler: @escaping TransferEvent.Handler) {
        self.handler = handler
    }

    /// Sets the loop that has accepted the transfer.
    mutating func attach(to presence: LoopPresence) {
        self.presence = presence
    }

    /// The handler is foreign code.
    private func report(_ event: TransferEvent) {
        if let presence { presence.outside { handler(event) } } else { handler(event) }
    }

    /// Reports that the connection is ready; the request is written next.
    mutating func reportConnection(_ timings: ConnectTimings, isReused: Bool, at now: Int64) {
        guard advance(to: .connected) else { return }
        reported.time = now
        report(
            .connected(
                nameLookup: isReused ? .zero : timings.lookupDuration,
                connect: isReused ? .zero : timings.connectDuration,
                tls: isReused ? .zero : timings.tlsDuration,
                isReused: isReused
            )
        )
    }

    /// Reports the number of bytes of the request's content that were written; with all of them, the request is sent.
    mutating func report(sent count: Int, isComplete: Bool, at now: Int64) {
        guard stage != .begun else { return }
        sent = max(sent, count)
        reportProgressIfDue(at: now)
        if isComplete, advance(to: .sent) { report(.requestSent) }
    }

    func reportInformational(_ head: ResponseHead) {
        if stage != .responded { report(.informational(statusCode: head.statusCode, headers: head.headers)) }
    }

    func reportTrailers(_ fields: HTTPFields) {
        report(.trailers(fields))
    }

    /// Reports the final head.
    mutating func reportHead(statusCode: Int, contentLength: Int?) {
        guard advance(to: .responded) else { return }
        report(.responseHead(statusCode: statusCode, contentLength: contentLength))
    }

    /// Reports the number of bytes of the response's content that have arrived.
    mutating func report(received count: Int, at now: Int64) {
        received = max(received, count)
        reportProgressIfDue(at: now)
    }

    /// Reports the last progress of a complete response.
    mutating func reportEnd() {
        if sent + received > reported.count { reportProgress() }
    }

    /// Returns `false` if this stage was already reported, or if it is too late: a response may arrive before the
    /// request's end.
    private mutating func advance(to next: Stage) -> Bool {
        guard next.rawValue > stage.rawValue else { return false }
        stage = next
        return true
    }

    private mutating func reportProgressIfDue(at now: Int64) {
        let news = sent + received - reported.count
        guard news >= Self.byteStep || (news > 0 && now - reported.time >= Self.timeStep) else { return }
        reported.time = now
        reportProgress()
    }

    private mutating func reportProgress() {
        reported.count = sent + received
        report(.progress(sent: sent, received: received))
    }
}
