// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SimulationCore

@testable import Swifty
@testable import SwiftyTransport

/// Plays a ``CachingPlan``, and compares what each load got with what the servers have done.
// Safety: the one thread of the simulation uses it.
final class CachingHistory: @unchecked Sendable {
    /// What is known about a load.
    struct Run {
        var begin: Int64?
        var isEnded = false
        var task: Task<Void, Never>?
    }

    /// What has made the responses useless that were requested before.
    struct Change {
        let time: Int64
        /// The version that it has made; 0 if the cache was only told to forget.
        var version = 0
        /// Whether its caller knows that nothing is left on the disk.
        let isDurable: Bool
    }

    let plan: CachingPlan
    let world: World
    private let queues: SimulatedQueues
    let files = SimulatedFiles()
    var swifty: Swifty?
    weak var weakServer: CachingServer?
    var cache = ResponseCache()
    /// Those of the second process.
    var neighbour: (swifty: Swifty, cache: ResponseCache)?
    var runs: [Run]
    /// The changes of each resource that the cache must know of, in order.
    var changes: [Int: [Change]] = [:]
    /// When readers have got responses that the cache keeps, and when these were requested.
    var newest: [String: [(time: Int64, request: Int64)]] = [:]
    var processCount = 0
    var shutdownTime: Int64?
    var isDiskBroken = false
    /// Whether the disk has failed since the process began: what it should have removed may be there.
    var hasDiskFailed = false

    init(_ plan: CachingPlan, _ world: World) {
        (self.plan, self.world) = (plan, world)
        queues = SimulatedQueues(world)
        runs = plan.loads.map { _ in Run() }
    }

    func play() {
        queues.takeOver()
        queues.pause = { [plan, world] queue in
            guard queue.label.hasPrefix("swifty.cache"), plan.storage.delay > 0 else { return nil }
            return world.random.below(plan.storage.delay + 1).milliseconds
        }
        world.soon { [unowned self] in begin() }
        world.run()
        checkEnd()
    }

    private func begin() {
        let server = CachingServer(self)
        weakServer = server
        makeSwifty(server)
        if plan.hasNeighbour {
            let cache = makeCache()
            neighbour = (makeSwifty(server, cache), cache)
        }
        for index in plan.loads.indices {
            world.after(plan.loads[index].time.milliseconds) { [unowned self] in start(index) }
            if let time = plan.loads[index].cancelTime {
                world.after(time.milliseconds) { [unowned self] in cancel(index) }
            }
        }
        for (time, act) in plan.acts { world.after(time.milliseconds) { [unowned self] in perform(act) } }
    }

    /// Makes the interface and the cache of a process.
    func makeSwifty(_ server: CachingServer) {
        cache = makeCache()
        swifty = makeSwifty(server, cache)
    }

    private func makeSwifty(_ server: CachingServer, _ cache: ResponseCache) -> Swifty {
        let (plan, world) = (plan, world)
        return Swifty(transport: server) {
            $0.responseCache = cache
            $0.clock = SimulatedClock(world: world)
            $0.admission.maximumLoads = plan.maximumLoads
            $0.coalesces = plan.coalesces
            if let delay = plan.hedging { $0.hedging = HedgingPolicy(after: .planned(delay), maximumRequests: 2) }
            if plan.retries > 0 { $0.retry = RetryPolicy(maximumAttempts: 1 + plan.retries, backoff: .none) }
        }
    }

    private func makeCache() -> ResponseCache {
        let storage = plan.storage
        guard storage.isOnDisk else { return ResponseCache(maximumBytes: plan.size) }
        do {
            return try ResponseCache(
                directory: files.path(processCount),
                maximumBytes: plan.size,
                maximumMemoryBytes: storage.memory
            )
        } catch {
            world.report("a cache can be made in a directory", "\(error)")
            return ResponseCache(maximumBytes: plan.size)
        }
    }

    func url(_ index: Int) -> String { "https://server.example/r\(index)" }

