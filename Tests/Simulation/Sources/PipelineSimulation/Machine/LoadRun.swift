// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Data

@testable import Swifty

/// One load of a history: its caller, and what is known about it.
// Safety: the one thread of the simulation uses it.
final class LoadRun: @unchecked Sendable {
    /// What its caller got.
    enum Outcome {
        case content(Data?)
        case failure(SwiftyError)
        /// The reader has left a stream.
        case left
    }

    let number: Int
    let plan: LoadPlan
    unowned let history: PipelineHistory
    /// The time of its start; `nil` before.
    private(set) var begin: Int64?
    /// The outcome, once its caller has it.
    private(set) var outcome: Outcome?
    private var task: Task<Void, Never>?
    private var loadTask: LoadTask?

    /// Whether the pipeline has begun with it.
    private(set) var isCreated = false
    /// Whether it waits for its constraints.
    private(set) var isWaiting = false
    /// Its place among the loads that wait for admission; `nil` if it does not.
    var place: AdmissionPlace?
    /// The time of its cancellation; `nil` without one.
    private(set) var cancellation: Int64?
    /// Whether nothing but the way to its caller was left when it was cancelled.
    private var wasDoneWhenCancelled = false
    /// Whether the transfer of its last request has ended.
    var isTransferred = false
    /// Whether a server may have processed a request of it that must not be repeated.
    var mayBeProcessed = false
    /// The error of the pipeline, and whether it has finished.
    private(set) var finish: (time: Int64, error: SwiftyError?)?
    private(set) var retries = 0
    private var redirects = 0
    /// The number of times that it has waited for its constraints.
    private var waits = 0
    /// The server that its next request goes to.
    var origin = ""
    private(set) var priority: Int

    /// The constraint in whose flight it is made; `nil` for most loads.
    let maker: ConstraintRecord?

    init(_ number: Int, _ plan: LoadPlan, _ history: PipelineHistory, maker: ConstraintRecord? = nil) {
        self.maker = maker
        (self.number, self.plan, self.history) = (number, plan, history)
        priority = plan.priority
    }

    var world: World { history.world }
    /// The limit of the whole load, in milliseconds.
    var total: Int? { plan.total ?? history.plan.setup.total }

    /// Whether it waits for its constraints, and nothing has told it to stop.
    var waitsSteadily: Bool {
        guard isWaiting, !isCompound, cancellation == nil, let begin else { return false }
        return total.map { world.now < begin + $0.milliseconds } ?? true
    }
}

// MARK: The caller

extension LoadRun {
    func start() {
        guard begin == nil, let interface = history.swifty ?? history.weakSwifty else { return }
        begin = world.now
        world.note(.loadBegins, of: number, is: "load \(number) begins")
        let resource = history.resource(of: self, through: interface)
        switch plan.form {
        case .closure, .mock:
            loadTask = resource.load { (response: NetworkResponse) in self.deliver(response) }
        case .task:
            task = Task {
                do throws(SwiftyError) {
                    self.deliver(try await resource.load())
                } catch {
                    self.deliver(.failure(error))
                }
            }
        case .stream(let pause, let parts):
            task = Task { await self.read(resource, pause: pause, leavesAfter: parts) }
        case .download(let plan): task = Task { await self.download(resource, plan) }
        case .events(let count, let attempts):
            task = Task { await self.readEvents(resource, count: count, attempts: attempts) }
        case .batch(let size, let stopsOnFailure):
            startBatch(interface, size, stopsOnFailure)
        }
    }

    /// Loads in the task of a flight.
    func load() async throws {
        guard let interface = history.weakSwifty else { return }
        begin = world.now
        do throws(SwiftyError) {
            deliver(try await history.resource(of: self, through: interface).load())
        } catch {
            deliver(.failure(error))
            throw error
        }
    }

    /// Loads in a flight, with a closure.
    func load(_ completion: @escaping @Sendable (SwiftyError?) -> Void) {
        guard let interface = history.weakSwifty else { return completion(nil) }
        begin = world.now
        history.resource(of: self, through: interface).load { (response: NetworkResponse) in
            self.deliver(response)
            completion(response.error)
        }
    }

    /// The loads of a batch, of which this one is the first.
    private func startBatch(_ interface: Swifty, _ size: Int, _ stopsOnFailure: Bool) {
        let members = [self] + (1..<max(size, 2)).map { history.addMember($0, of: self) }
        let resources = members.map { history.resource(of: $0, through: interface) }
        for member in members { member.begin = world.now }
        task = Task {
            let results = await interface.batch(resources, stopsOnFailure: stopsOnFailure)
            for (member, result) in zip(members, results) {
                switch result {
                case .success(let response): member.deliver(response)
                case .failure(let error): member.deliver(.failure(error))
                }
            }
        }
    }

