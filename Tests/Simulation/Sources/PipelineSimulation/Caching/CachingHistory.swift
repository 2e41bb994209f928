// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty
@testable import SwiftyTransport

/// Plays a ``CachingPlan``, and compares what each load got with what the servers have done.
// Safety: the one thread of the simulation uses it.
final class CachingHistory: @unchecked Sendable {
    /// What is known about a load.
    private struct Run {
        var begin: Int64?
        var isEnded = false
        var task: Task<Void, Never>?
    }

    let plan: CachingPlan
    let world: World
    private let queues: SimulatedQueues
    private var swifty: Swifty?
    private weak var weakServer: CachingServer?
    private var cache = ResponseCache()
    private var runs: [Run]
    /// The times of the changes of each resource that the cache must know of.
    private var changes: [Int: Int64] = [:]
    /// The versions that they have made.
    private var versions: [Int: Int] = [:]
    private var shutdownTime: Int64?

    init(_ plan: CachingPlan, _ world: World) {
        (self.plan, self.world) = (plan, world)
        queues = SimulatedQueues(world)
        runs = plan.loads.map { _ in Run() }
    }

    func play() {
        queues.takeOver()
        world.soon { [unowned self] in begin() }
        world.run()
        checkEnd()
    }

    private func begin() {
        cache = ResponseCache(maximumBytes: plan.size)
        let server = CachingServer(self)
        weakServer = server
        let (cache, plan, world) = (cache, plan, world)
        swifty = Swifty(transport: server) {
            $0.responseCache = cache
            $0.clock = SimulatedClock(world: world)
            $0.admission.maximumLoads = plan.maximumLoads
            if plan.retries > 0 { $0.retry = RetryPolicy(maximumAttempts: 1 + plan.retries, backoff: .none) }
        }
        for index in plan.loads.indices {
            world.after(plan.loads[index].time.milliseconds) { [unowned self] in start(index) }
            if let time = plan.loads[index].cancelTime {
                world.after(time.milliseconds) { [unowned self] in cancel(index) }
            }
        }
        for (time, act) in plan.acts { world.after(time.milliseconds) { [unowned self] in perform(act) } }
    }

    // MARK: Acts

    private func perform(_ act: CachingPlan.Act) {
        switch act {
        case .remove(let index):
            guard index < plan.resources.count, let target = try? TargetURI(url(index)) else { return }
            world.note(CachingEvent.removed, index, 0, "resource \(index) is removed")
            cache.remove(target)
            changes[index] = world.now
        case .change(let index):
            if index < plan.resources.count { weakServer?.change(index) }
        case .removeAll:
            world.note(CachingEvent.emptied, 0, 0, "everything is removed")
            Task {
                await self.cache.removeAll()
                for index in self.plan.resources.indices { self.changes[index] = self.world.now }
            }
        case .shutdown:
            guard shutdownTime == nil, let swifty else { return }
            shutdownTime = world.now
            world.note(CachingEvent.shutdownBegins, 0, 0, "the Swifty is shut down")
            Task {
                await swifty.shutdown()
                self.world.note(CachingEvent.shutdownEnds, 0, 0, "the shutdown ends")
                self.world.expect(
                    swifty.statistics.inFlight == 0,
                    "no load is left after a shutdown",
                    "\(swifty.statistics.inFlight)"
                )
            }
        }
    }

    private func url(_ index: Int) -> String { "https://server.example/r\(index)" }

    private func start(_ index: Int) {
        let load = plan.loads[index]
        guard let swifty, load.resource < plan.resources.count else { return }
        runs[index].begin = world.now
        world.note(CachingEvent.loadBegins, index, load.resource, "load \(index) begins")
        let resource = BaseResource("https://server.example", networkInterface: swifty)
            .request(load.method.name, "r\(load.resource)")
            .header(.loadNumber, "\(index)").header(.authorization, "Bearer \(load.user)")
            .header(.acceptLanguage, "\(load.language)").cache(CachePolicy(load.mode))
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
            noteChange(load, result)
        } else if case .success(let response) = result {
            check(response, of: index)
        }
    }

    /// After a PUT that may have been processed, nothing may be used that was requested before its end.
    private func noteChange(_ load: CachingPlan.Load, _ result: Result<NetworkResponse, SwiftyError>) {
        if case .failure(let error) = result, error.sent != .maybeSent { return }
        changes[load.resource] = world.now
        versions[load.resource] = weakServer?.versions[load.resource]
    }
}

