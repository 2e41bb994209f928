// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// Tells a request's handler what happens to its transfer: each event once and in order, and progress now and then.
///
/// If libcurl sends the request again because a kept-alive connection was dead, what was told is not told again.
struct TransferReport {
    private enum Stage: Int {
        case begun
        case connected
        case sent
        case answered
    }

    /// Progress is told after so many bytes, or after so many nanoseconds.
    private static let byteStep = 64 << 10
    private static let timeStep: Int64 = 100_000_000

    private let handler: TransferEvent.Handler
    private var stage = Stage.begun
    private var sent = 0
    private var received = 0
    private var told = (count: 0, time: Int64(0))

    init(_ handler: @escaping TransferEvent.Handler) {
        self.handler = handler
    }

    /// The connection is ready, and the request is written to it next.
    mutating func connected(_ timings: PhaseTimings, isReused: Bool, at now: Int64) {
        guard advance(to: .connected) else { return }
        told.time = now
        handler(
            .connected(
                nameLookup: isReused ? .zero : timings.lookupDuration,
                connect: isReused ? .zero : timings.connectDuration,
                tls: isReused ? .zero : timings.tlsDuration,
                isReused: isReused
            )
        )
    }

    /// So much of the request's content was written; with all of it, the request is.
    mutating func moved(sent count: Int, of total: Int, at now: Int64) {
        guard stage != .begun else { return }
        sent = max(sent, count)
        tellProgress(at: now)
        if count >= total, advance(to: .sent) { handler(.requestSent) }
    }

    /// The final head arrived.
    mutating func receivedHead(statusCode: Int, contentLength: Int?) {
        guard advance(to: .answered) else { return }
        handler(.responseHead(statusCode: statusCode, contentLength: contentLength))
    }

    /// So much of the response's content arrived.
    mutating func moved(received count: Int, at now: Int64) {
        received = max(received, count)
        tellProgress(at: now)
    }

    /// The response is complete.
    mutating func finished() {
        if sent + received > told.count { tell() }
    }

    /// Returns false if that was already told, or if it is too late: an answer may come before the request's end.
    private mutating func advance(to next: Stage) -> Bool {
        guard next.rawValue > stage.rawValue else { return false }
        stage = next
        return true
    }

    private mutating func tellProgress(at now: Int64) {
        let news = sent + received - told.count
        guard news >= Self.byteStep || (news > 0 && now - told.time >= Self.timeStep) else { return }
        told.time = now
        tell()
    }

    private mutating func tell() {
        told.count = sent + received
        handler(.progress(sent: sent, received: received))
    }
}
