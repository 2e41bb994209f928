// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Data

@testable import Swifty

/// One history: the `Swifty` over the simulated transport, its loads, and what all of them must keep to.
// Safety: the one thread of the simulation uses it.
final class PipelineHistory: @unchecked Sendable {
    let plan: PipelinePlan
    let world: World
    let clock: SimulatedClock
    let wakes = WakeCounter()
    let files = SimulatedFiles()
    private let queues: SimulatedQueues
    /// `nil` once the history has released it, and before its beginning.
    private(set) var swifty: Swifty?
    private(set) weak var weakSwifty: Swifty?
    private(set) var transport: SimulatedTransport?
    private(set) var constraints: [ConstraintRecord] = []
    /// The loads by their numbers, also those of flights and batches.
    private(set) var runs: [Int: LoadRun] = [:]
    /// The last number of a credential.
    var lastCredential = 0
    /// The number of times that an interceptor has run.
    var hookCount = 0
    /// The number of loads that the pipeline has begun with.
    private var createdCount = 0
    private var retries: [String: Int] = [:]
    /// Whether servers do as they should from now on.
    private(set) var isHealthy = false
    private(set) var admission = AdmissionRecord()
    private var lastPlace = 0
    private var lastNumber = 1_000
    /// The contents that servers have sent completely, with the end of their transfers.
    private var contents: [(transfer: Transfer, end: Int64)] = []
    private var shutdownCount = 0
    /// The time of the first shutdown; `nil` without one.
    private var shutdownTime: Int64?
    private var weakConstraints: [WeakConstraint] = []

    /// The time at which the faults end, in milliseconds.
    private static let faultTime = 100_000

    init(_ plan: PipelinePlan, _ world: World) {
        (self.plan, self.world) = (plan, world)
        queues = SimulatedQueues(world)
        clock = SimulatedClock(world: world)
    }

    func play() {
        queues.takeOver()
        // Within the world, whose clock it is to read.
        world.soon { [unowned self] in begin() }
        world.run()
        checkEnd()
        if !files.used.isEmpty { completeFiles() }
    }

    private func begin() {
        if plan.setup.lag > 0 { world.lag = (plan.setup.lag, 2.milliseconds) }
        makeSwifty()
        for (index, load) in plan.loads.enumerated() {
            let run = LoadRun(index, load, self)
            runs[index] = run
            world.after(load.time.milliseconds) { run.start() }
            if let time = load.cancelTime { world.after(time.milliseconds) { run.cancel() } }
        }
        for act in plan.acts { world.after(act.time.milliseconds) { [unowned self] in perform(act.kind) } }
        world.after(Self.faultTime.milliseconds) { [unowned self] in endFaults() }
    }

    private func makeSwifty() {
        let transport = SimulatedTransport(self)
        self.transport = transport
        constraints = plan.setup.constraints.enumerated().map { ConstraintRecord($0, $1, self) }
        let configuration = plan.setup.configuration(of: self)
        weakConstraints = configuration.constraints.map { WeakConstraint(constraint: $0) }
        let swifty = Swifty(configuration: configuration, transport: transport)
        (self.swifty, weakSwifty) = (swifty, swifty)
    }

    /// Whether steps come late, so that what the pipeline has decided may show only later.
    var isLate: Bool { plan.setup.lag > 0 }

    /// Whether the number of all loads is all that loads wait for.
    private(set) lazy var waitsForRoomOnly: Bool = {
        let setup = plan.setup
        let hasPause = plan.acts.contains { if case .pause = $0.kind { true } else { false } }
        return setup.maximumLoads != nil && setup.maximumLoadsPerHost == nil && setup.rate == nil
            && setup.breaker == nil
            && setup.hostBackoff == nil && !setup.adaptsToQuality && !hasPause
    }()

    // MARK: Loads

    func url(ofResource index: Int, _ kind: RequestCall.Kind) -> String {
        "https://server\(plan.resources[index].host).example/\(kind.rawValue)/\(index)"
    }