    func cancel() {
        guard begin != nil, outcome == nil, cancellation == nil else { return }
        noteCancellation("load \(number) is cancelled")
        loadTask?.cancel()
        task?.cancel()
    }

    /// The load is being cancelled.
    func noteCancellation(_ text: @autoclosure () -> String) {
        guard begin != nil, outcome == nil, cancellation == nil else { return }
        cancellation = world.now
        wasDoneWhenCancelled = finish != nil || isTransferred
        world.note(.loadCancelled, of: number, is: text())
    }

    func setPriority(_ priority: Int) {
        guard let new = NetworkRequest.Priority(rawValue: priority), let loadTask, place?.priority != priority else {
            return
        }
        if let place { self.place = history.nextPlace(priority, place.origin) }
        loadTask.setPriority(new)
    }

    private func deliver(_ response: NetworkResponse) {
        deliver(response.error.map { .failure($0) } ?? .content(response.data))
    }

    func deliver(_ outcome: Outcome) {
        world.note(.loadDelivered, of: number, is: "load \(number) is delivered: \(outcome.summary)")
        world.expect(self.outcome == nil, "every load ends exactly once", "load \(number)")
        self.outcome = outcome
        checkPromptness()
        world.note(state: outcome.ending(isMocked: isMocked))
        (task, loadTask) = (nil, nil)
        checkOutcome(outcome)
    }

    /// Whether it makes several loads of the pipeline.
    var isCompound: Bool {
        switch plan.form {
        case .download, .events: true
        default: false
        }
    }

    private var isMocked: Bool {
        if case .mock = plan.form { true } else { false }
    }

    /// A cancelled load ends at once; late interceptors have a second of their own.
    private func checkPromptness() {
        guard let cancellation, !history.isLate, !isBatch else { return }
        let allowed = history.plan.setup.responseHook == nil ? 0 : 1_000
        // The reader of a stream may come later to its end.
        let delay = (finish?.time ?? world.now) - cancellation
        world.expect(
            delay <= allowed.milliseconds,
            "a cancelled load ends at once",
            "load \(number),\(Milliseconds(delay)) later"
        )
    }

    private func checkOutcome(_ outcome: Outcome) {
        guard case .content(let content) = outcome else { return }
        if let cancellation, !isMocked, !history.plan.setup.coalesces, !isBatch {
            world.expect(
                wasDoneWhenCancelled,
                "a cancelled load does not succeed afterwards",
                "load \(number), cancelled at\(Milliseconds(cancellation - World.start))"
            )
        }
        if !isMocked, let begin { history.checkContent(content, of: self, since: begin) }
    }

    private var isBatch: Bool {
        if case .batch = plan.form { true } else { false }
    }
}

// MARK: The pipeline

extension LoadRun {
    /// Takes an event of the pipeline's observer.
    func observe(_ event: Swifty.Event) {
        switch event {
        case .created: isCreated = true
        case .waiting:
            isWaiting = true
            waits += 1
            world.expect(isCompound || waits <= 2, "a refused credential is replaced once", "load \(number)")
            for constraint in history.constraints { constraint.loadWaits(number) }
            world.note(.loadWaits, of: number, is: "load \(number) waits for its constraints")
        case .attemptStarted(let attempt):
            leaveConstraints()
            redirects = 0
            checkAttempt(attempt)
            world.note(.attemptBegins, of: number, attempt, is: "load \(number): attempt \(attempt) begins")
        case .queued:
            world.note(.loadQueued, of: number, is: "load \(number) waits for admission")
        case .retryScheduled(let delay):
            retries += 1
            world.note(.retryScheduled, of: number, is: "load \(number) is repeated after \(delay)")
        case .redirected(let redirect):
            redirects += 1
            world.expect(
                redirects <= history.plan.setup.maximumRedirects,
                "no more redirects are followed than the limit allows",
                "load \(number)"
            )
            world.note(.redirected, of: number, redirect.statusCode, is: "load \(number) goes to \(redirect.to)")
        case .finished(let response):
            leaveConstraints()
            finishes(response.error)
        default: break
        }
    }

