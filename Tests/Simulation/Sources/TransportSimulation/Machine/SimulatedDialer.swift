// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import SwiftyCurl
@testable import SwiftyTransport

/// Makes connections to the hosts of a network.
final class SimulatedDialer: Dialer {
    private let network: Network
    private unowned let thread: SimulatedThread
    private var ended: [ConnectEnd] = []

    init(_ network: Network, _ thread: SimulatedThread) {
        self.network = network
        self.thread = thread
    }

    func makeConnector(
        for transfer: Transfer,
        number: Int,
        isFirst: Bool,
        _ resources: LoopResources
    ) -> (any Connector)? {
        guard let host = network.host(of: transfer.target) else { return nil }
        let offersHTTP2 = resources.environment.offersHTTP2 && !transfer.key.requiresHTTP1
        let connector = SimulatedConnector(number, to: host, offersHTTP2: offersHTTP2, resources, self)
        connector.peer = transfer.request.connectsTo
        return connector
    }

    func deadline(isConnecting: Bool) -> Int64 { .max }

    func work(isConnecting: Bool, at now: Int64) -> Bool { true }

    func act(on socket: Int32, events: Int32) -> Bool { true }

    func takeEnded() -> ConnectEnd? {
        ended.isEmpty ? nil : ended.removeFirst()
    }

    fileprivate func end(_ number: Int, _ result: ConnectEnd.Result) {
        ended.append(ConnectEnd(number: number, result: result))
        thread.wake()
    }

    fileprivate var sockets: SimulatedSockets { thread.sockets }
}

/// One connection while it is made: a lookup, a handshake of TCP, and one of TLS. Each takes a third of the time.
final class SimulatedConnector: Connector {
    private let number: Int
    private let host: Host
    private let plan: ConnectionPlan
    private let speaksHTTP2: Bool
    private unowned let resources: LoopResources
    private unowned let dialer: SimulatedDialer
    private var world: World { host.network.world }
    private let lineNumber: Int
    private var line: Line?
    /// Whether the line counts as a connection of the host instead of the attempt.
    private var hasMadeLine = false
    private var begun: Int64 = 0
    private var timer: World.Timer?
    private var lastFacts: ConnectionFacts?
    /// Where it connects to instead of its host.
    fileprivate(set) var peer: HostAndPort?

    init(
        _ number: Int,
        to host: Host,
        offersHTTP2: Bool,
        _ resources: LoopResources,
        _ dialer: SimulatedDialer
    ) {
        self.number = number
        self.host = host
        self.resources = resources
        self.dialer = dialer
        (lineNumber, plan) = host.beginConnection()
        speaksHTTP2 = host.plan.isSecure && plan.speaksHTTP2 && offersHTTP2
    }

    private var isOver: Bool { lastFacts != nil }

    func start() -> Bool {
        begun = world.now
        world.note(.connecting, lineNumber, host.number, "connection \(lineNumber) to host \(host.number) begins")
        host.noteConnecting(1)
        if plan.attempt == .never { return true }
        timer = world.after(plan.delay) { [self] in
            timer = nil
            if plan.attempt == .made { makeLine() }
            dialer.end(number, plan.attempt == .refused ? .failed(Self.refused) : .made)
        }
        return true
    }

    private static let refused: ConnectEnd.Code = 7

    private func makeLine() {
        let line = Line(number: lineNumber, to: host, plan, speaksHTTP2: speaksHTTP2, dialer.sockets)
        self.line = line
        hasMadeLine = true
        host.noteConnecting(-1)
        host.take(line)
    }

    func open() throws(TransferFailure) -> OpenConnection {
        let facts = facts
        finish()
        guard let line else {
            world.note(.connectFailed, lineNumber, 1, "connection \(lineNumber): closed after the handshake")
            let reason = "the server closed the connection after the TLS handshake"
            throw TransferFailure(code: .connectionLost, stage: .tls, sent: .notSent, reason: reason)
        }
        world.note(.connected, lineNumber, speaksHTTP2 ? 2 : 1, "connection \(lineNumber) is made")
        self.line = nil
        if resources.environment.settings.connections.version == .http2, !speaksHTTP2 {
            line.clientCloses(resources.poll)
            throw .versionUnavailable
        }
        (line.openedAt, line.connectsTo) = (facts.established, peer)
        let channel = SimulatedChannel(line: line)
        let early = line.isSecure ? receiveEarly(from: channel) : []
        return OpenConnection(channel: channel, facts: facts, early: early, speaksHTTP2: speaksHTTP2)
    }

    /// What has arrived with the end of the handshake, as much as fits.
    private func receiveEarly(from channel: SimulatedChannel) -> [UInt8] {
        let buffer = resources.receiveBuffer(limit: 1 << 10)
        guard channel.isReadable, case .bytes(let count) = channel.receive(into: buffer) else { return [] }
        return Array(buffer[..<count])
    }

    func cancel() {
        if isOver { return }
        world.note(.connectAbandoned, lineNumber, 0, "connection \(lineNumber): the client gives it up")
        finish()
        guard let line else { return }
        self.line = nil
        line.clientCloses(resources.poll)
    }

    private func finish() {
        lastFacts = facts
        if !hasMadeLine { host.noteConnecting(-1) }
        if let timer { world.cancel(timer) }
        timer = nil
    }

    func explain(_ code: ConnectEnd.Code, overdue: TransferDeadlines.Overdue?) -> TransferFailure {
        world.note(.connectFailed, lineNumber, 0, "connection \(lineNumber): refused")
        let stage = stage
        finish()
        let reason = "the connection was refused"
        return TransferFailure(code: .connectionFailed, stage: stage, sent: .notSent, reason: reason)
    }

    func attributeTimeout(_ failure: inout TransferFailure) {}

    var stage: SwiftyError.Stage { facts.timings.stage(isSecure: host.plan.isSecure) }

    var facts: ConnectionFacts {
        if let lastFacts { return lastFacts }
        let passed = plan.attempt == .never ? 0 : (world.now - begun) / 1_000
        let third = max(1, plan.delay / 3_000)
        var timings = ConnectTimings()
        if passed >= third { timings.nameLookup = third }
        if passed >= 2 * third { (timings.connect, timings.isConnected) = (2 * third, true) }
        if passed >= 3 * third, host.plan.isSecure { timings.secured = 3 * third }
        return ConnectionFacts(
            remoteAddress: "10.0.0.\(host.number)",
            remotePort: 80,
            timings: timings,
            established: world.now
        )
    }
}
