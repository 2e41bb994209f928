// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// A connection that libcurl has opened, and the codec that speaks on it. Only the loop's thread uses it.
final class Connection {
    /// The facts about a connection that never change.
    struct Facts {
        var remoteAddress = ""
        var remotePort: Int64 = 0
        /// The durations of name lookup, connect and TLS.
        var timings = PhaseTimings()
        /// The status of the proxy's response to CONNECT; `nil` if there was no CONNECT.
        var proxyStatusCode: Int?
        /// The server's certificates, if the settings need them.
        var certificates: [ServerCertificate] = []
        /// The time at which it was ready, in monotonic nanoseconds.
        var established: Int64 = 0
    }

    let group: ConnectionGroup
    let facts: Facts
    let socket: Int32
    // Safety: the loop closes its connections before it ends. Every event reads this, and reference counting costs.
    unowned(unsafe) let loop: EventLoop

    private let codec: any Codec
    @exclusivity(unchecked) private(set) var isOpen = true
    /// The number of requests that were written to it.
    @exclusivity(unchecked) private(set) var useCount = 0
    /// The time at which its last transfer ended.
    @exclusivity(unchecked) private var idleSince: Int64
    /// The number of its period of idleness; `nil` while it is in use. Set by ``IdleConnections``.
    @exclusivity(unchecked) var idlePeriod: Int?
    /// Whether the loop watches for the moment when the socket takes more bytes.
    @exclusivity(unchecked) private var awaitsRoom = false

    init(socket: Int32, facts: Facts, codec: any Codec, in group: ConnectionGroup, loop: EventLoop) {
        self.group = group
        self.socket = socket
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
    }

    /// Handles an event of the socket.
    func handle(_ events: Int32) {
        // While it is idle, the end of the connection and every byte are unexpected.
        if idlePeriod != nil { return close() }
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
        loop.poll.forget(socket)
        ccurl_close(socket)
    }
}

extension Connection {
    /// Watches for the moment when the socket takes more bytes, or stops doing so.
    func setAwaitsRoom(_ awaitsRoom: Bool) {
        guard self.awaitsRoom != awaitsRoom, isOpen else { return }
        self.awaitsRoom = awaitsRoom
        if !loop.poll.setInterest(awaitsRoom ? CURL_POLL_INOUT : CURL_POLL_IN, in: socket) { close() }
    }

    /// The last exchange ended cleanly: the connection may carry the next one.
    func becomeIdle() {
        idleSince = loop.now
        loop.pool.takeBack(self)
    }

    /// The end of the time for which it may be idle; `.max` if that is too far away.
    func idleLimitEnd(_ limits: TransportSettings.Connections) -> Int64 {
        let (end, overflow) = idleSince.addingReportingOverflow(limits.maximumIdleTime.nanoseconds)
        return overflow ? .max : end
    }

    /// Whether the connection may be given to another transfer: it is young enough, and neither the end of the
    /// connection nor unrequested bytes have arrived on it.
    func isUsable(_ limits: TransportSettings.Connections) -> Bool {
        guard isOpen, loop.now < idleLimitEnd(limits) else { return false }
        if let age = limits.maximumAge, loop.now &- facts.established > age.nanoseconds { return false }
        return !ccurl_socket_is_readable(socket)
    }
}

/// The result of sending or receiving.
enum ConnectionResult {
    /// This many bytes were moved.
    case bytes(Int)
    /// The call would have to wait.
    case wouldBlock
    /// The peer has ended its side of the connection.
    case end
    /// The connection has failed with this error number.
    case failed(Int32)
}

extension Connection {
    /// Sends as many bytes as the socket takes immediately.
    func send(_ head: UnsafeRawBufferPointer, _ content: UnsafeRawBufferPointer) -> ConnectionResult {
        let count = ccurl_send(socket, head.baseAddress, head.count, content.baseAddress, content.count)
        if count >= 0 { return .bytes(Int(count)) }
        return ccurl_would_block(count) ? .wouldBlock : .failed(Int32(clamping: -count))
    }

    /// Receives what has arrived, as far as there is room in the buffer.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> ConnectionResult {
        guard let start = buffer.baseAddress else { return .wouldBlock }
        let count = ccurl_receive(socket, start, buffer.count)
        if count > 0 { return .bytes(Int(count)) }
        if count == 0 { return .end }
        return ccurl_would_block(count) ? .wouldBlock : .failed(Int32(clamping: -count))
    }
}
