// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import SwiftyTransport

/// The hosts of a history, and their records of what they received and sent.
final class Network {
    // Safety: lives as long as the history.
    unowned(unsafe) let world: World
    let plan: TransportPlan
    private(set) var hosts: [Host] = []
    fileprivate(set) var lineCount = 0
    /// How often clients have received bytes.
    var receiveCount = 0
    /// All requests of which a head has reached a server, in that order.
    fileprivate(set) var requests: [RequestRecord] = []

    /// The loads on connections that speak HTTP/1.1, in the order in which the client began to send them.
    private(set) var carriages: [Carriage] = []
    private var callers: [Caller] = []

    init(_ plan: TransportPlan, in world: World) {
        self.plan = plan
        self.world = world
        hosts = plan.hosts.enumerated().map { Host(number: $0, $1, self) }
    }

    func host(of target: TargetURI) -> Host? {
        let number = target.host.dropFirst("host".count).prefix { $0.isNumber }
        return Int(number).flatMap { hosts.indices.contains($0) ? hosts[$0] : nil }
    }

    /// Lines and their hosts refer to each other.
    func removeAll() {
        for host in hosts { host.removeLines() }
        (hosts, requests, carriages, callers) = ([], [], [], [])
    }

    func attach(_ callers: [Caller]) {
        self.callers = callers
    }

    func caller(_ load: Int?) -> Caller? {
        load.flatMap { callers.indices.contains($0) ? callers[$0] : nil }
    }

    func note(_ carriage: Carriage) {
        carriages.append(carriage)
        caller(carriage.load)?.line = carriage.line
    }

    /// The requests of a load, in the order in which they came.
    func requests(of load: Int) -> [RequestRecord] {
        requests.filter { $0.load == load }
    }
}

/// One host: its connections, and what it knows of the loads.
final class Host {
    let number: Int
    let plan: HostPlan
    // Safety: lives as long as the history.
    unowned(unsafe) let network: Network
    private var connectionCount = 0
    private var connectingCount = 0
    private(set) var lines: [Line] = []

    init(number: Int, _ plan: HostPlan, _ network: Network) {
        self.number = number
        self.plan = plan
        self.network = network
    }

    private var world: World { network.world }

    /// The number of the next connection in the history, and what it does.
    func beginConnection() -> (number: Int, plan: ConnectionPlan) {
        let index = min(connectionCount, plan.connections.count - 1)
        connectionCount += 1
        network.lineCount += 1
        return (network.lineCount, plan.connections[index])
    }

    /// The connections that the client has not closed, made or not.
    var openCount: Int { connectingCount + lines.count { !$0.isClosedByClient } }

    func noteConnecting(_ change: Int) {
        connectingCount += change
        guard change > 0, let limit = network.plan.settings.maximumPerHost else { return }
        world.expect(
            openCount <= limit,
            "a host has no more connections than the settings allow",
            "host \(number) has \(openCount) of \(limit)"
        )
    }

    func take(_ line: Line) {
        lines.append(line)
        line.peer = line.speaksHTTP2 ? HTTP2Peer(line) : HTTP1Peer(line)
        if let ending = line.plan.ending { world.after(ending.after) { self.end(line, ending.end) } }
        if let speaking = line.plan.speaking {
            world.after(speaking.after) { self.speak(speaking.speech, on: line) }
        }
    }

    /// Has the server, or the network, end a connection.
    func end(_ line: Line, _ end: ConnectionPlan.End) {
        if line.isClosedByClient { return }
        switch end {
        case .closedIdle: (line.peer as? any IdlePeer)?.closeWhenIdle()
        case .closed: line.serverCloses(isAnnounced: false)
        case .reset: line.serverResets()
        case .frozen: line.freeze()
        case .unsendable: line.refuseToSend()
        }
    }

    private func speak(_ speech: ConnectionPlan.Speech, on line: Line) {
        guard !line.isClosedByClient, let peer = line.peer as? any IdlePeer, peer.isIdle else { return }
        world.note(.serverSpoke, line.number, 0, "connection \(line.number): the server speaks without a request")
        peer.speak(speech)
    }

    fileprivate func removeLines() {
        lines = []
    }

    /// A request has come.
    func record(_ load: Int, _ method: String, on line: Line) -> RequestRecord {
        let arrival = network.requests(of: load).count
        let record = RequestRecord(load: load, arrival: arrival, method: method, line: line, at: world.now)
        network.requests.append(record)
        return record
    }

    /// What the host does with a request.
    func answer(to record: RequestRecord) -> AnswerPlan {
        guard network.plan.loads.indices.contains(record.load) else { return AnswerPlan() }
        let answers = network.plan.loads[record.load].answers
        return record.arrival < answers.count ? answers[record.arrival] : AnswerPlan()
    }
}

/// What both versions of HTTP have in common.
protocol IdlePeer: AnyObject {
    /// Whether there is no request.
    var isIdle: Bool { get }
    func closeWhenIdle()
    func speak(_ speech: ConnectionPlan.Speech)
}

/// One arrival of a request at a server, and what the server did with it.
final class RequestRecord {
    let load: Int
    /// How many times the load's request had come before.
    let arrival: Int
    let method: String
    let line: Line
    let began: Int64
    var content: [UInt8] = []
    /// Whether the server has all of the request.
    var isComplete = false
    /// Whether the server said, or will say, that it does not process it.
    var isRefused = false
    /// Whether the final head was sent, and all of the response.
    var hasResponded = false
    var isResponseComplete = false
    /// Whether the response is malformed.
    var isFlawed = false
    var hasTrailers = false
    /// Whether the end of the connection is the end of the response.
    var endsWithConnection = false
    var expectsContinue = false
    /// Whether the content may be sent, as far as the server is concerned.
    var status = 0
    var responseSize = 0

    init(load: Int, arrival: Int, method: String, line: Line, at time: Int64) {
        self.load = load
        self.arrival = arrival
        self.method = method
        self.line = line
        began = time
    }
}

/// The contents of requests and responses, of which every byte says where it belongs.
enum Content {
    static func request(_ load: Int, _ range: Range<Int>) -> [UInt8] {
        bytes(range, UInt(bitPattern: load &* 7 &+ 1))
    }

    static func response(_ load: Int, _ arrival: Int, count: Int) -> [UInt8] {
        bytes(0..<count, UInt(bitPattern: load &* 31 &+ arrival &* 5 &+ 129))
    }

    private static func bytes(_ range: Range<Int>, _ salt: UInt) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            let (start, salt) = (UInt32(truncatingIfNeeded: range.lowerBound), UInt32(truncatingIfNeeded: salt &* 37))
            for index in 0..<range.count {
                let position = start &+ UInt32(truncatingIfNeeded: index)
                buffer[index] = UInt8(truncatingIfNeeded: position &* 13 &+ (position >> 8) &* 7 &+ salt)
            }
            count = range.count
        }
    }
}
