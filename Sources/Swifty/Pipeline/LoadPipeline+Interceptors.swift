// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension LoadPipeline {
    /// Request interceptors work on a resource of their own, made anew for each attempt: neither the caller's resource nor
    /// a later attempt sees what they did.
    nonisolated(nonsending) func intercept(_ load: Load) async throws(SwiftyError) -> RequestDraft {
        var resource = NetworkResource.make(of: load.draft, networkInterface: load.interface)
        for interceptor in requestInterceptors {
            do {
                resource = try await interceptor.intercept(resource: resource)
            } catch {
                throw Self.hookError(error, interceptor, .requestInterceptor)
            }
            try load.checkCancellation(stage: .requestInterceptor)
        }
        return resource.draft
    }

    /// Response interceptors see every outcome. One that throws fails the outcome; those after it still run.
    nonisolated(nonsending) func intercept(_ response: NetworkResponse) async -> NetworkResponse {
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