    func resource(of run: LoadRun, through interface: Swifty) -> NetworkResource {
        let index = run.plan.resource
        return BaseResource("https://server\(plan.resources[index].host).example", networkInterface: interface)
            .request(run.plan.method, "\(run.plan.kind.rawValue)/\(index)").header(.loadNumber, "\(run.number)")
            .planned(run.plan)
    }

    /// The load that a constraint's flight makes; `nil` if the `Swifty` is gone.
    func makeRun(ofFlightOf constraint: ConstraintRecord) -> LoadRun? {
        guard weakSwifty != nil else { return nil }
        lastNumber += 1
        let run = LoadRun(lastNumber, .plain, self, maker: constraint)
        runs[lastNumber] = run
        return run
    }

    /// Adds a load of a batch.
    func addMember(_ index: Int, of first: LoadRun) -> LoadRun {
        lastNumber += 1
        let run = LoadRun(lastNumber, first.plan, self)
        runs[lastNumber] = run
        return run
    }

    func nextPlace(_ priority: Int, _ origin: String) -> AdmissionPlace {
        lastPlace += 1
        return AdmissionPlace(origin: origin, priority: priority, number: lastPlace)
    }

    // MARK: Acts

    private func perform(_ act: ActPlan.Kind) {
        guard let swifty else { return }
        switch act {
        case .pause(let time): pause(swifty, for: time)
        case .setPriority(let load, let priority):
            world.note(.priorityChanged, of: load, priority, is: "load \(load) gets the priority \(priority)")
            runs[load]?.setPriority(priority)
        case .setQuality(let index):
            let quality = [nil, .poor, .fair, .good][index] as AdmissionPolicy.NetworkQuality?
            world.note(.qualityChanged, of: index, is: "the network is \(quality.map { "\($0)" } ?? "measured")")
            swifty.overrideNetworkQuality(quality)
        case .cancelTag(let tag):
            world.note(.tagCancelled, of: tag, is: "the loads with the tag \(tag) are cancelled")
            for run in active where run.plan.tag == tag { run.noteCancellation("load \(run.number) is cancelled") }
            swifty.cancelLoads(withTag: "tag\(tag)")
        case .cancelAll:
            world.note(.allCancelled, is: "all loads are cancelled")
            for run in active { run.noteCancellation("load \(run.number) is cancelled") }
            swifty.cancelAllLoads()
        case .shutdown(let graceful): shutDown(swifty, graceful: graceful)
        case .release:
            world.note(.released, is: "the Swifty is released")
            self.swifty = nil
        }
    }

    /// The loads that the `Swifty` knows. One that makes several may be between two of them.
    private var active: [LoadRun] {
        runs.values.filter { $0.isCreated && !$0.isCompound }.sorted { $0.number < $1.number }
    }

    private func pause(_ swifty: Swifty, for time: Int) {
        world.note(.paused, is: "all loads are held")
        admission.isPausedSince = world.now
        swifty.pause()
        world.after(time.milliseconds) { [weak self] in self?.resume() }
    }

    private func resume() {
        world.note(.resumed, is: "loads are admitted again")
        admission.isPausedSince = nil
        weakSwifty?.resume()
    }

    private func shutDown(_ swifty: Swifty, graceful: Int) {
        world.note(.shutdownBegins, of: graceful, is: "the shutdown begins, within \(graceful) ms")
        shutdownCount += 1
        shutdownTime = shutdownTime ?? world.now
        Task { [self] in
            if graceful == 0 {
                for run in active { run.noteCancellation("load \(run.number) is shut down") }
            }
            await swifty.shutdown(graceful: .planned(graceful))
            shutdownCount -= 1
            world.note(.shutdownEnds, is: "the shutdown ends")
            world.expect(swifty.statistics.inFlight == 0, "no load is left after a shutdown")
            world.expect(transport?.open.isEmpty ?? true, "no transfer is left after a shutdown")
        }
    }