    private func start(_ index: Int) {
        let load = plan.loads[index]
        let process = load.isOfNeighbour && plan.hasNeighbour ? neighbour?.swifty : swifty
        guard let swifty = process, load.resource < plan.resources.count else { return }
        runs[index].begin = world.now
        world.note(CachingEvent.loadBegins, index, load.resource, "load \(index) begins")
        let names = SecretNames([HTTPField.Name.secretName])
        let base = BaseResource("https://server.example", networkInterface: swifty, secretNames: names)
        let request = base.request(load.method.name, (load.isMoved ? "m" : "r") + "\(load.resource)")
        let resource = load.signed(
            request.header(.loadNumber, "\(index)").header(.acceptLanguage, "\(load.language)"),
            number: index
        )
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
        world.note(CachingEvent.loadCancelled, index, 0, "load \(index) is cancelled")
        task.cancel()
    }

    func requestArrives(_ request: NetworkRequest, _ index: Int) {
        let control = request.headers[.cacheControl] ?? ""
        world.note(
            CachingEvent.requestArrives,
            index,
            control.count,
            "a request of load \(index): \(request.method) \(control) \(request.headers[.ifNoneMatch] ?? "")"
        )
        let load = plan.loads[index]
        world.expect(
            request.user(of: load) == "\(load.user)",
            "every request names the user of its load",
            "load \(index): \(request.user(of: load) ?? "nobody")"
        )
        guard load.method != .put else { return }
        world.expect(
            load.mode != .onlyStored,
            "a load that may use only stored responses sends nothing",
            "load \(index)"
        )
    }

    private func end(_ index: Int, _ result: Result<NetworkResponse, SwiftyError>) {
        world.expect(!runs[index].isEnded, "every load ends exactly once", "load \(index)")
        runs[index].isEnded = true
        runs[index].task = nil
        let (load, ending) = (plan.loads[index], CachingEnding(result))
        world.note(CachingEvent.loadEnds, index, ending.rawValue, "load \(index) ends: \(ending) \(result.summary)")
        world.note(state: ending)
        if load.method == .put {
            noteChange(index, result)
        } else if case .success(let response) = result {
            check(response, of: index)
        }
    }

    /// After a PUT that may have been processed, nothing may be used that was requested before its response was there.
    private func noteChange(_ index: Int, _ result: Result<NetworkResponse, SwiftyError>) {
        var isDurable = true
        if case .failure(let error) = result {
            guard error.sent == .maybeSent else { return }
            isDurable = error.code == .connectionLost
        }
        if hasDiskFailed { isDurable = false }
        let calls = weakServer?.calls.filter { $0.load == index && $0.isSent && !$0.isRedirect } ?? []
        if calls.isEmpty, plan.loads[index].isMoved { return }
        let change = Change(
            time: calls.map { $0.end ?? world.now }.max() ?? world.now,
            version: calls.compactMap(\.version).last ?? 0,
            isDurable: isDurable
        )
        changes[plan.loads[index].resource, default: []].append(change)
    }
}

extension CachingEnding {
    fileprivate init(_ result: Result<NetworkResponse, SwiftyError>) {
        switch result {
        case .success(let response):
            switch response.metrics.source {
            case .network, .mock: self = .network
            case .cache: self = .cache
            case .revalidatedCache: self = .revalidated
            case .staleCache: self = response.metrics.attempts.isEmpty ? .stale : .staleAfterFailure
            }
        case .failure(let error):
            switch error.code {
            case .notStored: self = .notStored
            case .cancelled: self = .cancelled
            case .shutdown: self = .shutDown
            default: self = .failed
            }
        }
    }
}

extension CachingPlan.Method {
    fileprivate var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .put: "PUT"
        }
    }
}

extension Result<NetworkResponse, SwiftyError> {
    fileprivate var summary: String {
        switch self {
        case .success(let response): response.string ?? ""
        case .failure(let error): "\(error.code), \(error.sent)"
        }
    }
}
