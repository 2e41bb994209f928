// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// HTTP/2 on one connection, which carries many exchanges simultaneously (RFC 9113). Frames, header compression and
/// flow control are nghttp2's.
final class HTTP2Codec: Codec {
    /// The number of bytes that may arrive before they are read: of a response at first, of a long response that is
    /// collected in memory or whose reader keeps up, and of all responses.
    static let streamWindow: UInt32 = 24 << 10
    static let wideStreamWindow: Int32 = 4 << 20
    static let wideReaderWindow: Int32 = 3 << 19
    private static let connectionWindow: Int32 = 16 << 20
    /// The number of streams that are begun before the server says how many it allows (RFC 9113 §6.5.2 recommends that
    /// it allow as many).
    private static let initialStreamLimit = 100

    // Safety: freed with this object.
    let session: OpaquePointer
    /// The connection, during a call of nghttp2.
    @exclusivity(unchecked) private(set) var connection: Connection?
    @exclusivity(unchecked) var streams = HTTP2Streams()
    @exclusivity(unchecked) var now: Int64 = 0
    @exclusivity(unchecked) var ending = HTTP2Ending()
    @exclusivity(unchecked) var rejected = RejectedRequests()
    @exclusivity(unchecked) var budget = FrameBudget()
    @exclusivity(unchecked) private(set) var output = HTTP2Output()
    @exclusivity(unchecked) private var isReceiving = false
    @exclusivity(unchecked) var watch = PeerWatch()
    private let streamLimit: Int
    /// The number of streams that the server allows; a guess until its SETTINGS have arrived.
    @exclusivity(unchecked) private var serverLimit = HTTP2Codec.initialStreamLimit

    /// Returns `nil` if nghttp2 is not available, or allocation fails.
    init?(streamLimit: Int) {
        var events = Self.events
        guard let session = ccurl_http2_new(&events, Self.streamWindow, Self.connectionWindow) else { return nil }
        self.session = session
        self.streamLimit = streamLimit
        ccurl_http2_set_context(session, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        ccurl_http2_free(session)
    }

    let isShared = true

    var isDraining: Bool { ending.hasBegun || output.error != nil }

    var isIdle: Bool { streams.isEmpty }

    var room: Int {
        if isDraining || watch.isSuspected { return 0 }
        return min(streamLimit, serverLimit) - streams.count - watch.resetCount
    }

    var isHeldByServer: Bool { serverLimit == 0 && !isDraining }

    func assume(streamLimit: Int) {
        serverLimit = min(serverLimit, streamLimit)
    }

    /// Handles the server's SETTINGS.
    func receiveSettings() {
        serverLimit = Int(ccurl_http2_stream_limit(session))
        connection?.noteStreamLimit(serverLimit)
        if streams.count > serverLimit { release(streams.unsent.suffix(streams.count - serverLimit)) }
    }

    /// Whether the server has to refuse one of the streams, because more were begun before it said how many it allows.
    func exceedsServerLimit(with others: Int) -> Bool { streams.count + others > serverLimit }

    func stage(of transfer: Transfer) -> SwiftyError.Stage {
        streams[transfer.attempt.stream]?.stage ?? .firstByte
    }

    /// HTTP/2 does not wait: ending a stream early does not cost the connection.
    func stopWaitingForContinue(_ transfer: Transfer, on connection: Connection) {}
}

// MARK: Requests

extension HTTP2Codec {
    func begin(_ transfer: Transfer, on connection: Connection) {
        let fields = HTTP2RequestFields(transfer.request, head: transfer.head)
        let number = fields.withFields { fields -> Int32 in
            guard let first = fields.baseAddress else { return -1 }
            return ccurl_http2_request(session, first, fields.count, transfer.content.mayHaveBytes)
        }
        guard number > 0 else {
            // The connection takes no more streams.
            ending.begin()
            connection.stopSharing()
            if streams.isEmpty { connection.close() }
            return connection.transfers.repeatUnprocessed(transfer, at: connection.resources.now)
        }
        let isFirst = streams.isEmpty
        watch.begin(isFirst: isFirst, at: connection.resources.now)
        transfer.attempt.begin(stream: number)
        streams.insert(HTTP2Stream(number: number, transfer: transfer))
        if isFirst { watchPeer(on: connection) }
        scheduleFlush(on: connection)
    }

