// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore
import SwiftyTransport

@testable import SwiftyCurl

/// What a line connects the client to. It learns of what happens on the line when that has crossed it.
protocol LinePeer: AnyObject {
    func receive(_ bytes: ArraySlice<UInt8>)
    /// Whether it has acted on everything that it has received.
    var isCaughtUp: Bool { get }
    /// The client has closed the connection.
    func clientHasClosed()
}

/// One simulated connection between the client and a host. Bytes, and the end, take their time from side to side.
final class Line {
    enum End {
        case open
        /// The server has ended it.
        case closed
        case reset
    }

    let number: Int
    let host: Host
    let plan: ConnectionPlan
    let isSecure: Bool
    let speaksHTTP2: Bool
    // Safety: lives as long as the history.
    private unowned(unsafe) let network: Network
    private var world: World { network.world }
    private let sockets: SimulatedSockets
    private(set) var socket: Int32 = -1
    var peer: (any LinePeer)?

    /// What has arrived at the client, and what TLS has taken from the socket.
    private var arrived = ByteQueue()
    private var held = ByteQueue()
    private var end = End.open
    private var isEndAnnounced = false
    /// The number of bytes that the client has sent and the server has not read.
    private var underWay = 0
    /// The number of bytes that the server has sent and that have not arrived.
    private var arriving = 0
    /// Since when the client can send; `nil` while it cannot.
    private(set) var writableSince: Int64?
    /// The times at which the last event reaches each side: none overtakes another.
    private var lastToClient: Int64 = 0
    private var lastToServer: Int64 = 0
    private(set) var isClosedByClient = false
    private(set) var isClosedByServer = false
    private(set) var isFrozen = false
    /// Whether the system refuses to send.
    private var isUnsendable = false
    /// Whether the client has begun a request of which it does not have the end of the response.
    private var isResponseAwaited = false
    private var carriage: Carriage?
    private var readability = Readability()
    /// The time at which the client first sent something. What a server says before that may wait.
    private var usedSince: Int64?
    private var scanner = RequestScanner()
    /// The times of the first and of the last request over HTTP/2 since nothing passes.
    private(set) var requestedWhileFrozen: Int64?
    private(set) var lastRequestedWhileFrozen: Int64?
    /// The time at which the client was first told that it cannot send.
    private(set) var sendFailedAt: Int64?
    /// The times at which nothing passed any more, and at which the client closed the connection.
    private(set) var frozenAt: Int64?
    private(set) var closedAt: Int64?
    /// The time at which the client had it, and could send a request.
    var openedAt: Int64?
    /// Where it goes instead of its host.
    var connectsTo: HostAndPort?
    /// The time at which an idle server ends the connection, as it has announced in its last response.
    var announcedEnd: Int64?

    init(number: Int, to host: Host, _ plan: ConnectionPlan, speaksHTTP2: Bool, _ sockets: SimulatedSockets) {
        self.number = number
        self.host = host
        self.plan = plan
        self.speaksHTTP2 = speaksHTTP2
        self.sockets = sockets
        isSecure = host.plan.isSecure
        network = host.network
        socket = sockets.open(self)
        noteRoom()
    }

    var isReset: Bool { end == .reset }
    var isReadable: Bool { !arrived.isEmpty || end != .open }
    var isWritable: Bool { underWay < plan.room || end == .reset }
    var holdsBytes: Bool { !held.isEmpty }
    /// Whether each side has everything that the other one has sent.
    var isAtRest: Bool {
        let isEmpty = underWay == 0 && arriving == 0 && !isReadable && !holdsBytes
        return isEmpty && !isClosedByServer && peer?.isCaughtUp ?? false
    }
    var isEndAuthenticated: Bool { isEndAnnounced && end == .closed && arrived.isEmpty && held.isEmpty }
}

// MARK: The client's side

