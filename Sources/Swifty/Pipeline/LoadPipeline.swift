// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Runs loads, from the frozen draft to the outcome. One pipeline serves all loads of a `Swifty`.
///
/// `run` reads like the table of Docs/Architecture.md. Nothing here holds a lock or a thread while it waits.
///
/// A class, because every load in flight refers to it: the configuration alone is a kilobyte of many references.
final class LoadPipeline: Sendable {
    let configuration: Swifty.Configuration
    let transport: any Transport
    /// `nil` if all requests go to their own servers.
    let reroutes: Reroutes?
    let clock: LoadClock
    let retryBudget: RetryBudget
    let admissions: AdmissionQueue
    /// `nil` without credentials and a challenge handler.
    let authenticator: Authenticator?
    let watchdog: HookWatchdog
    let marks: HookMarks
    /// Whether loads may share a transfer.
    let coalesces: Bool

    init(configuration: Swifty.Configuration, transport: any Transport) {
        self.configuration = configuration
        self.transport = transport
        coalesces = transport is CoalescingTransport
        clock = LoadClock(configuration.clock)
        marks = HookMarks(configuration)
        watchdog = HookWatchdog(
            clock,
            patience: configuration.hookPatience,
            observers: configuration.observers,
            logger: configuration.logger
        )
        retryBudget = RetryBudget(configuration.retryBudget)
        admissions = AdmissionQueue(policy: configuration.admission, clock: clock)
        authenticator = Authenticator(
            credentials: configuration.credentials,
            handler: configuration.challengeHandler
        )
        reroutes = configuration.reroutes.isEmpty ? nil : Reroutes(configuration.reroutes)
    }

    var constraints: [Constraint] { configuration.constraints }

    /// Loads, and returns in every case; soon after a cancellation.
    func run(_ load: Load) async -> NetworkResponse {
        let response = await response(to: load)
        finish(response, load)
        return response
    }

    /// Loads up to the response interceptors.
    // Inlined: a separate frame would cost memory in each waiting load.
    @inline(__always)
    func response(to load: Load) async -> NetworkResponse {
        emit(.created, load)
        var response: NetworkResponse
        do throws(SwiftyError) {
            if let error = load.state.draft.creationError { throw error }
            if isHeld(load) { try await waitForConstraints(load) }
            if load.state.draft.isMocked {
                response = try await loadFromMock(load)
            } else {
                response = try await loadFromNetwork(load)
            }
            validate(response, load)
        } catch {
            response = NetworkResponse(error: load.complete(error), request: load.state.request)
        }
        if !configuration.responseInterceptors.isEmpty { response = await intercept(response, load) }
        return response
    }

    /// Measures a load that has ended, and reports its outcome.
    @inline(__always)
    func finish(_ response: NetworkResponse, _ load: Load) {
        load.state.metrics.total = clock.now() - load.start
        response.finish(metrics: load.state.metrics)
        report(response, load)
    }

    /// Reports the outcome of a load.
    @inline(__always)
    func report(_ response: NetworkResponse, _ load: Load) {
        load.progress?.finish()
        emit(.finished(response), load)
        log(response, load)
    }

    /// Whether constraints may hold the load.
    func isHeld(_ load: Load) -> Bool { !constraints.isEmpty && load.state.draft.canHaveConstraints }

    /// Holds the load until all of its constraints are satisfied.
    func waitForConstraints(_ load: Load) async throws(SwiftyError) {
        emit(.waiting, load)
        let resource = NetworkResource.make(of: load.state.draft, networkInterface: load.interface)
        if load.cancellation.code == nil, let records = ConstraintWait.recordsIfSatisfied(constraints, for: resource) {
            load.state.metrics.append(records)
        } else {
            try await waitForConstraints(load, resource)
        }
    }

    private func waitForConstraints(_ load: Load, _ resource: NetworkResource) async throws(SwiftyError) {
        let start = clock.now()
        defer { load.state.metrics.constraintTime += clock.now() - start }
        do throws(SwiftyError) {
            let records = try await ConstraintWait.waitUntilSatisfied(
                constraints,
                for: resource,
                cancellation: load.cancellation,
                deadline: load.deadline,
                clock: clock
            )
            load.state.metrics.append(records)
        } catch {
            load.state.metrics.append(error.metrics?.constraintWaits ?? [])
            throw error
        }
    }

    private func loadFromMock(_ load: Load) async throws(SwiftyError) -> NetworkResponse {
        load.state.metrics.isMocked = true
        let draft = load.state.draft
        guard let mock = draft.mock else { return NetworkResponse(head: nil, data: nil) }
        let answer = try await mock.answer(directory: load.interface.mockDirectory, variables: draft.mockVariables)
        var timeouts = draft.timeouts.merging(configuration.timeouts)
        timeouts.total = load.deadline?.timeLimit
        let isHead = draft.method == .head
        let exchange = MockExchange(answer, timeouts: timeouts, isHead: isHead, clock: configuration.clock)
        do throws(SwiftyError) {
            let (head, data) = try await exchange.response(cancellation: load.cancellation)
            try load.checkEnd(stage: .body)
            return NetworkResponse(mocked: draft, head: head, data: data, metrics: load.state.metrics)
        } catch {
            throw load.withReachedLimit(error)
        }
    }

    private func validate(_ response: NetworkResponse, _ load: Load) {
        guard let head = response.head else { return }
        if head.statusCode == 206 { validateRange(response, head, load) }
        if load.state.draft.acceptedStatuses.contains(head.statusCode) { return }
        response.fail(
            error: SwiftyError(
                .unacceptableStatus,
                stage: .validation,
                sent: .responded,
                reason: "the server answered \(head.statusText)"
            )
        )
    }

    /// Notifies the observers, if there are any.
    func emit(_ event: @autoclosure () -> Swifty.Event, _ load: Load) {
        if !configuration.observers.isEmpty { notifyObservers(event, of: load) }
    }
}

extension LoadMetrics {
    /// Appends the records of a wait. Most loads wait once, and take the list without a copy.
    fileprivate mutating func append(_ records: [ConstraintWait]) {
        if constraintWaits.isEmpty { constraintWaits = records } else { constraintWaits += records }
    }
}
