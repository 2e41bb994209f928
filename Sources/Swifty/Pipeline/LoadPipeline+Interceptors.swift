// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

import struct Foundation.Data

extension LoadPipeline {
    /// What runs the hooks of a load.
    @inline(never)
    func hooks(of load: Load) -> LoadHooks {
        LoadHooks(
            cancellation: load.cancellation,
            deadline: load.nextDeadline,
            watchdog: watchdog,
            report: slowHookReport(load)
        )
    }

    /// Runs the hooks that see how a load ended, after its end: they have a little time of their own.
    private func lateHooks(of load: Load) -> LoadHooks {
        LoadHooks(
            cancellation: LoadCancellation(),
            deadline: Deadline(.lateHook, after: Self.lateHookLimit, clock),
            watchdog: watchdog,
            report: slowHookReport(load)
        )
    }

    private static var lateHookLimit: Duration { .seconds(1) }

    private func slowHookReport(_ load: Load) -> @Sendable (String) -> Void {
        let (configuration, observed) = (configuration, load.observed)
        return { name in
            for observer in configuration.observers { observer.observe(.hookTakesLong(name: name), of: observed) }
            configuration.logger?.warning("\(observed.draft.summary): \(name) takes long")
        }
    }

    /// Request interceptors work on a resource of their own, made anew for each attempt: neither the caller's resource nor
    /// a later attempt sees what they did.
    nonisolated(nonsending) func intercept(_ load: Load) async throws(SwiftyError) -> RequestDraft {
        let start = NetworkResource.make(of: load.draft, networkInterface: load.interface)
        let (interceptors, current) = (requestInterceptors, CurrentHook())
        let name = { @Sendable in "\(type(of: interceptors[current.index]))" }
        let resource = try await hooks(of: load).run(name, stage: .requestInterceptor) { () throws(SwiftyError) in
            var resource = start
            for index in interceptors.indices {
                current.index = index
                do {
                    resource = try await interceptors[index].intercept(resource: resource)
                } catch {
                    throw Self.hookError(error, interceptors[index], .requestInterceptor)
                }
                if Task.isCancelled { break }
            }
            return resource
        }
        try load.checkEnd(stage: .requestInterceptor)
        return resource.draft
    }

    /// Response interceptors see every outcome. One that throws fails the outcome; those after it still run.
    ///
    /// If the load ends while they run, or they take long after its end, it ends with an outcome that they have not seen.
    nonisolated(nonsending) func intercept(_ response: NetworkResponse, _ load: Load) async -> NetworkResponse {
        let (interceptors, current) = (responseInterceptors, CurrentHook())
        let name = { @Sendable in "\(type(of: interceptors[current.index]))" }
        let outcome = LoadOutcome(response)
        let hooks = load.hasEnded ? lateHooks(of: load) : hooks(of: load)
        do throws(SwiftyError) {
            return try await hooks.run(name, stage: .responseInterceptor, sent: .responded) {
                var response = response
                for index in interceptors.indices where !Task.isCancelled {
                    current.index = index
                    do {
                        response = try await interceptors[index].intercept(response: response)
                    } catch {
                        response.fail(error: Self.hookError(error, interceptors[index], .responseInterceptor))
                    }
                }
                return response
            }
        } catch {
            return outcome.response(afterEndOfHooks: load.complete(error))
        }
    }

    /// What the caller is told when a hook threw: a ``SwiftyError`` as it is, anything else as the underlying error.
    private static func hookError(_ error: any Error, _ hook: Any, _ stage: SwiftyError.Stage) -> SwiftyError {
        if let error = error as? SwiftyError { return error }
        if error is CancellationError { return SwiftyError(.cancelled, stage: stage, reason: "the load was cancelled") }
        return SwiftyError(
            .interceptorFailed,
            stage: stage,
            sent: stage == .responseInterceptor ? .responded : .notSent,
            reason: "\(type(of: hook)) threw \(error)",
            underlying: error
        )
    }
}

/// Which of several hooks runs.
private final class CurrentHook: Sendable {
    private let state = Mutex(0)

    var index: Int {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// How a load ended, as it was before hooks saw it.
private struct LoadOutcome {
    private let error: SwiftyError?
    private let head: ResponseHead?
    private let content: Data?
    private let request: NetworkRequest?

    init(_ response: NetworkResponse) {
        error = response.error
        head = response.response
        content = response.data
        request = response.request
    }

    /// The outcome of a load whose hooks were left behind: why it failed, or else that they were.
    func response(afterEndOfHooks hookError: SwiftyError) -> NetworkResponse {
        var error = error ?? hookError
        if self.error == nil { (error.response, error.body) = (head, content) }
        return NetworkResponse(error: error, request: request)
    }
}
