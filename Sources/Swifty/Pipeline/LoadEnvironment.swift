// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What all loads of a `Swifty` share, or those of a request with its own options.
///
/// A class, because every load in flight refers to it: the configuration alone is a kilobyte of many references.
final class LoadEnvironment: Sendable {
    let configuration: Swifty.Configuration
    private let constraints: [Constraint]
    let transport: any Transport
    /// `nil` if all requests go to their own servers.
    let reroutes: Reroutes?
    let clock: LoadClock
    let retryBudget: RetryBudget
    let admissions: AdmissionQueue
    /// `nil` without credentials and challenge handlers.
    let authenticator: Authenticator?
    let watchdog: HookWatchdog
    private let stateReporter: StateReporter
    /// Reports the end of the instance, of which the log says nothing.
    private let endReporter: StateReporter
    private let hasReportedEnd = Atomic(false)
    let marks: HookMarks
    /// Whether loads may share a transfer.
    let coalesces: Bool
    /// Whether loads have tracers, of which a log is one.
    let isTraced: Bool
    /// Whether a request passes a cache or hooks as it is sent, or may be sent once more if it is slow.
    let sendsSpecially: Bool
    /// The limit of content in memory that a request sets; `nil` if it sets none.
    let contentLimit: Int?
    private let digestSessions: DigestSessions
    let valueConstraints: ValueConstraints
    /// The environment of the `Swifty`; `nil` if it is this one.
    private let root: LoadEnvironment?

    /// - Parameter number: The number of the `Swifty`.
    init(configuration: Swifty.Configuration, transport: any Transport, number: Int) {
        self.configuration = configuration
        constraints = configuration.constraints.map(\.constraint)
        self.transport = transport
        coalesces = transport is CoalescingTransport
        clock = LoadClock(configuration.clock)
        marks = HookMarks(configuration)
        let instance = Swifty.ObservedInstance(number: number, name: configuration.name)
        let reporter = StateReporter(configuration.allStateObservers, of: instance)
        stateReporter = reporter
        endReporter = StateReporter(configuration.stateObservers, of: instance)
        watchdog = HookWatchdog(clock, patience: configuration.hookPatience) { watchdog in
            reporter.report { .hooksLeftBehind(watchdog.leftBehind) }
        }
        retryBudget = RetryBudget(configuration.retryBudget)
        admissions = Self.makeAdmissions(configuration, clock, reporter: reporter)
        digestSessions = DigestSessions()
        authenticator = Authenticator(
            credentials: configuration.credentials,
            handlers: zip(configuration.challengeHandlers, marks.challengeHandlers),
            sessions: digestSessions
        )
        reroutes = configuration.reroutes.isEmpty ? nil : Reroutes(configuration.reroutes)
        contentLimit = nil
        isTraced = configuration.isTraced
        sendsSpecially = configuration.sendsSpecially
        valueConstraints = ValueConstraints()
        root = nil
    }

    /// Makes the environment of the loads of a request with its own options, over that of its `Swifty`.
    ///
    /// Only hooks and settings are its own. What loads wait for, count or connect with is that of the `Swifty`.
    init(_ options: RequestOptions, over base: LoadEnvironment) {
        configuration = base.configuration.with(options, base.valueConstraints)
        constraints = configuration.constraints.map(\.constraint)
        marks = HookMarks(configuration, over: base.marks)
        authenticator = Authenticator(
            credential: options.credential,
            credentials: configuration.credentials,
            handlers: zip(configuration.challengeHandlers, marks.challengeHandlers),
            sessions: base.digestSessions
        )
        contentLimit = options.contentLimit
        isTraced = configuration.isTraced
        sendsSpecially = configuration.sendsSpecially
        (transport, coalesces, reroutes, clock) = (base.transport, base.coalesces, base.reroutes, base.clock)
        (retryBudget, admissions, watchdog) = (base.retryBudget, base.admissions, base.watchdog)
        (stateReporter, endReporter) = (base.stateReporter, base.endReporter)
        (digestSessions, valueConstraints, root) = (base.digestSessions, base.valueConstraints, base)
    }