// MARK: Invariants

extension CachingHistory {
    private func check(_ response: NetworkResponse, of index: Int) {
        let load = plan.loads[index]
        guard let begin = runs[index].begin, let server = weakServer,
            let number = response.head?.headers[.number].flatMap({ Int($0) }), number < server.calls.count
        else { return world.report("a load gets a response that a server has sent", "load \(index)") }
        let (call, resource) = (server.calls[number], plan.resources[load.resource])
        if load.method == .get {
            let words = (response.string ?? "").split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            let language = resource.varies || resource.isPrivate ? "\(load.language)" : ""
            let isOwn = words.count == 5 && words[0] == "\(load.resource)" && words[3] == "\(load.user)"
            world.expect(
                isOwn && words[4] == language,
                "a response is for the load that gets it",
                "load \(index): \(words)"
            )
            world.expect(
                response.string == server.contents[number],
                "a stored response is what its server sent, or has confirmed",
                "load \(index): \(words), request \(number)"
            )
        }
        // What was cancelled or failed meanwhile has changed nothing that its caller knows of.
        if let change = changes[load.resource], change < begin {
            world.expect(
                call.begin >= change,
                "no load gets a response that was requested before a change that it follows",
                "load \(index) gets that of request \(number)"
            )
            let version = load.method == .get ? Int(response.string?.split(separator: " ")[1] ?? "") ?? 0 : .max
            world.expect(
                version >= versions[load.resource] ?? 0,
                "no load gets a version that it knows to be replaced",
                "load \(index) gets version \(version)"
            )
        }
        checkAge(response, call, of: index)
    }

    private func checkAge(_ response: NetworkResponse, _ call: CachingServer.Call, of index: Int) {
        let (load, source) = (plan.loads[index], response.metrics.source)
        let resource = plan.resources[load.resource]
        let age = Double(world.now - call.begin) / 1e9
        let ownCalls = weakServer?.calls.count { $0.load == index } ?? 0
        switch source {
        case .network, .mock: return
        case .cache:
            world.expect(
                response.metrics.attempts.isEmpty || load.mode != .standard,
                "an attempt that follows a failure asks the server",
                "load \(index)"
            )
            let isUnsent = ownCalls == 0 || !response.metrics.attempts.isEmpty
            world.expect(isUnsent, "a load that a cache answers sends nothing", "load \(index)")
            world.expect(
                age <= Double(resource.lifetime),
                "a response is fresh, or said to be stale",
                "load \(index): \(age)"
            )
            world.expect(load.mode != .revalidate, "a load that asks the server gets what it says", "load \(index)")
        case .revalidatedCache:
            world.expect(
                call.load == index || ownCalls > 0,
                "a load that asks the server gets what it says",
                "load \(index)"
            )
        case .staleCache:
            if load.mode == .preferStored || load.mode == .onlyStored { return }
            let allowed = max(resource.staleWhileRevalidate, resource.staleIfError)
            world.expect(
                age <= Double(resource.lifetime + allowed) + 2,
                "a stale response is used only as long as the server allows",
                "load \(index): \(age)"
            )
        }
        world.expect(
            load.mode != .none && load.mode != .reload,
            "a load past the cache gets nothing from it",
            "load \(index)"
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
        world.expect(cache.refreshCount == 0, "no response is being refreshed at the end", "\(cache.refreshCount)")
        world.expect(cache.statistics.bytesInMemory <= plan.size, "a cache keeps to its size")
        self.swifty = nil
        runs = []
        world.run()
        world.expect(weakServer == nil, "the transport is released in the end")
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
