// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Sees every request that is about to be sent, and may change it.
///
/// Interceptors run in the order in which the `Swifty` was given them, after all constraints are satisfied, on a copy of the
/// request: the caller's resource is never changed. Mocked loads skip them. A synchronous method satisfies the requirement:
///
///     struct TokenInterceptor: RequestInterceptor {
///         func intercept(resource: NetworkResource) -> NetworkResource {
///             resource.header(key: "Token", value: TokenStore.shared.token)
///         }
///     }
///
/// Interceptors of different loads run at the same time. When the load ends, because it was cancelled or its time is over, the
/// interceptor's task is cancelled and no longer waited for. One that blocks its thread holds the load: it should do so on a thread
/// of its own.
public protocol RequestInterceptor: Sendable {
    /// Returns the resource that is to be sent: the given one, changed or not, or another.
    ///
    /// - Throws: what the load fails with; an error that is no ``SwiftyError`` becomes the underlying one of
    ///   ``SwiftyError/Code/interceptorFailed``.
    func intercept(resource: NetworkResource) async throws -> NetworkResource
}

/// Sees every outcome before the caller does, and may change it.
///
/// Interceptors run in the order in which the `Swifty` was given them, after the status was judged: on successes, failures
/// and mocks. What they decide with ``NetworkResponse/fail(error:)`` or ``NetworkResponse/succeed(head:data:)`` is what
/// every form of load delivers; typed loads decode what they leave. A synchronous method satisfies the requirement:
///
///     struct NoContentInterceptor: ResponseInterceptor {
///         func intercept(response: NetworkResponse) -> NetworkResponse {
///             if response.statusCode == 204 {
///                 response.fail(error: SwiftyError.responseValidation())
///             }
///             return response
///         }
///     }
/// When the load is cancelled or its time is over meanwhile, the interceptor's task is cancelled and no longer waited for: the caller
/// gets that as the outcome. An outcome of a load that has ended so before is shown to interceptors for a second at most.
public protocol ResponseInterceptor: Sendable {
    /// Returns the outcome that the next interceptor, and in the end the caller, gets.
    ///
    /// - Throws: what the load fails with; the interceptors that follow still run.
    func intercept(response: NetworkResponse) async throws -> NetworkResponse
}
