// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A hook that sees every request before it is sent, and may change it.
///
/// Interceptors run in the order of their registration with ``Swifty/Configuration/use(_:)``, after all constraints are
/// satisfied, on a copy of the request: the caller's resource never changes. Mocked loads skip them. A synchronous
/// method satisfies the requirement:
///
///     struct TokenInterceptor: RequestInterceptor {
///         func intercept(resource: NetworkResource) -> NetworkResource {
///             resource.header("Token", TokenStore.shared.token)
///         }
///     }
///
/// A load that an interceptor makes through its own `Swifty` does not pass that interceptor again, but all others. This
/// includes loads in a `Task` that it creates and in the closures of its loads, but not those in a `Task.detached` or
/// on its own Dispatch queue.
///
/// Interceptors of different loads run simultaneously. When a load is cancelled or reaches its time limit, the
/// interceptor's task is cancelled, and the load no longer waits for it. An interceptor that blocks its thread delays
/// the load; it should block a separate thread instead.
public protocol RequestInterceptor: Swifty.Hook {
    /// Returns the resource to send: the given one, changed or not, or another.
    ///
    /// - Throws: The error of the load. A `CancellationError` becomes ``SwiftyError/Code/cancelled``; any other error
    ///   than a ``SwiftyError`` becomes the underlying error of ``SwiftyError/Code/interceptorFailed``.
    func intercept(resource: NetworkResource) async throws -> NetworkResource
}

/// A hook that sees every outcome before the caller does, and may change it.
///
/// Interceptors run in the order of their registration with ``Swifty/Configuration/use(_:)``, after status validation,
/// on successes, failures and mocks. Every form of load delivers the outcome that they set with
/// ``NetworkResponse/fail(error:)`` or ``NetworkResponse/succeed(head:data:)``; typed loads decode it. A synchronous
/// method satisfies the requirement:
///
///     struct NoContentInterceptor: ResponseInterceptor {
///         func intercept(response: NetworkResponse) -> NetworkResponse {
///             if response.statusCode == 204 {
///                 response.fail(error: SwiftyError.responseValidation())
///             }
///             return response
///         }
///     }
///
/// A load that an interceptor makes through its own `Swifty` does not pass that interceptor again; see
/// ``RequestInterceptor``.
///
/// When the load is cancelled or reaches its time limit while interceptors run, the running one's task is cancelled,
/// and the load no longer waits for it: it fails with that error, or with its own if it had failed before. The
/// interceptors of a load that was cancelled or reached its time limit earlier have one second.
public protocol ResponseInterceptor: Swifty.Hook {
    /// Returns the outcome for the next interceptor, and finally for the caller.
    ///
    /// - Throws: The error of the load, as in ``RequestInterceptor/intercept(resource:)``. The interceptors that follow
    ///   still run.
    func intercept(response: NetworkResponse) async throws -> NetworkResponse
}
