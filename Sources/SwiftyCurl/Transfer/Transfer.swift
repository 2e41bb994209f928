// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport
import Synchronization

import struct Foundation.Data

/// One request in flight: the caller's preparation, the loop's state, and the continuation of the caller.
///
/// What changes, and what changes it:
///
/// | part | written by |
/// |---|---|
/// | `place`, `started`, `hasNews`, `repetition` | ``ActiveTransfers`` |
/// | `arrival` | ``WaitingLine``, when the transfer arrives |
/// | `queuePosition` | ``TransferQueue`` |
/// | `carrier` | ``ConnectionGroup`` while the transfer waits; the connection that carries it; its codec at the end |
/// | `attempt` | ``restart(at:)`` makes another one; its parts change only by its own functions |
/// | `deadlines` | the functions below, which the codec and ``ActiveTransfers`` call |
/// | `key`, `head`, `expectsContinue` | a repetition over HTTP/1.1, or without the expectation |
/// | `sourceError` | the answer of the content's source |
/// | `outcome` | ``end(_:)``, once |
// Safety: handed over twice and never used by two threads simultaneously. The caller makes it and gives it to the loop
// under the mailbox's lock; the loop owns it until it resumes the continuation, and does not touch it afterwards; then
// the caller reads `outcome`. A cancellation only sets the code, under a lock, and carries the reference to the loop.
final class Transfer: @unchecked Sendable {
    enum Place {
        /// In the mailbox, or not yet there.
        case waiting
        /// At this index of the loop's active transfers.
        case active(index: Int)
        case ended
    }

    let request: NetworkRequest
    var target: TargetURI { request.target }
    /// Whether the target's scheme is `https`.
    let isSecure: Bool
    let content: RequestContent
    let handedOver: Int64
    /// Whether it ends as soon as it has a connection, which it leaves to others.
    let isPrewarming: Bool
    @exclusivity(unchecked) private(set) var place = Place.waiting
    /// The current attempt; ``restart(at:)`` makes another one.
    @exclusivity(unchecked) var attempt: TransferAttempt
    /// The reader of a streamed response; `nil` if the response is collected.
    let feed: ResponseFeed?
    /// Whether the reader is to be resumed at the end of the turn.
    var hasNews = false
    /// The error of the content's source.
    private(set) var sourceError: (any Error)?
    @exclusivity(unchecked) var repetition: Repetition
    /// Reports events to the request's handler; `nil` without a handler.
    @exclusivity(unchecked) var report: TransferReport?
    /// The TLS rules of the target's host; `nil` for a host without rules.
    let hostRules: HostRules?
    @exclusivity(unchecked) private(set) var deadlines: TransferDeadlines

    private(set) var key: ConnectionKey
    /// Whether the settings allow HTTP/1.1.
    private let mayUseHTTP1: Bool
    let responseRules: TransportSettings.Responses
    /// Whether the metrics contain the server's certificates.
    let reportsCertificates: Bool
    @exclusivity(unchecked) private(set) var head: RequestHead
    /// Whether the content waits for a 100 response.
    @exclusivity(unchecked) private(set) var expectsContinue: Bool
    /// The connection that carries the transfer, or the one that it waits for; `nil` before and between attempts.
    @exclusivity(unchecked) private(set) var carrier: (any TransferCarrier)?
    /// The number by which waiting transfers of the loop are ordered; zero until one is assigned.
    @exclusivity(unchecked) private(set) var arrival = 0
    /// The position in the queue of transfers that wait.
    var queuePosition = 0
    /// The time at which the loop accepted the transfer; zero until then.
    @exclusivity(unchecked) private(set) var started: Int64 = 0

    /// The code with which the transfer was cancelled; `nil` if it was not.
    private let cancellation = Mutex<SwiftyError.Code?>(nil)
    private(set) var outcome: TransferOutcome?
    private var continuation: UnsafeContinuation<Void, Never>?

    /// Validates the request, and reads its settings from the environment.
    ///
    /// - Parameters:
    ///   - pump: The source of the content; `nil` for the request's data.
    ///   - feed: The reader of the response; `nil` to collect it.
    ///   - isPrewarming: Whether it only wants a connection.
    init(
        _ request: NetworkRequest,
        in environment: CurlEnvironment,
        pump: ContentPump? = nil,
        feed: ResponseFeed? = nil,
        isPrewarming: Bool = false
    ) throws(SwiftyError) {
        self.isPrewarming = isPrewarming
        isSecure = request.target.scheme == .https
        hostRules = try environment.hostRules(for: request)
        let connections = environment.settings.connections
        try RequestCheck.check(request, connections)
        let proxy = try environment.proxyRoutes?.proxy(for: request)
        let content = RequestContent(request, pump)
        let expectsContinue = content.expectsContinue(of: request, connections)
        head = try RequestHead(
            request,
            content: content,
            proxy: proxy,
            userAgentLine: environment.userAgentLine,
            expectsContinue: expectsContinue
        )
        self.expectsContinue = expectsContinue
        key = ConnectionKey(request, proxy: proxy)
        mayUseHTTP1 = connections.version != .http2
        responseRules = environment.settings.responses
        reportsCertificates = environment.settings.tls.reportsCertificates
        self.request = request
        repetition = Repetition(demandsNewConnection: request.requiresNewConnection)
        report = request.onEvent.map { TransferReport($0) }
        self.content = content
        self.feed = feed
        attempt = TransferAttempt(Upload(content))
        handedOver = ccurl_now()
        deadlines = TransferDeadlines(request.timeouts, start: handedOver)
    }

    var requiresNewConnection: Bool { repetition.requiresNewConnection }

