// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// A connection that was made, and the codec that speaks on it. Only the loop's thread uses it.
final class Connection {
    /// The number of the attempt that made it.
    let number: Int
    let group: ConnectionGroup
    let facts: ConnectionFacts
    let codec: any Codec
    private let channel: any Channel
    // Safety: the loop closes its connections before it ends. Every event reads this, and reference counting costs.
    unowned(unsafe) let pool: ConnectionPool
    var resources: LoopResources { pool.resources }
    var transfers: ActiveTransfers { pool.transfers }

    private struct State {
        /// The bytes that arrived while the connection was made.
        var early: [UInt8]
        var isOpen = true
        /// Whether it has carried a request before, or was idle.
        var wasKept = false
        /// The time at which its last transfer ended, or at which it was made.
        var idleSince: Int64
        /// Whether a transfer has begun since then.
        var isUsed = false
        var idlePeriod: Int?
        /// The time for which the server lets the connection be idle, and the number of requests that it still accepts.
        var idleTime = Int64.max
        var requestsLeft = Int.max
        /// Whether the loop waits until the socket is writable.
        var awaitsRoom = false
        /// Whether receiving is paused for a slow reader.
        var isPaused = false
        /// The time of the last bytes. Those that are received after a pause may have come at its beginning.
        var lastArrival = Int64.min
        /// The beginning of the first pause since everything had been read; `.max` without one.
        var pausedSince = Int64.max
        /// Whether the system could not watch the socket; the connection is about to end.
        var isUnwatched = false
        /// The number of waits at which the socket may have had something to read that no wait had reported; `.max`
        /// while it is not watched for it.
        var unknownSince = Int.max
    }

    @exclusivity(unchecked) private var state: State

    var isOpen: Bool { state.isOpen }
    /// The number of its period of idleness; `nil` while it is in use. Set by ``IdleConnections``.
    var idlePeriod: Int? {
        get { state.idlePeriod }
        set { state.idlePeriod = newValue }
    }

    init(_ opened: OpenConnection, codec: any Codec, by attempt: PendingConnection, of pool: ConnectionPool) {
        number = attempt.number
        group = attempt.group
        self.codec = codec
        self.pool = pool
        channel = opened.channel
        facts = opened.facts
        state = State(early: opened.early, idleSince: facts.established)
        group.noteOpening()
    }

    /// Watches the socket. Returns `false` if the system cannot.
    func register() -> Bool {
        guard resources.poll.setInterest(CURL_POLL_IN, in: channel.socket) else { return false }
        state.unknownSince = resources.waits.count
        resources.poll.table.attach(self, to: channel.socket)
        return true
    }

    /// Writes the request of a transfer.
    func begin(_ transfer: Transfer) {
        transfer.attach(to: self)
        transfer.connectionIsReady(at: resources.now, isReused: state.wasKept)
        (state.wasKept, state.isUsed) = (true, true)
        (state.lastArrival, state.pausedSince) = (resources.now, .max)
        resources.watch(transfer.nextDeadline)
        transfer.report?.reportConnection(
            facts.timings,
            isReused: transfer.attempt.isConnectionReused,
            at: resources.now
        )
        codec.begin(transfer, on: self)
        if !state.early.isEmpty, isOpen { codec.receive(on: self) }
    }

    /// Begins to speak on a shared connection that has no request yet, as its server expects (RFC 9113 §3.4).
    func beginIfUnused() {
        guard isOpen, codec.isIdle else { return }
        codec.flush(on: self)
        if !state.early.isEmpty, isOpen { codec.receive(on: self) }
    }

    /// What is reported of the connection at its end.
    private var closed: ClosedConnection {
        ClosedConnection(
            origin: group.key.origin,
            remoteAddress: facts.remoteAddress,
            httpVersion: codec.isShared ? .http2 : .http1_1,
            age: .nanoseconds(max(0, resources.now &- facts.established))
        )
    }

    /// Closes the socket. A second call has no effect.
    func close() {
        guard isOpen else { return }
        state.isOpen = false
        resources.environment.closures.note(closed)
        pool.forget(self)
        resources.poll.table.attach(nil, to: channel.socket)
        channel.close(resources.poll)
    }
}

extension Connection: SocketHandler {
    func handle(_ events: Int32) {
        if events & (CURL_CSELECT_IN | CURL_CSELECT_ERR) != 0 { noteRest(isLeft: true) }
        // While it is idle, the end of the connection and every byte are unexpected.
        if idlePeriod != nil, !codec.isShared { return isSilent() ? () : close() }
        if events & CURL_CSELECT_OUT != 0 { codec.send(on: self) }
        if isOpen, events & (CURL_CSELECT_IN | CURL_CSELECT_ERR) != 0 { codec.receive(on: self) }
    }
}

