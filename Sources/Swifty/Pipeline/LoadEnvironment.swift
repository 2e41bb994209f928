// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

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
    let marks: HookMarks
    /// Whether loads may share a transfer.
    let coalesces: Bool
    /// Whether a request passes a cache or hooks as it is sent, or may be sent once more if it is slow.
    let sendsSpecially: Bool
    /// The limit of content in memory that a request sets; `nil` if it sets none.
    let contentLimit: Int?
    private let digestSessions: DigestSessions
    let valueConstraints: ValueConstraints
    /// The environment of the `Swifty`; `nil` if it is this one.
    private let root: LoadEnvironment?

    init(configuration: Swifty.Configuration, transport: any Transport) {
        self.configuration = configuration
        constraints = configuration.constraints.map(\.constraint)
        self.transport = transport
        coalesces = transport is CoalescingTransport
        clock = LoadClock(configuration.clock)
        marks = HookMarks(configuration)
        watchdog = HookWatchdog(clock, patience: configuration.hookPatience, logger: configuration.logger)
        retryBudget = RetryBudget(configuration.retryBudget)
        admissions = AdmissionQueue(policy: configuration.admission, clock: clock)
        digestSessions = DigestSessions()
        authenticator = Authenticator(
            credentials: configuration.credentials,
            handlers: zip(configuration.challengeHandlers, marks.challengeHandlers),
            sessions: digestSessions
        )
        reroutes = configuration.reroutes.isEmpty ? nil : Reroutes(configuration.reroutes)
        contentLimit = nil
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
        sendsSpecially = configuration.sendsSpecially
        (transport, coalesces, reroutes, clock) = (base.transport, base.coalesces, base.reroutes, base.clock)
        (retryBudget, admissions, watchdog) = (base.retryBudget, base.admissions, base.watchdog)
        (digestSessions, valueConstraints, root) = (base.digestSessions, base.valueConstraints, base)
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
        scoped.value(of: root ?? self) { AdmissionQueue(policy: configuration.admission, clock: clock) }
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

    /// Whether loads may have stored responses, or forbid those of others.
    var usesCache: Bool { responseCache != nil || [.reload, .revalidate, .onlyStored].contains(cache.mode) }
}
