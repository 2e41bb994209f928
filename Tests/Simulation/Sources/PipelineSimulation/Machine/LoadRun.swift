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
    var begin: Int64?
    /// The outcome, once its caller has it.
    var outcome: Outcome?
    private var task: Task<Void, Never>?
    private var loadTask: LoadTask?

    /// Whether the pipeline has begun with it.
    var isCreated = false
    /// Whether it waits for its constraints.
    var isWaiting = false
    /// Its place among the loads that wait for admission; `nil` if it does not.
    var place: AdmissionPlace?
    /// The time of its cancellation; `nil` without one.
    var cancellation: Int64?
    /// Whether nothing but the way to its caller was left when its transfer learned that it is cancelled.
    var wasDoneWhenCancelled = false
    /// Whether the transfer of its last request has ended.
    var isTransferred = false
    /// When a transfer of it last succeeded.
    var lastResponse: Int64 = 0
    /// Whether a server may have processed a request of it.
    private(set) var mayBeProcessed = false
    /// Whether one of these must not be repeated.
    private(set) var mustNotBeRepeated = false
    /// The error of the pipeline, and whether it has finished.
    var finish: (time: Int64, error: SwiftyError?)?
    var retries = 0
    var redirects = 0
    /// The number of the attempt, and those whose requests the transport got and that have ended.
    var attempt = 0
    var begunAttempts: Set<Int> = []
    var endedAttempts = 0
    /// The number of attempts that have found no connection.
    var unconnectedAttempts = 0
    /// The number of times that it has waited for its constraints.
    var waits = 0
    /// The server that its next request goes to.
    var origin = ""
    var priority: Int

    /// The constraint in whose flight it is made; `nil` for most loads.
    let maker: ConstraintRecord?

    init(_ number: Int, _ plan: LoadPlan, _ history: PipelineHistory, maker: ConstraintRecord? = nil) {
        self.maker = maker
        (self.number, self.plan, self.history) = (number, plan, history)
        priority = plan.priority
    }

    var world: World { history.world }
    /// Records a request that a server may have processed.
    func noteProcessing(of request: NetworkRequest) {
        mayBeProcessed = true
        if !request.isIdempotent { mustNotBeRepeated = true }
    }

    /// The limit of the whole load, in milliseconds.
    var total: Int? { plan.total ?? history.plan.setup.total }
    /// That limit or the deadline of the caller, whichever comes first, in milliseconds.
    var limit: Int? { [total, plan.deadline].compactMap(\.self).min() }

    /// The further requests of its slow ones; `nil` for none.
    var hedging: SetupPlan.Hedging? { isCompound ? nil : plan.hedging ?? history.plan.setup.hedging }

    /// Whether it waits for its constraints, and nothing has told it to stop.
    var waitsSteadily: Bool {
        guard isWaiting, !isCompound, cancellation == nil, let begin else { return false }
        return limit.map { world.now < begin + $0.milliseconds } ?? true
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
            begin {
                do throws(SwiftyError) {
                    self.deliver(try await resource.load())
                } catch {
                    self.deliver(.failure(error))
                }
            }
        case .stream(let pause, let parts): begin { await self.read(resource, pause: pause, leavesAfter: parts) }
        case .download(let plan): begin { await self.download(resource, plan) }
        case .events(let count, let attempts, let pause):
            begin { await self.readEvents(resource, count: count, attempts: attempts, pause: pause) }
        case .batch(let size, let stopsOnFailure):
            startBatch(interface, size, stopsOnFailure)
        }
    }

    /// Begins the task of the caller, which may have a deadline, and may have spent some time of it.
    private func begin(_ load: @escaping @Sendable () async -> Void) {
        task = Task {
            guard let deadline = self.plan.deadline else { return await load() }
            let clock = SimulatedClock(world: self.world)
            let start = self.world.now
            await withDeadline(.planned(deadline + self.plan.spent), clock: clock) {
                await clock.wait(self.plan.spent)
                self.begin = start + self.plan.spent.milliseconds
                await load()
            }
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
        checkAcceptance(outcome)
        if let ending = outcome.ending(isMocked: isMocked) {
            world.note(state: ending)
        } else {
            world.report("a load ends in a way that is known", outcome.summary)
        }
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

    var isMocked: Bool {
        if case .mock = plan.form { true } else { false }
    }

    var isBatch: Bool {
        if case .batch = plan.form { true } else { false }
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

    func ending(isMocked: Bool) -> LoadEnding? {
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
        case .contentNotReplayable, .contentUnreadable: return .contentFailed
        case .fileInUse, .fileUnwritable, .fileExists, .rangeMismatch, .checksumMismatch: return .fileFailed
        case .responseTooLarge: return .tooLarge
        // A server's part that is shorter than its range.
        case .malformedResponse: return .malformedPart
        default: return nil
        }
    }
}

extension LoadEnding {
    fileprivate init(_ limit: SwiftyError.TimeLimit?) {
        self =
            switch limit {
            case .total: .timedOutInTotal
            case .deadline: .timedOutAtDeadline
            case .attempt: .timedOutInAttempt
            case .idle: .timedOutIdle
            case .queue: .timedOutQueued
            case .constraint: .constraintTimedOut
            default: .timedOutAtFirst
            }
    }
}

/// The place of a load among those that wait for admission to one server.
struct AdmissionPlace {
    let origin: String
    let priority: Int
    let number: Int
}