    func abandon(_ transfer: Transfer, isOverdue: Bool, on connection: Connection) {
        guard let stream = streams.remove(transfer.attempt.stream) else { return }
        stream.detach()
        ccurl_http2_reset(session, stream.number, HTTP2ErrorCode.cancel.rawValue)
        expectRest(of: stream)
        // Without PINGs, nothing would show when the server knows of the reset, or that it is alive.
        if pingInterval(on: connection) != nil, watch.reset(isOverdue: isOverdue) { ping(on: connection) }
        if watch.isSuspected {
            release(streams.unsent[...])
            repeatRejected(on: connection)
        }
        scheduleFlush(on: connection)
        connection.noteRoom()
    }

    /// Has requests of which nothing was written wait for another connection: this one has no room for them, or its
    /// peer may be dead.
    private func release(_ unsent: ArraySlice<HTTP2Stream>) {
        for stream in unsent {
            streams.remove(stream.number)
            stream.detach()
            ccurl_http2_reset(session, stream.number, HTTP2ErrorCode.cancel.rawValue)
            rejected.addForRoom(stream.transfer)
        }
    }

    func resumeReceiving(_ transfer: Transfer, on connection: Connection) {
        guard let stream = streams[transfer.attempt.stream], stream.transfer === transfer else { return }
        ccurl_http2_consume(session, stream.number, stream.heldCount)
        stream.heldCount = 0
        scheduleFlush(on: connection)
    }

    func resumeSending(_ transfer: Transfer, on connection: Connection) {
        guard let stream = streams[transfer.attempt.stream], stream.transfer === transfer else { return }
        ccurl_http2_resume(session, stream.number)
        scheduleFlush(on: connection)
    }

    func scheduleFlush(on connection: Connection) {
        if output.isFlushScheduled { return }
        output.isFlushScheduled = true
        connection.flushLater()
    }
}

// MARK: Sending

extension HTTP2Codec {
    func flush(on connection: Connection) {
        output.isFlushScheduled = false
        send(on: connection)
    }

    func send(on connection: Connection) {
        if output.error != nil { return connection.setAwaitsRoom(false) }
        now = connection.resources.now
        let count = streams.count
        defer { noteClosures(since: count, on: connection) }
        for _ in 0..<8 {
            guard fillOutput(on: connection) else { return }
            if output.isEmpty { return finishSending(on: connection) }
            let result = output.withUnsentBytes { connection.send(UnsafeRawBufferPointer(start: nil, count: 0), $0) }
            switch result {
            case .bytes(let count): output.noteSent(count)
            case .wouldBlock, .end: return connection.setAwaitsRoom(true)
            case .failed(let failure): return failSending(failure, on: connection)
            }
        }
        // The rest in the next turn, after the other connections.
        scheduleFlush(on: connection)
    }

    /// nghttp2 also closes streams while it makes output, such as those whose responses are refused.
    private func noteClosures(since count: Int, on connection: Connection) {
        repeatRejected(on: connection)
        if streams.count < count { connection.noteRoom() }
    }

    /// The server may have responded before it closed the connection.
    private func failSending(_ failure: ChannelFailure, on connection: Connection) {
        output.error = failure
        connection.setAwaitsRoom(false)
        connection.stopSharing()
        if !isReceiving { receive(on: connection) }
    }

