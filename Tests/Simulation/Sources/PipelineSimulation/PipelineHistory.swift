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
    var swifty: Swifty?
    private(set) weak var weakSwifty: Swifty?
    var transport: SimulatedTransport?
    private(set) var constraints: [ConstraintRecord] = []
    /// The constraints of requests, until the end of the history.
    var requestHooks: [any Swifty.Hook] = []
    private var levels = LevelRecord()
    /// The loads that hold others back; `nil` if none do.
    var loadsInFlight: LoadsInFlight?
    /// The loads by their numbers, also those of flights and batches.
    private(set) var runs: [Int: LoadRun] = [:]
    /// The same by the numbers of the pipeline, which differ from those.
    private var runsByID: [UInt64: LoadRun] = [:]
    /// The last number of a credential.
    var lastCredential = 0
    /// The number of times that an interceptor has run.
    var hookCount = 0
    /// The number of loads that the pipeline has begun with.
    var createdCount = 0
    var retries: [String: Int] = [:]
    /// Whether servers do as they should from now on.
    var isHealthy = false
    var admission = AdmissionRecord()
    private var lastPlace = 0
    private var lastNumber = 1_000
    /// The contents that servers have sent completely, with the end of their transfers.
    var contents: [(content: Data, end: Int64, request: (number: Int, target: TargetURI, begin: Int64))] = []
    /// When something may last have been changed, as a server says or could.
    var lastChanges: [TargetURI: Int64] = [:]
    var quotas = QuotaRecord(isOrdered: false)
    /// All times at which a request has ended that may have changed something, in order.
    var changes: [TargetURI: [Int64]] = [:]
    var shutdownCount = 0
    /// The time of the first shutdown; `nil` without one.
    var shutdownTime: Int64?
    /// The end of the grace period.
    var shutdownEnd: Int64?
    var weakConstraints: [WeakConstraint] = []

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
        requestHooks = constraints.filter(\.plan.isOfRequests).map { $0.makeHook() }
        let configuration = plan.setup.configuration(of: self)
        weakConstraints = configuration.constraints.map { WeakConstraint(constraint: $0.constraint) }
        weakConstraints += requestHooks.map { WeakConstraint(constraint: $0 as AnyObject) }
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
            && setup.breaker == nil && setup.quota == nil
            && setup.hostBackoff == nil && !setup.adaptsToQuality && !hasPause
    }()

    /// Whether a constraint is all that holds loads before their admission.
    var hasOneConstraint: Bool { constraints.count == 1 && plan.setup.deferralLimit == nil }

    // MARK: Loads

    func url(ofResource index: Int, _ kind: RequestCall.Kind) -> String {
        "https://server\(plan.resources[index].host).example/\(kind.rawValue)/\(index)"
    }

    func resource(of run: LoadRun, through interface: Swifty) -> NetworkResource {
        let index = run.plan.resource
        return BaseResource("https://server\(plan.resources[index].host).example", networkInterface: interface)
            .request(run.plan.method, "\(run.plan.kind.rawValue)/\(index)").header(.loadNumber, "\(run.number)")
            .planned(run.plan).use(run.plan.hasOwnConstraints ? requestHooks : [])
    }

    /// The load that a constraint's flight makes; `nil` if the `Swifty` is gone.
    ///
    /// - Parameter constraint: The constraint; `nil` if the load has lost its flight.
    func makeRun(ofFlightOf constraint: ConstraintRecord?) -> LoadRun? {
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
}

// MARK: Events

extension PipelineHistory {
    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        guard let run = runsByID[load.id] ?? addRun(of: load) else { return }
        run.observe(event)
        if plan.setup.deferralLimit != nil { levels.observe(event, of: load.id, run) }
        switch event {
        case .created: createdCount += 1
        case .intercepted(let request): run.origin = request.target.origin
        case .redirected(let redirect): run.origin = (try? TargetURI(redirect.to))?.origin ?? ""
        case .queued: run.place = nextPlace(run.priority, run.origin)
        case .retryScheduled: retries[run.origin, default: 0] += 1
        default: break
        }
    }

    private func addRun(of load: Swifty.ObservedLoad) -> LoadRun? {
        guard let number = load.draft.headers[.loadNumber].flatMap({ Int($0) }), let run = runs[number] else {
            return nil
        }
        runsByID[load.id] = run
        return run
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
        if error == nil {
            contents.append((transfer.content, world.now, (number, transfer.call.request.target, transfer.begin)))
            runs[transfer.call.load]?.lastResponse = world.now
            checkRivals(of: transfer)
        } else if error?.code != .cancelled {
            checkFurtherRivals(of: transfer)
        }
        if runs[transfer.call.load] != nil { admission.end(transfer, error, self) }
        if error == nil, transfer.hasToldQuota, let report = transfer.quotaReport {
            quotas.end(transfer.call.request.target.origin, report, at: world.now)
        }
        noteChange(by: transfer, error, isEnd: true)
        checkEnd(of: transfer, error)
        if transfer.call.isStreamed, error == nil, !isLate, !plan.setup.coalesces {
            world.after(1) { [weak self] in self?.checkReleases() }
        }
    }
}

/// A constraint that is to be released.
struct WeakConstraint {
    weak var constraint: AnyObject?
}

/// Passes the pipeline's events on.
struct PipelineObserver: Swifty.Observer {
    unowned let history: PipelineHistory

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        history.observe(event, of: load)
    }
}