extension Line {
    func clientSends(_ head: UnsafeRawBufferPointer, _ content: UnsafeRawBufferPointer) -> ChannelResult {
        if end == .reset || isUnsendable {
            sendFailedAt = sendFailedAt ?? world.now
            return .failed(.system(isUnsendable ? Self.notPermitted : Self.brokenPipe))
        }
        let count = min(head.count + content.count, plan.room - underWay)
        guard count > 0 else { return head.count + content.count == 0 ? .bytes(0) : .wouldBlock }
        var bytes = Array(head.prefix(count))
        bytes.append(contentsOf: content.prefix(count - bytes.count))
        underWay += count
        noteRoom()
        isResponseAwaited = true
        if usedSince == nil { usedSince = world.now }
        if speaksHTTP2 { scan(bytes) } else { noteSent(head) }
        world.note(.clientSent, number, count, "connection \(number): the client sends \(count) bytes")
        cross(&lastToServer, plan.latency + plan.readingTime) { $0.serverReceives(bytes[...]) }
        return .bytes(count)
    }

    func clientReceives(into buffer: UnsafeMutableRawBufferPointer) -> ChannelResult {
        // TLS reads more than it gives, so that the socket does not show the rest.
        if isSecure, !arrived.isEmpty { held.append(arrived.takeAll()) }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(plan.piece))
        let count = isSecure ? held.take(into: room) : arrived.take(into: room)
        checkDelay()
        readability.noteRead(isMoreLeft: isReadable || holdsBytes, at: world.now)
        if count > 0 {
            network.receiveCount += 1
            carriage?.note(network.caller(carriage?.load), received: count, at: world.now)
            checkAhead()
            world.note(.clientReceived, number, count, "connection \(number): the client receives \(count) bytes")
            return .bytes(count)
        }
        switch end {
        case .open: return .wouldBlock
        case .closed: return .end
        case .reset: return .failed(.system(Self.connectionReset))
        }
    }

    func clientCloses(_ poll: SocketPoll) {
        if isClosedByClient { return world.report("every connection is closed exactly once", "connection \(number)") }
        isClosedByClient = true
        closedAt = world.now
        checkDelay()
        carriage?.close(
            network.caller(carriage?.load),
            unreadSince: readability.since,
            writableSince: writableSince,
            at: world.now
        )
        world.note(.clientClosed, number, 0, "connection \(number): the client closes it")
        poll.close(socket)
        sockets.close(socket)
        cross(&lastToServer, plan.latency) { $0.peer?.clientHasClosed() }
    }

    /// Whatever has arrived is read at once, unless a reader is busy with what came before.
    private func checkDelay() {
        let caller = network.caller(carriage?.load)
        if !speaksHTTP2, caller?.isTransferOver ?? true { return }
        let waiting = speaksHTTP2 ? usedSince : caller?.waitingSince
        let delay = readability.delay(ofReaderWaitingSince: waiting, at: world.now)
        let limit = Invariants.tolerance + network.plan.mostLate
        let text = "connection \(number): it lay there for \(delay / 1_000) µs"
        world.expect(delay <= limit, "what has arrived is read, if its reader waits", text)
    }

    /// A reader that pauses has the client stop receiving.
    private func checkAhead() {
        guard let carriage, let caller = network.caller(carriage.load), caller.isReading else { return }
        let ahead = carriage.receivedCount - caller.readCount
        let limit = network.plan.mostAheadOfReader
        let text = "load \(caller.number): \(ahead) bytes"
        world.expect(ahead <= limit, "no more is received ahead of a reader than its share of the memory", text)
    }

    private func noteRoom() {
        writableSince = isWritable ? writableSince ?? world.now : nil
    }

    private func scan(_ bytes: [UInt8]) {
        guard scanner.take(bytes), isFrozen else { return }
        requestedWhileFrozen = requestedWhileFrozen ?? world.now
        lastRequestedWhileFrozen = world.now
    }

    /// The client sends a request, or more of it.
    private func noteSent(_ head: UnsafeRawBufferPointer) {
        if let load = Self.load(in: head), load != carriage?.load {
            let carriage = Carriage(load: load, on: self, at: world.now)
            self.carriage = carriage
            network.note(carriage)
        }
        carriage?.note(network.caller(carriage?.load), received: 0, at: world.now)
    }

    /// The number in the target of a request, if its head begins with these bytes.
    private static func load(in head: UnsafeRawBufferPointer) -> Int? {
        guard let start = head.firstIndex(of: UInt8(ascii: "/")), head.count > start + 6,
            head[start + 1] == UInt8(ascii: "l"), head[start + 5] == UInt8(ascii: "/")
        else { return nil }
        let digits = head[(start + 6)...].prefix { 48...57 ~= $0 }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static let notPermitted: Int32 = 1
    private static let brokenPipe: Int32 = 32
    private static let connectionReset: Int32 = 104
}