    /// Beyond the attempts of the policy there is one with another credential.
    private func checkAttempt(_ attempt: Int) {
        let allowed = plan.attempts ?? history.plan.setup.retry?.attempts ?? 1
        world.expect(
            isCompound || attempt <= allowed + (waits > 1 ? 1 : 0),
            "no more attempts are made than the policy allows",
            "load \(number), attempt \(attempt)"
        )
    }

    private func leaveConstraints() {
        guard isWaiting else { return }
        isWaiting = false
        for constraint in history.constraints { constraint.loadLeaves() }
    }

    private func finishes(_ error: SwiftyError?) {
        world.note(.loadFinished, of: number, is: "load \(number) finishes: \(error.map { "\($0.code)" } ?? "success")")
        world.expect(isCompound || finish == nil, "every load finishes exactly once", "load \(number)")
        finish = (world.now, error)
        place = nil
        checkLimit()
        if let error, !isMocked { check(error) }
    }

    private func check(_ error: SwiftyError) {
        checkCause(error)
        world.expect(
            error.code != .timedOut || error.timeLimit != nil,
            "an error says which limit of time was reached",
            "load \(number), \(error.stage)"
        )
        world.expect(
            error.sent != .notSent || !mayBeProcessed,
            "an error says that nothing was sent only if this is so",
            "load \(number), \(error.code)"
        )
        if error.code == .constraintFailed, let failure = error.underlying as? FlightFailure {
            for constraint in history.constraints { constraint.check(failure, of: number) }
        }
    }

    /// A load ends early only for a reason of its own.
    private func checkCause(_ error: SwiftyError) {
        guard !isCompound, !isBatch, maker == nil else { return }
        if error.code == .cancelled {
            let isLeft = if case .stream = plan.form { true } else { false }
            world.expect(cancellation != nil || isLeft, "a load is cancelled only if it is told to", "load \(number)")
        }
        if error.timeLimit == .total, let begin {
            let isReached = total.map { world.now >= begin + $0.milliseconds } ?? false
            world.expect(isReached, "a load reaches its total limit only in time", "load \(number)")
        }
    }

    /// A load keeps its total limit to the millisecond; late interceptors have a second of their own.
    private func checkLimit() {
        guard let begin, let total, !isCompound else { return }
        let lateness = world.now - begin - total.milliseconds
        let allowed = 2 + (history.plan.setup.responseHook == nil || finish?.error == nil ? 0 : 1_000)
        // A stream whose transfer is complete is read whenever its reader likes.
        if case .stream = plan.form, isTransferred { return }
        guard history.plan.setup.lag == 0 else { return }
        world.expect(
            lateness <= allowed.milliseconds,
            "a load ends within its total limit",
            "load \(number),\(Milliseconds(lateness)) late"
        )
    }
}

extension LoadRun.Outcome {
    var summary: String {
        switch self {
        case .content(let content): "\(content?.count ?? 0) bytes"
        case .failure(let error): "\(error.code) (\(error.stage), \(error.sent)): \(error.reason)"
        case .left: "left"
        }
    }

    func ending(isMocked: Bool) -> LoadEnding {
        guard case .failure(let error) = self else { return isMocked ? .mocked : .succeeded }
        switch error.code {
        case .cancelled: return .cancelled
        case .shutdown: return .shutDown
        case .timedOut: return LoadEnding(error.timeLimit)
        case .constraintFailed: return .constraintFailed
        case .circuitOpen: return .circuitOpen
        case .unacceptableStatus: return .unacceptableStatus
        case .connectionFailed: return .connectionFailed
        case .connectionLost: return .connectionLost
        case .tooManyRedirects, .redirectLoop, .insecureRedirect, .redirectRefused: return .redirectFailed
        case .interceptorFailed: return .interceptorFailed
        case .bodyNotReplayable, .bodyUnreadable: return .bodyFailed
        case .fileInUse, .fileUnwritable, .fileExists, .rangeMismatch, .checksumMismatch: return .fileFailed
        default: return .other
        }
    }
}

extension LoadEnding {
    fileprivate init(_ limit: SwiftyError.TimeLimit?) {
        self =
            switch limit {
            case .total: .timedOutInTotal
            case .attempt: .timedOutInAttempt
            case .idle: .timedOutIdle
            case .queue: .timedOutQueued
            case .constraint: .constraintTimedOut
            default: .timedOutOtherwise
            }
    }
}

/// The place of a load among those that wait for admission to one server.
struct AdmissionPlace {
    let origin: String
    let priority: Int
    let number: Int
}