    /// The proxy of the request; `nil` for a direct connection.
    var proxy: TransportSettings.Proxy? { key.detour?.proxy }

    /// Whether the server's identity was verified; `nil` if nothing was sent over TLS.
    var isServerVerified: Bool? {
        isSecure && attempt.progress.sent != .notSent ? hostRules?.isVerified ?? true : nil
    }

    /// Sets the continuation that is resumed at the end. Must be called before the transfer is handed to the loop.
    func setContinuation(_ continuation: UnsafeContinuation<Void, Never>) {
        self.continuation = continuation
    }

    /// Records that the transfer was cancelled. May be called on any thread; the first code counts.
    func noteCancellation(_ code: SwiftyError.Code) {
        cancellation.withLock { $0 = $0 ?? code }
    }

    /// The failure of a transfer that was cancelled; `nil` if it was not.
    var cancellationFailure: TransferFailure? {
        cancellation.withLock { $0 }.map {
            TransferFailure(code: $0, stage: .queue, sent: .notSent, reason: $0.cancellationReason)
        }
    }

    /// Records that a loop has accepted the transfer.
    func begin(at index: Int, in presence: LoopPresence, at now: Int64) {
        started = now
        report?.attach(to: presence)
        place = .active(index: index)
    }

    /// Records another index among the loop's active transfers.
    func move(to index: Int) {
        place = .active(index: index)
    }

    /// Records what carries the transfer, or what it waits for.
    func attach(to carrier: any TransferCarrier) {
        self.carrier = carrier
    }

    func detach() {
        carrier = nil
    }

    /// Leaves the connection, with the part of the response's head that has arrived.
    func detach(partialHead: @autoclosure () -> ResponseHead?, headByteCount: Int) {
        attempt.end(partialHead: partialHead(), headByteCount: headByteCount)
        detach()
    }

    /// Numbers a transfer that has arrived.
    func arrive(as number: Int) {
        arrival = number
    }

    /// Stores the outcome; ``resume()`` resumes the caller.
    func end(_ outcome: TransferOutcome) {
        place = .ended
        self.outcome = outcome
        attempt.upload.end()
    }

    /// Removes the expectation that the server does not support (RFC 9110 §15.5.18).
    func removeExpectation(_ environment: CurlEnvironment) {
        guard
            let plain = try? RequestHead(
                request,
                content: content,
                proxy: proxy,
                userAgentLine: environment.userAgentLine,
                expectsContinue: false
            )
        else {
            return
        }
        head = plain
        expectsContinue = false
    }

    /// Has the next attempts use HTTP/1.1, since the server demands it (RFC 9113 §7). Returns `false` if the settings
    /// forbid it, or the server has demanded it before.
    func requireHTTP1() -> Bool {
        guard mayUseHTTP1, !key.requiresHTTP1 else { return false }
        key = key.overHTTP1
        return true
    }

    func restart(at now: Int64) {
        detach()
        attempt = TransferAttempt(attempt.upload.repeated(content))
        deadlines = deadlines.restarted(at: now)
    }

    /// Records that the connection is ready for the request.
    func connectionIsReady(at now: Int64, isReused: Bool) {
        attempt.connectionIsReady(at: now, isReused: isReused)
        deadlines.connectionIsReady(at: now)
    }

    /// Records what was sent of the request so far.
    ///
    /// - Parameter head: The number of bytes of the head. The bytes of the content are those that ``Upload`` counts.
    func noteSent(head: Int, at now: Int64) {
        attempt.noteSent(head: head)
        deadlines.sent(at: now)
        // Until the whole head is sent, nothing is known of the content.
        guard report != nil, head == self.head.bytes.count else { return }
        report?.report(sent: attempt.upload.sentCount, isComplete: attempt.upload.isFinished, at: now)
    }

    /// Processes an answer of the content's source.
    func takeContent(_ answer: ContentPump.Answer, at now: Int64) throws(TransferFailure) {
        deadlines.sourceIsReady(at: now)
        do throws(TransferFailure) {
            try attempt.upload.take(answer)
        } catch {
            if case .failed(let cause) = answer { sourceError = cause }
            throw error
        }
    }

    /// Records that part of the response has arrived.
    func noteReceived(at now: Int64) {
        attempt.noteReceived(at: now)
        deadlines.received(at: now)
    }

    /// Pauses receiving until the reader has taken the arrived bytes. Meanwhile, silence has no limit.
    func pause() {
        attempt.pause()
        deadlines.awaitReader()
    }

    /// Continues after the reader has taken the arrived bytes.
    func unpause(at now: Int64) {
        attempt.unpause()
        deadlines.readerIsReady(at: now)
    }

    /// Has the source of the content produce more, once everything before is sent.
    func askForContent() {
        if attempt.upload.askForMore() { deadlines.awaitSource() }
    }

    /// The time of the next limit; `.max` without one.
    var nextDeadline: Int64 { min(deadlines.next, attempt.continueDeadline) }

    /// Resumes the caller, or the reader. A second call has no effect. The transfer must not be touched afterwards.
    func resume() {
        let waiting = continuation
        continuation = nil
        deliverPart()
        ccurl_publish(Unmanaged.passUnretained(self).toOpaque())
        waiting?.resume()
        feed?.end()
    }
}

/// The outcome of a transfer, left by the loop for the caller, who makes the response from it.
struct TransferOutcome {
    /// The failure; `nil` if the response is complete.
    var failure: TransferFailure?
    /// The facts about its connection, as far as one was made.
    var facts: ConnectionFacts?
    /// The time of the end, in monotonic nanoseconds; zero if the loop did not accept the transfer.
    var ended: Int64 = 0
}
