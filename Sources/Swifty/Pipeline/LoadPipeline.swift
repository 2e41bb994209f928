// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Logging

/// The way of a load, from the frozen draft to its outcome; one for all loads of a `Swifty`.
///
/// `run` reads like the table of Docs/Architecture.md. Nothing here holds a lock or a thread while it waits.
///
/// A reference, because every load on its way has one: the configuration alone is a kilobyte of many references.
///
/// A function that waits keeps a frame in memory, with room for everything that is inlined into it. What happens to few
/// loads, and what does not wait at all, is therefore kept out of these functions with `@inline(never)`.
final class LoadPipeline: Sendable {
    let configuration: Swifty.Configuration
    let transport: any Transport
    /// `nil` if all requests go to their own servers.
    let reroutes: Reroutes?
    let clock: LoadClock
    let retryBudget: RetryBudget
    let admissions: AdmissionQueue
    /// `nil` if there is nothing to authenticate with.
    let authenticator: Authenticator?
    let watchdog: HookWatchdog

    init(configuration: Swifty.Configuration, transport: any Transport) {
        self.configuration = configuration
        self.transport = transport
        clock = LoadClock(configuration.clock)
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
            handler: configuration.authenticationHandler
        )
        reroutes = configuration.reroutes.isEmpty ? nil : Reroutes(configuration.reroutes)
    }

    var constraints: [Constraint] { configuration.constraints }

    /// Loads; returns in every case, soon after a cancellation.
    nonisolated(nonsending) func run(_ load: Load) async -> NetworkResponse {
        emit(.created, load)
        var response: NetworkResponse
        do throws(SwiftyError) {
            if let mistake = load.draft.creationError { throw mistake }
            if isHeld(load) { try await waitForConstraints(load) }
            if load.draft.mock == nil {
                response = try await answerOfNetwork(load)
            } else {
                response = try await answerOfMock(load)
            }
            validate(response, load.draft.acceptedStatuses)
        } catch {
            response = NetworkResponse(error: load.complete(error), request: load.request)
        }
        if !configuration.responseInterceptors.isEmpty { response = await intercept(response, load) }
        load.metrics.total = clock.now() - load.start
        response.finish(metrics: load.metrics)
        emit(.finished(response), load)
        log(response, load)
        return response
    }

    /// Whether constraints may hold the load.
    func isHeld(_ load: Load) -> Bool { !constraints.isEmpty && load.draft.canHaveConstraints }

    /// Holds the load until all of its constraints are satisfied.
    nonisolated(nonsending) func waitForConstraints(_ load: Load) async throws(SwiftyError) {
        emit(.waiting, load)
        let resource = NetworkResource.make(of: load.draft, networkInterface: load.interface)
        if load.cancellation.code == nil, let records = ConstraintWait.recordsIfSatisfied(constraints, for: resource) {
            load.metrics.note(records)
        } else {
            try await waitForConstraints(load, resource)
        }
    }

    nonisolated(nonsending) private func waitForConstraints(
        _ load: Load,
        _ resource: NetworkResource
    ) async throws(SwiftyError) {
        let start = clock.now()
        defer { load.metrics.constraintTime += clock.now() - start }
        do throws(SwiftyError) {
            let records = try await ConstraintWait.waitUntilSatisfied(
                constraints,
                for: resource,
                cancellation: load.cancellation,
                deadline: load.deadline
            )
            load.metrics.note(records)
        } catch {
            load.metrics.note(error.metrics?.constraintWaits ?? [])
            throw error
        }
    }

    nonisolated(nonsending) private func answerOfMock(_ load: Load) async throws(SwiftyError) -> NetworkResponse {
        load.metrics.isMocked = true
        guard let mock = load.draft.mock else { return NetworkResponse(head: nil, data: nil) }
        let (head, data) = try await mock.answer(directory: load.interface.mockDirectory)
        try load.checkEnd(stage: .body)
        return NetworkResponse(mocked: load.draft, head: head, data: data, metrics: load.metrics)
    }

    private func validate(_ response: NetworkResponse, _ accepted: RequestDraft.AcceptedStatuses) {
        guard let head = response.head, !accepted.contains(head.statusCode) else { return }
        response.fail(
            error: SwiftyError(
                .unacceptableStatus,
                stage: .validation,
                sent: .responded,
                reason: "the server answered \(head.statusText)"
            )
        )
    }

    /// Tells the observers, if there are any.
    func emit(_ event: @autoclosure () -> Swifty.Event, _ load: Load) {
        if !configuration.observers.isEmpty { tell(event, load) }
    }

    @inline(never)
    private func tell(_ event: () -> Swifty.Event, _ load: Load) {
        let event = event()
        for observer in configuration.observers { observer.observe(event, of: load.observed) }
    }

    @inline(never)
    private func log(_ response: NetworkResponse, _ load: Load) {
        guard let logger = configuration.logger else { return }
        logger.debug(
            "\(response.error.map { $0.description } ?? "\(load.draft.summary) succeeded")",
            metadata: [
                "http.request.method": "\(load.draft.method.rawValue)",
                "server.address": "\(load.draft.target?.host ?? "")",
                "http.response.status_code": "\(response.statusCode ?? 0)",
                "swifty.attempts": "\(load.metrics.attempts.count)",
                "swifty.total": "\(load.metrics.total)",
            ]
        )
    }
}

extension LoadMetrics {
    /// Most loads wait once, and take the list as it is.
    fileprivate mutating func note(_ records: [ConstraintWait]) {
        if constraintWaits.isEmpty { constraintWaits = records } else { constraintWaits += records }
    }
}
