// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A hook that sees the outcome of every attempt, also of one that another attempt follows, and may ask for another.
///
///     struct UntilReady: AttemptInterceptor {
///         var maximumAttempts: Int { 10 }
///
///         func intercept(attempt: RetryPolicy.Context) -> RetryPolicy.Decision {
///             attempt.statusCode == 202 ? .retry(after: .seconds(2)) : attempt.proposal
///         }
///     }
///
///     let swifty = Swifty { $0.use(UntilReady()) }
///
/// Called after each attempt, once the retry policy has decided, in the order of registration: each interceptor gets
/// the decision of the one before as `attempt.proposal`, and returns it unchanged to leave it. An attempt that is not
/// followed by another is judged by `validate(status:)`, and goes to the response interceptors. Not called for loads
/// that were cancelled, have reached their time limit, or built no request, nor for requests with their own mock. Nor
/// is it called for an attempt that is repeated in any case: because a constraint has replaced its credential, or
/// because it reached no server while the policy waits for a connection.
///
/// No interceptor widens the replay rule: a retry that the rule, the time limit, the budget or both of
/// `maximumAttempts` here and in the policy do not allow is not made. When the load is cancelled or reaches its time
/// limit, the interceptor's task is cancelled.
public protocol AttemptInterceptor: Swifty.Hook {
    /// The number of attempts of a load up to which this interceptor may ask for another, if the retry policy allows
    /// fewer: 3 by default.
    var maximumAttempts: Int { get }

    /// Decides after an attempt.
    ///
    /// - Throws: The error of the load, as in ``RequestInterceptor/intercept(resource:)``; there is no further attempt.
    func intercept(attempt: RetryPolicy.Context) async throws -> RetryPolicy.Decision
}

extension AttemptInterceptor {
    /// 3, the first attempt included.
    public var maximumAttempts: Int { 3 }
}