    /// Begins to tell the state observers about connections; `nil` without observers.
    func makeConnectionSampler(ofTransport number: Int) -> ConnectionSampler? {
        if configuration.stateObservers.isEmpty { return nil }
        return ConnectionSampler(transport, number: number, clock: clock, reporter: stateReporter)
    }

    /// Reports, once, that the open circuit breakers are no more, because the `Swifty` has ended.
    func reportClosedCircuits() {
        if hasReportedEnd.exchange(true, ordering: .relaxed) { return }
        for (origin, host) in admissions.statistics.hosts where host.circuit != .closed {
            endReporter.report { .circuit(.closed, origin: origin) }
        }
    }

    var hasConstraints: Bool { !constraints.isEmpty }

    /// Adds the fields that a request leaves open. Not a function of the configuration, which would be copied for it.
    ///
    /// - Throws: ``SwiftyError``, if the name of a content coding cannot be used.
    func complete(_ request: inout NetworkRequest) throws(SwiftyError) {
        for field in configuration.defaultHeaders where request.leavesOpen(field.name) { request.add(field) }
        try configuration.contentDecoding.addAcceptEncoding(to: &request)
        if configuration.sendsPriority, let priority = request.priority.fieldValue, request.leavesOpen(.priority) {
            request.headers[.priority] = "\(priority)"
        }
    }

    /// The constraints that may hold a request.
    @inline(__always)
    func constraints(of draft: RequestDraft) -> [Constraint] {
        let selection = draft.constraints
        return selection.isComplete ? constraints : constraints(in: selection)
    }

    @inline(never)
    private func constraints(in selection: ConstraintSelection) -> [Constraint] {
        configuration.constraints.filter { selection.includes($0.names) }.map(\.constraint)
    }

    /// The admission in a scope. The mocks of each test have a separate one: a mocked 429 must not hold the requests of
    /// other tests.
    func admissions(in scoped: ScopedTransport) -> AdmissionQueue {
        scoped.value(of: root ?? self) { Self.makeAdmissions(configuration, clock, reporter: stateReporter) }
    }

    private static func makeAdmissions(
        _ configuration: Swifty.Configuration,
        _ clock: LoadClock,
        reporter: StateReporter
    ) -> AdmissionQueue {
        let report = { @Sendable (queue: AdmissionQueue, origin: String) in
            reporter.report { .circuit(queue.circuit(of: origin), origin: origin) }
        }
        return AdmissionQueue(policy: configuration.admission, clock: clock, onCircuitChange: report)
    }

    /// The budget of the retries in a scope: each has its own, so that tests do not use up that of others.
    func retryBudget(in scoped: ScopedTransport) -> RetryBudget {
        scoped.value(of: root ?? self) { RetryBudget(configuration.retryBudget) }
    }

    /// The cache of the loads of a scope: each test has a separate one, in memory.
    func cache(in scoped: ScopedTransport) -> ResponseCache? {
        configuration.responseCache.map { cache in scoped.value(of: root ?? self) { cache.separate } }
    }

    /// The admission of the loads that the current task begins.
    var currentAdmissions: AdmissionQueue {
        NetworkScope.current?.testTransport.map { admissions(in: $0) } ?? admissions
    }
}

extension Swifty.Configuration {
    fileprivate var sendsSpecially: Bool {
        !routers.isEmpty || !signers.isEmpty || hedging.maximumRequests > 1 || usesCache
    }

    /// The state observers, with that of the logger.
    fileprivate var allStateObservers: [any Swifty.StateObserver] {
        guard let logger else { return stateObservers }
        return stateObservers + [CircuitLog(logger: logger, level: logging.circuitLevel)]
    }

    fileprivate var isTraced: Bool { !tracings.isEmpty || logger != nil || logging.usesCurrentLogger }

    /// Whether loads may have stored responses, or forbid those of others.
    var usesCache: Bool { responseCache != nil || [.reload, .revalidate, .onlyStored].contains(cache.mode) }
}