    private func fillOutput(on connection: Connection) -> Bool {
        self.connection = connection
        defer { self.connection = nil }
        while output.hasRoom {
            var bytes: UnsafePointer<UInt8>?
            let count = ccurl_http2_output(session, &bytes)
            if count == 0 { break }
            guard count > 0, let bytes else {
                lose(TransferFailure.outOfMemory, on: connection)
                return false
            }
            output.append(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
        return true
    }

    private func finishSending(on connection: Connection) {
        connection.setAwaitsRoom(false)
        if ccurl_http2_is_over(session) {
            lose(ending.failure ?? Self.broken, on: connection)
        } else if isDraining, streams.isEmpty {
            connection.close()
        }
    }
}

// MARK: Receiving

extension HTTP2Codec {
    /// The number of bytes that one connection may receive in a turn of the loop, and the number if they are content.
    private static let bytesPerTurn = 16 << 10
    private static let contentPerTurn = 128 << 10

    func receive(on connection: Connection) {
        let resources = connection.resources
        now = resources.now
        var received = 0
        isReceiving = true
        defer { isReceiving = false }
        while connection.isOpen {
            let buffer = resources.receiveBuffer(limit: Self.bytesPerTurn)
            switch connection.receive(into: buffer) {
            case .bytes(let count):
                take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), on: connection)
                received += count
                guard connection.mayHoldMore(afterReceiving: count, of: buffer.count) || output.error != nil else {
                    return
                }
                if received >= (budget.isInContent ? Self.contentPerTurn : Self.bytesPerTurn) {
                    return connection.receiveLater()
                }
            case .wouldBlock:
                if let error = output.error { lose(error, on: connection) }
                return
            case .end: return lose(ending.failure ?? Self.closed, on: connection)
            case .failed(let failure): return lose(failure, on: connection)
            }
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        watch.receive(at: now)
        budget.refill(at: now)
        budget.scan(bytes)
        self.connection = connection
        let isAlive = bytes.baseAddress.map { ccurl_http2_receive(session, $0, bytes.count) } ?? true
        self.connection = nil
        if budget.isExceeded, ending.failure == nil {
            ending.begin(Self.flooded)
            ccurl_http2_end(session, HTTP2ErrorCode.enhanceYourCalm.rawValue)
        }
        // nghttp2 does not report each violation that has it end the connection, and refuses requests from then on.
        if !isDraining, ccurl_http2_is_ending(session) { ending.begin(Self.broken) }
        scheduleFlush(on: connection)
        if isDraining { connection.stopSharing() }
        repeatRejected(on: connection)
        if !isAlive {
            return lose(ending.failure ?? Self.malformed("the server does not speak HTTP/2"), on: connection)
        }
        if let failure = ending.failure, failure.code == .malformedResponse {
            send(on: connection)
            failStreams(failure, on: connection)
        }
        connection.noteRoom()
    }

    private func repeatRejected(on connection: Connection) {
        rejected.repeatAll(among: connection.transfers, at: connection.resources.now)
    }
}

// MARK: Silent peers

extension HTTP2Codec {
    /// The time after which a silent peer is sent a PING, in nanoseconds; `nil` for never.
    private func pingInterval(on connection: Connection) -> Int64? {
        connection.resources.environment.settings.connections.pingInterval?.nanoseconds
    }

    /// Has the loop check the peer in time.
    private func watchPeer(on connection: Connection) {
        guard let interval = pingInterval(on: connection) else { return }
        let action = watch.action(interval: interval, hasRequests: !streams.isEmpty, at: connection.resources.now)
        if case .wait(let end) = action { connection.resources.watch(end) }
    }

    func ping(on connection: Connection) {
        guard pingInterval(on: connection) != nil else { return }
        watch.ping(at: connection.resources.now)
        ccurl_http2_ping(session)
        scheduleFlush(on: connection)
        watchPeer(on: connection)
    }

    func checkPeer(on connection: Connection) -> Int64 {
        guard let interval = pingInterval(on: connection) else { return .max }
        switch watch.action(interval: interval, hasRequests: !streams.isEmpty, at: connection.resources.now) {
        case .wait(let end): return end
        case .ping:
            ping(on: connection)
            return checkPeer(on: connection)
        case .end:
            let limit = Duration.nanoseconds(interval)
            lose(Self.lost("the server has not responded to a PING within \(limit)"), on: connection)
            return .max
        }
    }
}