    /// After the faults every download can be completed, whatever the earlier ones have left.
    private func completeFiles() {
        defer { files.remove() }
        world.soon { [self] in
            let transport = SimulatedTransport(self)
            self.transport = transport
            let swifty = Swifty(transport: transport) { $0.clock = clock }
            for target in files.used.sorted() {
                Task {
                    let resource = BaseResource("https://server0.example", networkInterface: swifty).get("f/0")
                    let file = try? await resource.download(to: files.path(target))
                    world.expect(file != nil, "a download succeeds after the faults", "file \(target)")
                    files.check(target, mustExist: true, self)
                }
            }
        }
        world.run()
        files.checkRemains(self)
    }

    private func endFaults() {
        isHealthy = true
        transport?.endFaults()
        if admission.isPausedSince != nil { resume() }
    }
}

// MARK: Events

extension PipelineHistory {
    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        guard let number = load.draft.headers[.loadNumber].flatMap({ Int($0) }), let run = runs[number] else { return }
        run.observe(event)
        switch event {
        case .created: createdCount += 1
        case .intercepted(let request): run.origin = request.target.origin
        case .redirected(let redirect): run.origin = (try? TargetURI(redirect.to))?.origin ?? ""
        case .queued: run.place = nextPlace(run.priority, run.origin)
        case .retryScheduled: retries[run.origin, default: 0] += 1
        default: break
        }
    }

    func requestArrives(_ call: RequestCall) {
        world.note(
            .requestArrives,
            of: call.load,
            call.resource,
            is: "request \(call.number): \(call.request.method) \(call.request.target.path) of load \(call.load)"
        )
        checkArrival(call)
    }

    func transferEnds(_ transfer: Transfer, _ error: SwiftyError?) {
        let event: PipelineEvent =
            switch error?.code {
            case nil: .transferEnds
            case .timedOut: .transferTimesOut
            case .cancelled, .shutdown: .transferCancelled
            default: .transferFails
            }
        let number = transfer.call.number
        world.note(
            event,
            of: number,
            is: "transfer \(number) ends: \(error.map { "\($0.code), \($0.sent)" } ?? "complete")"
        )
        if error == nil { contents.append((transfer, world.now)) }
        if runs[transfer.call.load] != nil { admission.end(transfer, error, self) }
        checkEnd(of: transfer, error)
        if transfer.call.isStreamed, error == nil, !isLate, !plan.setup.coalesces,
            plan.setup.responseHook == nil
        {
            world.after(1) { [weak self] in self?.checkReleases() }
        }
    }
}

// MARK: Invariants

extension PipelineHistory {
    private func checkArrival(_ call: RequestCall) {
        guard let run = runs[call.load] else { return }
        admission.begin(call, run.place, nextPlace(call.request.priority.rawValue, call.request.target.origin), self)
        if let shutdownTime, let begin = run.begin, !isLate, run.maker == nil, !run.isCompound {
            world.expect(
                begin <= shutdownTime,
                "a load that begins after a shutdown sends nothing",
                "load \(call.load)"
            )
        }
        run.isTransferred = false
        run.place = nil
        let isMocked = if case .mock = run.plan.form { true } else { false }
        world.expect(!isMocked, "a mocked load sends nothing", "load \(call.load)")
        // A shared transfer begins in a task of its own.
        if !plan.setup.coalesces, !run.isCompound {
            world.expect(run.finish == nil, "a load that has finished sends nothing", "load \(call.load)")
        }
        for constraint in constraints where run.plan.canHaveConstraints && run.maker !== constraint {
            constraint.checkPassed(call.load)
        }
        checkRepetition(call, run)
        checkSharing(call)
    }

    /// A request that must not be repeated is processed at most once.
    private func checkRepetition(_ call: RequestCall, _ run: LoadRun) {
        guard !call.request.isIdempotent else { return }
        world.expect(
            !run.mayBeProcessed,
            "a request that must not be repeated is processed at most once",
            "load \(call.load), \(call.request.method)"
        )
    }

    private func checkSharing(_ call: RequestCall) {
        let request = call.request
        guard plan.setup.coalesces, !call.isStreamed, request.method == .get || request.method == .head,
            !request.requiresNewConnection, let transport
        else { return }
        let equal = transport.open.filter { other in
            let sent = other.call.request
            return !other.call.isStreamed && sent.method == request.method && sent.target == request.target
                && !sent.requiresNewConnection && sent.timeouts == request.timeouts && !other.isEnding
                && sent.headers[.credential] == request.headers[.credential]
        }
        world.expect(equal.isEmpty, "equal loads share a transfer", "request \(call.number)")
    }

