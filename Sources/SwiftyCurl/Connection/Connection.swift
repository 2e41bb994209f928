// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// A connection that libcurl has opened, and the codec that speaks on it. Only the loop's thread uses it.
final class Connection {
    let group: ConnectionGroup
    let facts: ConnectionFacts
    private let channel: Channel
    var socket: Int32 { channel.socket }
    // Safety: the loop closes its connections before it ends. Every event reads this, and reference counting costs.
    unowned(unsafe) let loop: EventLoop

    /// What was received when the connection was made, before a request.
    enum EarlyResult {
        case bytes([UInt8])
        case end
        case failed(Channel.Failure)

        var result: Channel.Result {
            switch self {
            case .bytes(let bytes): .bytes(bytes.count)
            case .end: .end
            case .failed(let failure): .failed(failure)
            }
        }
    }

    let codec: any Codec
    @exclusivity(unchecked) private var early: EarlyResult?
    @exclusivity(unchecked) private(set) var isOpen = true
    /// The number of requests that were written to it.
    @exclusivity(unchecked) private(set) var useCount = 0
    /// The time at which its last transfer ended.
    @exclusivity(unchecked) private var idleSince: Int64
    /// The number of its period of idleness; `nil` while it is in use. Set by ``IdleConnections``.
    @exclusivity(unchecked) var idlePeriod: Int?
    /// Whether the loop watches for the moment when the socket takes more bytes.
    @exclusivity(unchecked) private var awaitsRoom = false

    init(
        _ channel: Channel,
        facts: ConnectionFacts,
        early: EarlyResult? = nil,
        codec: any Codec,
        in group: ConnectionGroup,
        loop: EventLoop
    ) {
        self.group = group
        self.channel = channel
        self.early = early
        self.facts = facts
        self.codec = codec
        self.loop = loop
        idleSince = facts.established
        group.connectionCount += 1
    }

    /// Writes the request of a transfer.
    func begin(_ transfer: Transfer) {
        transfer.connection = self
        transfer.isConnectionReused = useCount > 0
        useCount += 1
        loop.startDeadlines(of: transfer)
        transfer.report?.reportConnection(facts.timings, isReused: transfer.isConnectionReused, at: loop.now)
        codec.begin(transfer, on: self)
        if early != nil, isOpen { codec.receive(on: self) }
    }

    /// Handles an event of the socket.
    func handle(_ events: Int32) {
        // While it is idle, the end of the connection and every byte are unexpected.
        if idlePeriod != nil, !codec.isShared { return isSilent() ? () : close() }
        if events & CURL_CSELECT_OUT != 0 { codec.send(on: self) }
        if isOpen, events & (CURL_CSELECT_IN | CURL_CSELECT_ERR) != 0 { codec.receive(on: self) }
    }

    func stopWaitingForContinue(_ transfer: Transfer) {
        codec.stopWaitingForContinue(transfer, on: self)
    }

    /// Abandons a transfer, whose outcome the caller stores.
    func abandon(_ transfer: Transfer) {
        codec.abandon(transfer, on: self)
    }

    /// The stage of one of its transfers.
    func stage(of transfer: Transfer) -> SwiftyError.Stage {
        codec.stage(of: transfer)
    }

    /// Closes the socket. A second call has no effect.
    func close() {
        guard isOpen else { return }
        isOpen = false
        loop.pool.forget(self)
        loop.poll.table.attach(nil, to: socket)
        channel.close(loop)
    }
}

extension Connection {
    /// Watches for the moment when the socket takes more bytes, or stops doing so.
    func setAwaitsRoom(_ awaitsRoom: Bool) {
        guard self.awaitsRoom != awaitsRoom, isOpen else { return }
        self.awaitsRoom = awaitsRoom
        if !loop.poll.setInterest(awaitsRoom ? CURL_POLL_INOUT : CURL_POLL_IN, in: socket) { close() }
    }

    /// A shared connection may carry another transfer.
    func noteRoom() {
        if isOpen { loop.pool.noteRoom(on: self) }
    }

    /// A shared connection takes no further transfers.
    func stopSharing() {
        loop.pool.stopSharing(self)
    }

    /// The last exchange ended cleanly: the connection may carry the next one.
    func becomeIdle() {
        idleSince = loop.now
        loop.pool.takeBack(self)
    }

    func noteIdle() {
        idleSince = loop.now
    }

    /// Whether the connection is below the limit of age.
    func isYoung(_ limits: ConnectionLimits) -> Bool {
        loop.now &- facts.established <= limits.age
    }

    /// The end of the time for which it may be idle; `.max` if that is too far away.
    func idleLimitEnd(_ limits: ConnectionLimits) -> Int64 {
        let (end, overflow) = idleSince.addingReportingOverflow(limits.idleTime)
        return overflow ? .max : end
    }

    /// Whether the connection may be given to another transfer: it is young enough, and neither the end of the
    /// connection nor unrequested bytes have arrived on it.
    func isUsable(_ limits: ConnectionLimits) -> Bool {
        guard isOpen, loop.now < idleLimitEnd(limits), isYoung(limits) else { return false }
        if early == nil, !ccurl_socket_is_readable(socket) { return true }
        if !codec.isShared { return isSilent() }
        // The server may have ended the connection.
        codec.receive(on: self)
        return isOpen && !codec.isDraining
    }
}

extension Connection {
    /// Sends as many bytes as the connection takes immediately.
    func send(_ head: UnsafeRawBufferPointer, _ content: UnsafeRawBufferPointer) -> Channel.Result {
        isOpen ? channel.send(head, content, by: loop.sendBuffer) : .wouldBlock
    }

    /// Receives what has arrived, as far as there is room in the buffer.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Channel.Result {
        guard isOpen else { return .wouldBlock }
        guard let early = early.take() else { return channel.receive(into: buffer) }
        if case .bytes(let bytes) = early { buffer.copyBytes(from: bytes) }
        return early.result
    }

    /// Whether more can have arrived than was received, without a new event of the socket.
    func mayHoldMore(afterReceiving count: Int, of capacity: Int) -> Bool {
        isOpen && channel.mayHoldMore(afterReceiving: count, of: capacity)
    }

    /// Whether bytes follow a complete response, or the end of the connection.
    func hasUnexpectedBytes() -> Bool {
        guard channel.tls != nil, mayHoldMore(afterReceiving: 0, of: 1) else { return false }
        return !isSilent()
    }

    /// Receives on a connection on which nothing is expected. TLS may have messages of its own to read.
    fileprivate func isSilent() -> Bool {
        if case .wouldBlock = receive(into: loop.receiveBuffer(limit: 1 << 10)) { true } else { false }
    }

    /// Whether bytes can be authenticated as the peer's: over TLS.
    var isSecure: Bool { channel.tls != nil }

    /// Receives more in the next turn, after the other connections. A socket reports by itself what it holds, TLS does
    /// not.
    func receiveLater() {
        if isSecure { loop.receiveLater(on: self) }
    }

    /// Whether the peer has announced the end of its bytes, which only TLS can prove.
    var isEndAuthenticated: Bool { channel.isEndAuthenticated }
}