extension Connection: TransferCarrier {
    func stage(of transfer: Transfer) -> SwiftyError.Stage { codec.stage(of: transfer) }

    func abandon(_ transfer: Transfer, isOverdue: Bool) {
        codec.abandon(transfer, isOverdue: isOverdue, on: self)
    }

    func stopWaitingForContinue(_ transfer: Transfer) {
        codec.stopWaitingForContinue(transfer, on: self)
    }

    func resumeReceiving(_ transfer: Transfer) {
        codec.resumeReceiving(transfer, on: self)
    }

    func resumeSending(_ transfer: Transfer) {
        codec.resumeSending(transfer, on: self)
    }

    /// The connection is made: no proxy delays it.
    func attributeTimeout(_ failure: inout TransferFailure) {}
}

// MARK: The ends of transfers

extension Connection {
    func complete(_ transfer: Transfer) {
        transfers.complete(transfer, on: facts, at: resources.now)
    }

    func fail(_ transfer: Transfer, _ failure: TransferFailure) {
        transfers.fail(transfer, failure, on: facts, at: resources.now)
    }
}

// MARK: Reuse

extension Connection {
    /// Reuses a shared connection on which transfers have ended: it may carry others, or become idle.
    func noteRoom() {
        if isOpen { pool.fill(self) }
    }

    /// Records how many simultaneous transfers the server allows on a shared connection.
    func noteStreamLimit(_ limit: Int) {
        group.room.noteStreamLimit(limit)
        pool.requeueUnserved(of: group)
    }

    /// Gives no further transfers to a shared connection.
    func stopSharing() {
        group.withdraw(self)
        // The server no longer holds back those that wait.
        pool.serveLater(group.host)
    }

    /// The last exchange ended cleanly: the connection may carry the next one, unless the server says otherwise.
    func becomeIdle(_ hint: KeepAliveHint) {
        // The server has counted on while a slow reader took the rest of the response.
        noteIdle(since: state.lastArrival)
        state.idleTime = hint.idleTime ?? .max
        state.requestsLeft = min(state.requestsLeft - 1, hint.max ?? .max)
        if state.requestsLeft <= 0 || state.isUnwatched { return close() }
        pool.takeBack(self)
    }

    /// Begins a period of idleness. Without a request since the last one, the server has counted on.
    ///
    /// - Parameter time: When it has begun; `nil` for now.
    func noteIdle(since time: Int64? = nil) {
        state.wasKept = true
        if state.isUsed { state.idleSince = time ?? resources.now }
        state.isUsed = false
    }

    /// Whether the connection is below the limit of age.
    func isYoung(_ limits: ConnectionLimits) -> Bool {
        resources.now &- facts.established <= limits.age
    }

    /// The end of the time for which it may be idle; `.max` if that is too far away.
    func idleLimitEnd(_ limits: ConnectionLimits) -> Int64 {
        let (end, overflow) = state.idleSince.addingReportingOverflow(min(limits.idleTime, state.idleTime))
        return overflow ? .max : end
    }

    /// Whether the connection may be given to another transfer: it is young enough, and neither the end of the
    /// connection nor unrequested bytes have arrived on it.
    func isUsable(_ limits: ConnectionLimits) -> Bool {
        guard isOpen, resources.now < idleLimitEnd(limits), isYoung(limits) else { return false }
        if state.early.isEmpty, isKnownSilent || !channel.isReadable { return true }
        if !codec.isShared { return isSilent() }
        // The server may have ended the connection.
        codec.receive(on: self)
        return isOpen && !codec.isDraining
    }
}

extension Connection {
    /// Whether the loop's last wait tells that nothing has arrived, which saves a look at the socket.
    private var isKnownSilent: Bool { resources.isSilent(unknownSince: state.unknownSince) }

    private func noteArrival(isRestLeft: Bool) {
        noteRest(isLeft: isRestLeft)
        state.lastArrival = min(state.pausedSince, resources.now)
        // TLS may hold bytes from before the pause although it has read the socket to its end.
        if state.pausedSince != .max, !isRestLeft, !channel.holdsBytes { state.pausedSince = .max }
    }

    /// Records whether the socket may have more to read: after an event until it is read to its end.
    private func noteRest(isLeft: Bool) {
        guard state.unknownSince != .max else { return }
        state.unknownSince = resources.waits.count - (isLeft ? 0 : 1)
    }
}

// MARK: The first request