    private func checkEnd(of transfer: Transfer, _ error: SwiftyError?) {
        guard let run = runs[transfer.call.load] else { return }
        run.isTransferred = true
        guard !transfer.call.request.isIdempotent else { return }
        var refusals = [408, 421, 425, 429, 503, 307, 308, 401, 403]
        // Of a POST, these say that it was processed, and that its result is elsewhere.
        if transfer.call.request.method != .post { refusals += [301, 302] }
        let isRefused = transfer.head.map { refusals.contains($0.statusCode) }
        switch transfer.sent {
        case .notSent: break
        case .maybeSent: run.mayBeProcessed = true
        case .responded: if isRefused != true || error != nil { run.mayBeProcessed = true }
        }
    }

    /// A load gets the content of a transfer that ended while it waited.
    func checkContent(_ content: Data?, of run: LoadRun, since begin: Int64) {
        guard let content, !content.isEmpty else { return }
        // Where steps come late, a shared transfer that has just ended can still be joined.
        let grace = isLate ? 20.milliseconds : 0
        let isOwn = contents.contains { transfer, end in end + grace >= begin && transfer.content == content }
        world.expect(isOwn, "a load gets the whole content of its own transfer", "load \(run.number)")
    }

    private func checkEnd() {
        for run in runs.values.sorted(by: { $0.number < $1.number }) where run.begin != nil {
            world.expect(run.outcome != nil, "every load ends exactly once", "load \(run.number) has not ended")
        }
        world.expect(shutdownCount == 0, "a shutdown ends")
        world.expect(transport?.open.isEmpty ?? true, "every transfer ends")
        checkStatistics()
        checkBudget()
        // Those may be left that examine a host later, one after the other, and those of flights that never end.
        let endless = constraints.reduce(0) { $0 + $1.flights.count { !$0.isOver } }
        let wakes = wakes.times.count { $0 > world.lastEvent }
        world.expect(wakes <= 4 + endless, "no timer is left at the end", "\(wakes) were")
        swifty = nil
        world.run()
        world.expect(weakSwifty == nil, "nothing keeps a Swifty whose loads have ended")
        for (index, constraint) in weakConstraints.enumerated() {
            world.expect(constraint.constraint == nil, "nothing keeps a constraint", "constraint \(index)")
        }
    }

    /// A stream whose transfer has ended holds no other load back, whether or not it is read.
    private func checkReleases() {
        guard let inFlight = weakSwifty?.admissionStatistics.inFlight, let open = transport?.open.count else { return }
        world.expect(inFlight <= open, "no admission outlives its transfer", "\(inFlight) for \(open) transfers")
    }

    private func checkBudget() {
        guard !plan.setup.coalesces else { return }
        let allowed = Double(plan.setup.retry?.reserve ?? 10) + 0.2 * Double(createdCount)
        for (origin, count) in retries.sorted(by: { $0.key < $1.key }) {
            world.expect(Double(count) <= allowed, "retries keep to their budget", "\(count) to \(origin)")
        }
    }

    private func checkStatistics() {
        guard let swifty else { return }
        let (all, admission) = (swifty.statistics, swifty.admissionStatistics)
        world.expect(all.inFlight == 0, "the statistics count no load in flight at the end", "\(all)")
        world.expect(
            all.started == all.succeeded + all.failed + all.cancelled,
            "the statistics add up",
            "\(all)"
        )
        world.expect(admission.inFlight == 0, "every admission is given back", "\(admission)")
        world.expect(admission.waiting == 0, "no load waits for admission at the end", "\(admission)")
        world.expect(all.hooksLeftBehind == 0, "no hook is left behind at the end", "\(all)")
    }
}

/// A constraint that is to be released.
private struct WeakConstraint {
    weak var constraint: Constraint?
}

/// Passes the pipeline's events on.
struct PipelineObserver: Swifty.Observer {
    let history: PipelineHistory

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        history.observe(event, of: load)
    }
}
