// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

@_spi(Interface) import WebServiceDSL

extension Load {
    @inline(never)
    var hooks: LoadHooks {
        LoadHooks(
            cancellation: cancellation,
            deadline: nextDeadline,
            watchdog: environment.watchdog,
            load: observed,
            observers: configuration.observers,
            tracers: tracers
        )
    }

    /// The runner of the hooks that see the outcome of a cancelled or timed-out load. They have a separate limit.
    private var lateHooks: LoadHooks {
        LoadHooks(
            cancellation: LoadCancellation(),
            deadline: Deadline(.lateHook, after: Self.lateHookLimit, clock),
            watchdog: environment.watchdog,
            load: observed,
            observers: configuration.observers,
            tracers: tracers
        )
    }

    private static var lateHookLimit: Duration { .seconds(1) }

    /// Runs the request interceptors on a new resource: neither the caller's resource nor a later attempt sees their
    /// changes.
    func intercept() async throws(SwiftyError) -> RequestDraft {
        let start = NetworkResource.make(of: state.draft, networkInterface: interface)
        let interceptors = configuration.requestInterceptors
        let marks = environment.marks.requestInterceptors
        let resource = try await hooks.run(.requestInterceptors(interceptors), stage: .requestInterceptor) {
            (run: HookRun<NetworkResource>) async throws(SwiftyError) in
            var resource = start
            for index in interceptors.indices where !Task.isCancelled && !marks[index].isCurrent {
                run.index = index
                do {
                    let (interceptor, current) = (interceptors[index], resource)
                    resource = try await NetworkScope.run(in: start.draft.scope) {
                        try await marks[index].run { try await interceptor.intercept(resource: current) }
                    }
                } catch {
                    throw Self.hookError(error, hook: interceptors[index], stage: .requestInterceptor, sent: .notSent)
                }
            }
            return resource
        }
        return resource.draft
    }

    /// Runs the response interceptors on any outcome. One that throws fails the outcome; those after it still run.
    ///
    /// They see the success of a load that has ended meanwhile as a failure, as if it had ended while they run.
    ///
    /// - Returns: The outcome that they return. If the load ends while they run, or if they exceed their limit after
    ///   its end, a failure that they have not changed.
    @inline(never)
    func intercept(_ response: NetworkResponse) async -> NetworkResponse {
        let interceptors = configuration.responseInterceptors
        if response.error == nil { failIfEnded(response) }
        // Before the interceptors change them.
        let (ownError, head, content) = (response.error, response.head, response.data)
        let hooks = hasEnded ? lateHooks : hooks
        let (name, scope) = (HookName.responseInterceptors(interceptors), state.draft.scope)
        let marks = environment.marks.responseInterceptors
        do throws(SwiftyError) {
            return try await hooks.run(name, stage: .responseInterceptor, sent: .responded) {
                (run: HookRun<NetworkResponse>) async throws(SwiftyError) in
                var response = response
                for index in interceptors.indices where !Task.isCancelled && !marks[index].isCurrent {
                    run.index = index
                    do {
                        let (interceptor, current) = (interceptors[index], response)
                        response = try await NetworkScope.run(in: scope) {
                            try await marks[index].run { try await interceptor.intercept(response: current) }
                        }
                    } catch {
                        response.fail(
                            error: Self.hookError(
                                error,
                                hook: interceptors[index],
                                stage: .responseInterceptor,
                                sent: .responded
                            )
                        )
                    }
                }
                return response
            }
        } catch {
            let failure = ownError ?? complete(error).withResponse(head, content: content)
            return NetworkResponse(of: state.draft, error: failure, request: response.request)
        }
    }

    /// Marks the closures of an `async` `map`: their loads belong to this one.
    private static let preparationMark = HookMark()

    /// Has the closures of an `async` `map` make their values of a successful response, within the limits of the load.
    @inline(never)
    func prepare(_ response: NetworkResponse, _ preparation: ResponsePreparation) async {
        if response.error != nil { return }
        let scope = state.draft.scope
        do throws(SwiftyError) {
            try await hooks.run(.fixed("map(_:)"), stage: .decoding, sent: .responded) {
                (_: HookRun<Void>) async throws(SwiftyError) in
                try await NetworkScope.run(in: scope) {
                    await Self.preparationMark.run { await Result.of(preparation, response) }
                }.get()
            }
        } catch {
            response.fail(error: complete(error))
        }
    }

    private func failIfEnded(_ response: NetworkResponse) {
        do throws(SwiftyError) {
            try checkEnd(stage: .responseInterceptor)
        } catch {
            var error = error.withResponse(response.head, content: response.data)
            error.sent = .responded
            response.fail(error: complete(error))
        }
    }

    /// The error of a load whose hook threw: a ``SwiftyError`` itself, any other as the underlying error.
    static func hookError(
        _ error: any Error,
        hook: Any,
        stage: SwiftyError.Stage,
        sent: SwiftyError.SentState
    ) -> SwiftyError {
        if let error = SwiftyError(thrown: error, stage: stage, sent: sent) { return error }
        return SwiftyError(
            .interceptorFailed,
            stage: stage,
            sent: sent,
            reason: "\(type(of: hook)) threw \(error)",
            underlying: error
        )
    }
}

extension Result<Void, SwiftyError> {
    fileprivate static func of(_ preparation: ResponsePreparation, _ response: NetworkResponse) async -> Self {
        do throws(SwiftyError) {
            return .success(try await preparation(response))
        } catch {
            return .failure(error)
        }
    }
}
