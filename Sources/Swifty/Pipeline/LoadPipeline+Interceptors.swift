// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

extension LoadPipeline {
    /// What runs the hooks of a load.
    @inline(never)
    func hooks(of load: Load) -> LoadHooks {
        LoadHooks(
            cancellation: load.cancellation,
            deadline: load.nextDeadline,
            watchdog: watchdog,
            load: load.observed
        )
    }

    /// Runs the hooks that see how a load ended, after its end: they have a little time of their own.
    private func lateHooks(of load: Load) -> LoadHooks {
        LoadHooks(
            cancellation: LoadCancellation(),
            deadline: Deadline(.lateHook, after: Self.lateHookLimit, clock),
            watchdog: watchdog,
            load: load.observed
        )
    }

    private static var lateHookLimit: Duration { .seconds(1) }

    /// Request interceptors work on a resource of their own, made anew for each attempt: neither the caller's resource nor
    /// a later attempt sees what they did.
    // Kept out of the frames of waiting loads.
    @inline(never)
    nonisolated(nonsending) func intercept(_ load: Load) async throws(SwiftyError) -> RequestDraft {
        let start = NetworkResource.make(of: load.draft, networkInterface: load.interface)
        let interceptors = configuration.requestInterceptors
        let hooks = hooks(of: load)
        let resource = try await hooks.run(.requestInterceptors(interceptors), stage: .requestInterceptor) {
            (run: HookRun<NetworkResource>) async throws(SwiftyError) in
            var resource = start
            for index in interceptors.indices where !Task.isCancelled {
                run.index = index
                do {
                    resource = try await interceptors[index].intercept(resource: resource)
                } catch {
                    throw Self.hookError(error, interceptors[index], .requestInterceptor)
                }
            }
            return resource
        }
        return resource.draft
    }

    /// Response interceptors see every outcome. One that throws fails the outcome; those after it still run.
    ///
    /// If the load ends while they run, or they take long after its end, it ends with an outcome that they have not seen.
    // Kept out of the frames of waiting loads.
    @inline(never)
    nonisolated(nonsending) func intercept(_ response: NetworkResponse, _ load: Load) async -> NetworkResponse {
        let interceptors = configuration.responseInterceptors
        let outcome = LoadOutcome(response)
        let hooks = load.hasEnded ? lateHooks(of: load) : hooks(of: load)
        let name = HookName.responseInterceptors(interceptors)
        do throws(SwiftyError) {
            return try await hooks.run(name, stage: .responseInterceptor, sent: .responded) {
                (run: HookRun<NetworkResponse>) async throws(SwiftyError) in
                var response = response
                for index in interceptors.indices where !Task.isCancelled {
                    run.index = index
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

/// How a load ended, as it was before hooks saw it.
private struct LoadOutcome {
    private let error: SwiftyError?
    private let head: ResponseHead?
    private let content: Data?
    private let request: NetworkRequest?

    init(_ response: NetworkResponse) {
        error = response.error
        head = response.head
        content = response.data
        request = response.request
    }

    /// The outcome of a load whose hooks were left behind: why it failed, or else that they were.
    func response(afterEndOfHooks hookError: SwiftyError) -> NetworkResponse {
        var error = error ?? hookError
        if self.error == nil { (error.head, error.body) = (head, content) }
        return NetworkResponse(error: error, request: request)
    }
}