// MARK: The server's side

extension Line {
    /// - Parameter isEnd: Whether they are the end of a response over HTTP/1.1.
    func serverSends(_ bytes: [UInt8], isEnd: Bool = false) {
        guard !isClosedByServer, !bytes.isEmpty else { return }
        arriving += bytes.count
        cross(&lastToClient, plan.latency) { line in
            line.arriving -= bytes.count
            if isEnd { line.isResponseAwaited = false }
            line.arrived.append(bytes)
            line.change()
        }
    }

    /// Sends bytes that no request has asked for. If a request is under way when they arrive, the client could not tell
    /// them from a response, and they do not come, unless the client has been warned.
    func serverSpeaks(_ bytes: [UInt8], evenWithinResponse isWarned: Bool = false) {
        if isClosedByServer { return }
        arriving += bytes.count
        cross(&lastToClient, plan.latency) { line in
            line.arriving -= bytes.count
            if line.isResponseAwaited, !isWarned { return }
            line.arrived.append(bytes)
            line.change()
        }
    }

    /// The server closes the connection: what the client sends from now on is answered by a reset.
    ///
    /// - Parameter isAnnounced: Whether TLS says so.
    func serverCloses(isAnnounced: Bool = true) {
        guard !isClosedByServer else { return }
        isClosedByServer = true
        world.note(.serverClosed, number, 0, "connection \(number): the server closes it")
        cross(&lastToClient, plan.latency) { line in
            if line.end == .open { (line.end, line.isEndAnnounced) = (.closed, isAnnounced && line.isSecure) }
            line.change()
        }
    }

    func serverResets() {
        isClosedByServer = true
        world.note(.serverReset, number, 0, "connection \(number): the server resets it")
        cross(&lastToClient, plan.latency) { $0.becomeReset() }
    }

    /// From now on nothing passes.
    func freeze() {
        isFrozen = true
        frozenAt = world.now
        world.note(.lineFroze, number, 0, "connection \(number): nothing passes any more")
    }

    /// From now on the client's system refuses to send, as a firewall has it do.
    func refuseToSend() {
        isUnsendable = true
        world.note(.sendingFails, number, 0, "connection \(number): the client can send nothing any more")
    }

    private func serverReceives(_ bytes: ArraySlice<UInt8>) {
        underWay -= bytes.count
        noteRoom()
        if isClosedByServer { return cross(&lastToClient, plan.latency) { $0.becomeReset() } }
        peer?.receive(bytes)
        change()
    }

    private func becomeReset() {
        if end == .reset { return }
        end = .reset
        underWay = 0
        change()
    }

    private func change() {
        if isReadable { readability.noteArrival(at: world.now) }
        if !isClosedByClient { sockets.noteChange(of: socket) }
    }

    /// Has something reach the other side, unless nothing passes.
    private func cross(_ last: inout Int64, _ time: Int64, _ event: @escaping (Line) -> Void) {
        last = max(last + 1, world.now + time)
        world.at(last) { [self] in
            if !isFrozen { event(self) }
        }
    }
}
