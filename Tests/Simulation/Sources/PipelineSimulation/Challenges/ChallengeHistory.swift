// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty
@testable import SwiftyTransport

/// Plays a ``ChallengePlan``: whose credential is right gets in, however its nonces fare.
// Safety: the one thread of the simulation uses it.
final class ChallengeHistory: @unchecked Sendable {
    private struct Run {
        var begin: Int64?
        var isEnded = false
        var task: Task<Void, Never>?
    }

    let plan: ChallengePlan
    let world: World
    private let queues: SimulatedQueues
    private var swifty: Swifty?
    private weak var weakServer: ChallengeServer?
    private var runs: [Run]

    init(_ plan: ChallengePlan, _ world: World) {
        (self.plan, self.world) = (plan, world)
        queues = SimulatedQueues(world)
        runs = plan.loads.map { _ in Run() }
    }

    static func url(of server: Int) -> String { "https://server\(server).example" }

    func play() {
        queues.takeOver()
        world.soon { [unowned self] in begin() }
        world.run()
        checkEnd()
    }

    private func begin() {
        let server = ChallengeServer(self)
        weakServer = server
        let store = CredentialStore()
        for index in plan.servers.indices { try? store.set(credential(server, index), for: Self.url(of: index)) }
        let (plan, world) = (plan, world)
        swifty = Swifty(transport: server) {
            $0.clock = SimulatedClock(world: world)
            $0.credentials = store
            $0.admission.maximumLoads = plan.maximumLoads
            $0.redirects = RedirectPolicy(resendsContentAcrossOrigins: true)
        }
        for index in plan.loads.indices {
            world.after(plan.loads[index].time.milliseconds) { [unowned self] in start(index) }
            if let time = plan.loads[index].cancelTime {
                world.after(time.milliseconds) { [unowned self] in cancel(index) }
            }
        }
    }

    private func credential(_ server: ChallengeServer, _ index: Int) -> CredentialStore.Credential {
        .digest(user: DigestAuthority.user, password: server.password(for: index))
    }

    private func start(_ index: Int) {
        let load = plan.loads[index]
        guard let swifty, let server = weakServer else { return }
        runs[index].begin = world.now
        world.note(ChallengeEvent.loadBegins, index, load.server, "load \(index) begins")
        let base = BaseResource(Self.url(of: load.server), networkInterface: swifty)
        let resource = base.request(load.isPost ? "POST" : "GET", "r").header(.loadNumber, "\(index)")
        if load.hasCredential { resource.authentication(credential(server, load.server)) }
        if load.isPost { resource.text("text") }
        runs[index].task = Task {
            do throws(SwiftyError) {
                self.end(index, .success(try await resource.load()))
            } catch {
                self.end(index, .failure(error))
            }
        }
    }

    private func cancel(_ index: Int) {
        guard let task = runs[index].task, !runs[index].isEnded else { return }
        world.note(ChallengeEvent.loadCancelled, index, 0, "load \(index) is cancelled")
        task.cancel()
    }

    private func end(_ index: Int, _ result: Result<NetworkResponse, SwiftyError>) {
        world.expect(!runs[index].isEnded, "every load ends exactly once", "load \(index)")
        runs[index].isEnded = true
        runs[index].task = nil
        let ending = ChallengeEnding(result)
        world.note(ChallengeEvent.loadEnds, index, ending.rawValue, "load \(index) ends: \(result.summary)")
        world.note(state: ending)
        let load = plan.loads[index]
        let servers = load.isRedirected ? plan.servers : [plan.servers[load.server]]
        // An answer that waits for admission may be too late for its nonce.
        let isPrompt = plan.maximumLoads == nil || servers.allSatisfy { $0.lifetime == nil }
        let isLetIn = servers.allSatisfy { !$0.hasOtherPassword && $0.uses != 0 }
        guard isPrompt, isLetIn, load.cancelTime == nil else { return }
        world.expect(
            ending == .succeeded,
            "a load of a server that does nothing wrong succeeds, whatever others do",
            "load \(index): \(result.summary)"
        )
    }

    private func checkEnd() {
        for (index, run) in runs.enumerated() where run.begin != nil {
            world.expect(run.isEnded, "every load ends exactly once", "load \(index) has not ended")
        }
        if let swifty {
            world.expect(swifty.statistics.inFlight == 0, "the statistics count no load in flight at the end")
            world.expect(swifty.admissionStatistics.inFlight == 0, "every admission is given back")
        }
        world.expect(weakServer?.openCount == 0, "every transfer ends")
        (swifty, runs) = (nil, [])
        world.run()
        world.expect(weakServer == nil, "the transport is released in the end")
    }
}

extension ChallengeEnding {
    fileprivate init(_ result: Result<NetworkResponse, SwiftyError>) {
        switch result {
        case .success: self = .succeeded
        case .failure(let error): self = error.code == .cancelled ? .cancelled : .unauthorized
        }
    }
}

extension Result<NetworkResponse, SwiftyError> {
    fileprivate var summary: String {
        switch self {
        case .success: "success"
        case .failure(let error): "\(error.code), \(error.reason)"
        }
    }
}
