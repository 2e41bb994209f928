// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Logging

/// The way of one load, from the frozen draft to its outcome.
///
/// `run` reads like the table of Docs/Architecture.md. Nothing here holds a lock or a thread while it waits.
struct LoadPipeline: Sendable {
    let interface: any NetworkInterface
    let configuration: Swifty.Configuration
    let constraints: [Constraint]
    let requestInterceptors: [any RequestInterceptor]
    let responseInterceptors: [any ResponseInterceptor]
    let transport: any Transport

    /// Loads; returns in every case, soon after a cancellation.
    func run(_ draft: RequestDraft, _ cancellation: LoadCancellation) async -> NetworkResponse {
        var load = Load(draft: draft, cancellation: cancellation, deadline: Deadline(of: draft, configuration))
        var response: NetworkResponse
        do throws(SwiftyError) {
            if let mistake = draft.creationError { throw mistake }
            try await waitForConstraints(&load)
            if draft.mock == nil {
                response = try await answerOfNetwork(&load)
            } else {
                response = try await answerOfMock(&load)
            }
            validate(response, draft.acceptedStatuses)
        } catch {
            response = NetworkResponse(error: load.complete(error), request: load.request)
        }
        response = await intercept(response, cancellation)
        load.metrics.total = load.elapsed
        response.finish(metrics: load.metrics)
        log(response, load)
        return response
    }

    private func waitForConstraints(_ load: inout Load) async throws(SwiftyError) {
        if constraints.isEmpty || !load.draft.canHaveConstraints { return }
        let start = ContinuousClock.now
        defer { load.metrics.constraints = ContinuousClock.now - start }
        let resource = NetworkResource.make(of: load.draft, networkInterface: interface)
        try await ConstraintWait.untilSatisfied(
            constraints,
            for: resource,
            cancellation: load.cancellation,
            deadline: load.deadline
        )
    }

    private func answerOfMock(_ load: inout Load) async throws(SwiftyError) -> NetworkResponse {
        load.metrics.isMocked = true
        guard let mock = load.draft.mock else { return NetworkResponse(head: nil, data: nil) }
        let (head, data) = try await mock.answer(directory: interface.mockDirectory)
        try load.checkCancellation(stage: .body)
        return NetworkResponse(head: head, data: data, metrics: load.metrics)
    }

    private func answerOfNetwork(_ load: inout Load) async throws(SwiftyError) -> NetworkResponse {
        let draft = try await intercept(load.draft, load.cancellation)
        var request = try await draft.makeRequest(defaultTimeouts: configuration.timeouts)
        load.request = request
        try load.checkCancellation(stage: .queue)
        if let deadline = load.deadline { request.timeouts.total = try deadline.remaining() }
        do throws(SwiftyError) {
            let answer = try await transport.send(request, cancellation: load.cancellation)
            load.record(answer)
            return NetworkResponse(head: answer.head, data: answer.body, request: request, metrics: load.metrics)
        } catch {
            load.record(error)
            throw error
        }
    }

    /// Request interceptors work on a resource of their own: the caller's is never changed.
    private func intercept(
        _ draft: RequestDraft,
        _ cancellation: LoadCancellation
    ) async throws(SwiftyError) -> RequestDraft {
        if requestInterceptors.isEmpty { return draft }
        var resource = NetworkResource.make(of: draft, networkInterface: interface)
        for interceptor in requestInterceptors {
            do {
                resource = try await interceptor.intercept(resource: resource)
            } catch {
                throw Self.hookError(error, interceptor, .requestInterceptor)
            }
            if let code = cancellation.code {
                throw SwiftyError(code, stage: .requestInterceptor, reason: Self.reason(of: code))
            }
        }
        return resource.draft
    }

    /// Response interceptors see every outcome. One that throws fails the outcome; those after it still run.
    private func intercept(_ response: NetworkResponse, _ cancellation: LoadCancellation) async -> NetworkResponse {
        var response = response
        for interceptor in responseInterceptors {
            do {
                response = try await interceptor.intercept(response: response)
            } catch {
                response.fail(error: Self.hookError(error, interceptor, .responseInterceptor))
            }
        }
        return response
    }

    private func validate(_ response: NetworkResponse, _ accepted: AcceptedStatuses) {
        guard let status = response.response?.statusCode, !accepted.contains(status) else { return }
        response.fail(
            error: SwiftyError(
                .unacceptableStatus,
                stage: .validation,
                sent: .responded,
                reason: "the server answered \(status) \(response.response?.status.reasonPhrase ?? "")"
            )
        )
    }

    private func log(_ response: NetworkResponse, _ load: Load) {
        guard let logger = configuration.logger else { return }
        logger.debug(
            "\(response.error.map { $0.description } ?? "\(load.draft.summary) succeeded")",
            metadata: [
                "http.request.method": "\(load.draft.method.rawValue)",
                "server.address": "\(load.draft.target?.host ?? "")",
                "http.response.status_code": "\(response.response?.statusCode ?? 0)",
                "swifty.total": "\(load.metrics.total)",
            ]
        )
    }
}

extension LoadPipeline {
    /// What the caller is told when a hook threw: a ``SwiftyError`` as it is, anything else as the underlying error.
    static func hookError(_ error: any Error, _ hook: Any, _ stage: SwiftyError.Stage) -> SwiftyError {
        if let error = error as? SwiftyError { return error }
        if error is CancellationError { return SwiftyError(.cancelled, stage: stage, reason: reason(of: .cancelled)) }
        return SwiftyError(
            .interceptorFailed,
            stage: stage,
            sent: stage == .responseInterceptor ? .responded : .notSent,
            reason: "\(type(of: hook)) threw \(error)",
            underlying: error
        )
    }

    /// Why a load was ended early, in words.
    static func reason(of code: SwiftyError.Code) -> String {
        switch code {
        case .shutdown: "this Swifty was shut down"
        case .timedOut: "the time limit of the whole call was reached"
        default: "the load was cancelled"
        }
    }
}
