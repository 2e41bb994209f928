// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Data

@testable import SwiftyCurl
@testable import SwiftyTransport

/// The transport: loads over simulated connections to simulated servers.
enum TransportScenario: Scenario {
    /// The name for the command line.
    static var name: String { "transport" }

    typealias Event = TransportEvent
    typealias State = TransportState

    /// Draws up a history.
    static func plan(_ random: inout SimulationRandom) -> TransportPlan { .drawn(&random) }

    /// Plays a history to its end, and checks the invariants.
    static func play(_ plan: TransportPlan, in world: World) {
        let callers = play(plan, world)
        let left = callers.filter { $0.caller != nil }.map { "load \($0.number)" }
        world.expect(left.isEmpty, "no task is left behind in the end", left.joined(separator: ", "))
    }

    private static func play(_ plan: TransportPlan, _ world: World) -> [ReleasedCaller] {
        let history = TransportHistory(plan, in: world)
        history.play()
        Invariants(history).check()
        history.dismantle()
        return history.callers.map { ReleasedCaller(caller: $0, number: $0.number) }
    }
}

/// A caller after its history, which only a task that has not ended still refers to.
private struct ReleasedCaller {
    weak var caller: Caller?
    let number: Int
}

// Safety: one thread uses it.
/// One history while it is played.
final class TransportHistory: @unchecked Sendable {
    let plan: TransportPlan
    let world: World
    let network: Network
    let system: SimulatedSystem
    let callers: [Caller]
    private(set) var transport: CurlTransport?
    private weak var released: CurlTransport?
    private(set) var shutdownBegan: Int64?
    private(set) var shutdownEnded: Int64?
    private var crowd: [ResponseFeed] = []

    /// The time at which the last load must have ended, although one may wait for the end of another. Every load has a
    /// limit, or a caller who gives up, or a server that responds.
    private static let loadEnd: Int64 = 20_000_000_000_000

    init(_ plan: TransportPlan, in world: World) {
        self.plan = plan
        self.world = world
        network = Network(plan, in: world)
        system = SimulatedSystem(network)
        callers = plan.loads.enumerated().map { Caller($0, $1, plan.hosts[$1.host], in: world) }
        network.attach(callers)
        world.lag = (plan.lagPercent, plan.lag)
    }

    var isShutDownEarly: Bool { plan.shutdown != nil }
    /// Whether the transport is gone.
    var isReleased: Bool { released == nil }

    func play() {
        crowd = (0..<plan.crowd).map { _ in ResponseFeed() }
        transport = CurlTransport(plan.settings.configuration, isShared: false, system: system)
        released = transport
        for (number, caller) in callers.enumerated() {
            if let pause = caller.plan.pauseAfterPrevious, number > 0 {
                callers[number - 1].whenEnded = { self.continuing(with: caller, after: pause) }
            } else {
                world.at(World.start + caller.plan.start) { self.start(caller) }
            }
        }
        if let time = plan.shutdown {
            world.at(World.start + time) { if self.plan.isReleased { self.release() } else { self.shutDown() } }
        }
        world.run(until: World.start + Self.loadEnd) { self.callers.allSatisfy { $0.ended != nil } }
        for caller in callers where caller.ended == nil {
            world.report("every load ends", "load \(caller.number) does not")
        }
        end()
    }

    /// Starts a load after the end of another; returns it if it is to run in the same task.
    private func continuing(with caller: Caller, after pause: Int64) -> Caller? {
        if pause == 0, transport != nil { return caller }
        world.after(pause) { self.start(caller) }
        return nil
    }

    private func start(_ caller: Caller) {
        if caller.plan.startsInTurn, plan.interruptedPercent > 0 {
            system.startDuringTurn { self.begin(caller) }
        } else {
            begin(caller)
        }
    }

    private func begin(_ caller: Caller) {
        if let transport { caller.start(on: transport) } else { caller.skip() }
    }

    private func release() {
        guard transport != nil else { return }
        transport = nil
        world.note(.transportReleased, 0, 0, "the transport is released")
    }

    private func shutDown() {
        guard let transport, shutdownBegan == nil else { return }
        shutdownBegan = world.now
        world.note(.shutdownBegan, 0, 0, "the transport is shut down")
        Task {
            await transport.shutdown()
            self.shutdownEnded = self.world.now
            self.world.note(.shutdownEnded, 0, 0, "the shutdown has ended")
        }
    }

    /// Releases what refers to each other.
    func dismantle() {
        system.removeThreads()
        network.removeAll()
    }

    private func end() {
        if transport != nil {
            world.soon { self.shutDown() }
            world.run(until: world.now + 60_000_000_000) { self.shutdownEnded != nil }
        }
        world.soon { self.release() }
        world.run()
        crowd = []
    }
}

extension SettingsPlan {
    private static let anyCertificate = Data("-----BEGIN CERTIFICATE-----".utf8)

    fileprivate var configuration: CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        // Nothing is verified here, and reading the system's authorities for each transport takes a tenth of the time.
        configuration.settings.tls.trust = .pem(Self.anyCertificate)
        configuration.loops = loops
        configuration.maximumConcurrentStreams = maximumConcurrentStreams
        configuration.maximumIdleConnections = maximumIdleConnections
        configuration.settings.connections.version = version.value
        configuration.settings.connections.maximumAge = maximumAge.map { .nanoseconds($0) }
        configuration.settings.responses.contentLimit = contentLimit
        configuration.settings.connections.maximumPerHost = maximumPerHost
        configuration.settings.connections.maximumIdleTime = .nanoseconds(maximumIdleTime)
        configuration.settings.connections.pingInterval = pingInterval.map { .nanoseconds($0) }
        configuration.settings.connections.expectContinueThreshold = expectContinueThreshold
        return configuration
    }
}

extension SettingsPlan.Version {
    fileprivate var value: TransportSettings.Connections.Version {
        switch self {
        case .automatic: .automatic
        case .http1: .http1_1
        case .http2: .http2
        }
    }
}