extension Connection {
    /// The failure of a request that would be the first on this connection; `nil` if the server is silent, as it must
    /// be. What has arrived before a request cannot be its response (RFC 9112 §9.2). HTTP/2 begins with the server's
    /// settings.
    func failureOfFirstRequest() -> TransferFailure? {
        state.wasKept || codec.isShared ? nil : failureBeforeRequest()
    }

    /// The failure of a request of which nothing was sent yet; `nil` if the server is silent.
    func failureBeforeRequest() -> TransferFailure? {
        guard state.early.isEmpty else { return .unrequested }
        guard channel.isReadable else { return nil }
        switch receive(into: resources.receiveBuffer(limit: 1 << 10)) {
        case .bytes: return .unrequested
        // There may be TLS protocol messages to read.
        case .wouldBlock: return channel.holdsBytes ? .unrequested : nil
        case .end: return .closedBeforeRequest
        case .failed(let failure): return TransferFailure(failure, stage: .send, sent: .notSent)
        }
    }
}

extension TransferFailure {
    static let unrequested = TransferFailure(
        code: .malformedResponse,
        stage: .firstByte,
        sent: .notSent,
        reason: "the server sent bytes before it had a request, which cannot be a response"
    )

    fileprivate static let closedBeforeRequest = TransferFailure(
        code: .connectionLost,
        stage: .send,
        sent: .notSent,
        reason: "the server closed the connection before it had a request"
    )
}

// MARK: Bytes

extension Connection {
    func send(_ head: UnsafeRawBufferPointer, _ content: UnsafeRawBufferPointer) -> ChannelResult {
        isOpen ? channel.send(head, content, by: resources.sendBuffer) : .wouldBlock
    }

    /// Whether the loop waits until the socket is writable.
    var awaitsRoom: Bool { state.awaitsRoom }

    /// Starts or stops waiting until the socket is writable.
    func setAwaitsRoom(_ awaitsRoom: Bool) {
        guard state.awaitsRoom != awaitsRoom else { return }
        state.awaitsRoom = awaitsRoom
        watchSocket()
    }

    /// Stops watching for received bytes, or continues.
    func setPaused(_ isPaused: Bool) {
        guard state.isPaused != isPaused else { return }
        state.isPaused = isPaused
        if isPaused { state.pausedSince = min(state.pausedSince, resources.now) }
        watchSocket()
    }

    private func watchSocket() {
        guard isOpen else { return }
        let receiving = state.isPaused ? CURL_POLL_NONE : CURL_POLL_IN
        let isWatched = resources.poll.setInterest(
            receiving | (state.awaitsRoom ? CURL_POLL_OUT : CURL_POLL_NONE),
            in: channel.socket
        )
        state.unknownSince = isWatched && !state.isPaused ? resources.waits.count : .max
        if isWatched || state.isUnwatched { return }
        // It is closed later: the codec is still sending or receiving.
        state.isUnwatched = true
        pool.deferred.loseLater(self)
    }

    /// Has the codec send its output at the end of the turn.
    func flushLater() {
        pool.deferred.flushLater(self)
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelResult {
        guard isOpen else { return .wouldBlock }
        if state.early.isEmpty {
            let result = channel.receive(into: buffer)
            if case .bytes(let count) = result {
                noteArrival(isRestLeft: channel.mayLeaveBytes(afterReceiving: count, of: buffer.count))
            }
            return result
        }
        let count = min(state.early.count, buffer.count)
        buffer.copyBytes(from: state.early.prefix(count))
        state.early.removeFirst(count)
        return .bytes(count)
    }

    func mayHoldMore(afterReceiving count: Int, of capacity: Int) -> Bool {
        isOpen && (!state.early.isEmpty || channel.mayHoldMore(afterReceiving: count, of: capacity))
    }

    /// Receives more in the next turn, after the other connections. A socket reports by itself what it holds, TLS does
    /// not.
    func receiveLater() {
        if isSecure { pool.deferred.receiveLater(self) }
    }

    /// Whether bytes follow a complete response, or the end of the connection.
    func hasUnexpectedBytes() -> Bool {
        guard isSecure, mayHoldMore(afterReceiving: 0, of: 1) else { return false }
        return !isSilent()
    }

    /// Receives on a connection on which nothing is expected. There may be TLS protocol messages to read.
    private func isSilent() -> Bool {
        // Early bytes may not fit into the buffer; any number of them is unexpected.
        guard state.early.isEmpty, case .wouldBlock = receive(into: resources.receiveBuffer(limit: 1 << 10)) else {
            return false
        }
        return !channel.holdsBytes
    }

    var isSecure: Bool { channel.isSecure }

    var isEndAuthenticated: Bool { channel.isEndAuthenticated }
}
